package agreement

import "math/bits"

// StateSet is a set of states with one bit for each state.
type StateSet []uint64

// NewStateSet returns an empty set that can hold states 0 to states−1.
func NewStateSet(states int) StateSet { return make(StateSet, (states+63)/64) }

// Put adds state s.
func (x StateSet) Put(s int) { x[s/64] |= 1 << (s % 64) }

// Has reports whether state s is in the set.
func (x StateSet) Has(s int) bool { return x[s/64]>>(s%64)&1 == 1 }

// Len returns the number of states in the set.
func (x StateSet) Len() int {
	n := 0
	for _, w := range x {
		n += bits.OnesCount64(w)
	}
	return n
}

// Union adds the states of y to x.
func (x StateSet) Union(y StateSet) {
	for i, w := range y {
		x[i] |= w
	}
}

// Before reports whether the first state in which x and y differ is in x.
func (x StateSet) Before(y StateSet) bool {
	for i, w := range x {
		if differ := w ^ y[i]; differ != 0 {
			return w&differ&-differ != 0
		}
	}
	return false
}

// Gain returns how many states of y are not yet in x.
func (x StateSet) Gain(y StateSet) int {
	n := 0
	for i, w := range y {
		n += bits.OnesCount64(w &^ x[i])
	}
	return n
}

// Even returns at most n of the states, evenly spaced.
func Even(states []int32, n int) []int32 {
	n = min(n, len(states))
	out := make([]int32, n)
	for i := range out {
		out[i] = states[i*len(states)/n]
	}
	return out
}

package agreement

import "math/bits"

// Set is a set of states, one bit each.
type Set []uint64

// NewSet returns an empty set that can hold states 0 to states−1.
func NewSet(states int) Set { return make(Set, (states+63)/64) }

// Put adds state s.
func (x Set) Put(s int) { x[s/64] |= 1 << (s % 64) }

// Has reports whether state s is in the set.
func (x Set) Has(s int) bool { return x[s/64]>>(s%64)&1 == 1 }

// Len returns the number of states in the set.
func (x Set) Len() int {
	n := 0
	for _, w := range x {
		n += bits.OnesCount64(w)
	}
	return n
}

// Union adds the states of y to x.
func (x Set) Union(y Set) {
	for i, w := range y {
		x[i] |= w
	}
}

// Before reports whether x has the first state in which x and y differ.
func (x Set) Before(y Set) bool {
	for i, w := range x {
		if differ := w ^ y[i]; differ != 0 {
			return w&differ&-differ != 0
		}
	}
	return false
}

// Gain returns how many states of y are not yet in x.
func (x Set) Gain(y Set) int {
	n := 0
	for i, w := range y {
		n += bits.OnesCount64(w &^ x[i])
	}
	return n
}

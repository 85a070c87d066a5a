package student

import "github.com/epb-nco/epb/internal/dense"

// states are the T decision states of one chunk: those of instance i are the rows start[i]:start[i+1].
// Candidates and everything aligned with them are ragged over offset.
type states struct {
	M, T, L int
	start   []int32 // [B+1]

	first, current []int32   // [T] nodes of the state's own instance; first is the depot in a CVRP
	load           []float32 // [T] share of the vehicle that is free; CVRP only
	offset         []int32   // [T+1]
	cand           []uint16  // [L]

	scores []float32 // [M,L] c_m
	Vm     []float32 // [M,L] Eq. 2

	feat     featured      // with a named router only
	jacobian [][][]float32 // [M][W_m][L] of the scores, while weights of programs are trained; nil: see move

	piT    []float32 // [L] π_T, for training and evaluation only
	weight []float32 // [T] ω, for training and evaluation only
}

// reset empties the chunk for a bank of M heuristics.
func (st *states) reset(M int) {
	st.M, st.T, st.L = M, 0, 0
	st.start = append(st.start[:0], 0)
	st.offset = append(st.offset[:0], 0)
	st.first, st.current, st.load = st.first[:0], st.current[:0], st.load[:0]
	st.cand, st.piT, st.weight = st.cand[:0], st.piT[:0], st.weight[:0]
}

// add appends one state to the current instance.
func (st *states) add(first, current int32, cand []uint16) {
	st.first, st.current = append(st.first, first), append(st.current, current)
	st.cand = append(st.cand, cand...)
	st.offset = append(st.offset, int32(len(st.cand)))
	st.T++
}

// endInstance closes the current instance.
func (st *states) endInstance() { st.start = append(st.start, int32(st.T)) }

// endStates makes room for the scores of all states added.
func (st *states) endStates() {
	st.L = len(st.cand)
	st.scores, st.Vm = dense.Sized(st.scores, st.M*st.L), dense.Sized(st.Vm, st.M*st.L)
}

// rows returns the first state of instance i and how many it has.
func (st *states) rows(i int) (from, count int) {
	return int(st.start[i]), int(st.start[i+1] - st.start[i])
}

// of returns the part of a ragged [M,L] array that belongs to heuristic m.
func (st *states) of(m int, x []float32) []float32 { return x[m*st.L : (m+1)*st.L] }

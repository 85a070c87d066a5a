package capacity

import (
	"fmt"
	"math"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/internal/rollout"
)

// negligible is the teacher probability below which the loss leaves an action out: with the floor, its term is less
// than 3e-11 nats.
const negligible = 1e-12

// cancelled is the share of a sum that must remain after a subtraction: float64 then keeps ten digits. Below it, the
// sum is computed again without the removed term.
const cancelled = 1e-6

// chunk is the number of states in one partial sum. It is fixed, so sums do not depend on the number of cores.
const chunk = 512

// Mixture is a student on S states, with only the data that leave-one-out needs: π_S = Σ_m w_m V_m with w = softmax of
// Logits over the kept heuristics (Eq. 3, 5).
type Mixture struct {
	Offset  []int64     // [S+1] actions of state s are Offset[s]:Offset[s+1] of the ragged arrays
	Teacher []float32   // ragged, π_T
	V       [][]float32 // [M] ragged, V_m
	Logits  []float32   // [S,M] Q·K_m/τ_r
}

// NewMixture returns the mixture of M heuristics on a shard of S states and C candidates. V is V_m, M times float32
// [C]; logits are the router's, float32 [S,M]. It panics on other types and shapes.
func NewMixture(sh *rollout.Shard, V []*tensor.Dense, logits *tensor.Dense) *Mixture {
	mx := &Mixture{Offset: sh.Offset, Teacher: dense.Open[float32](sh.Probs), V: make([][]float32, len(V))}
	for m := range V {
		mx.V[m] = dense.Must[float32](fmt.Sprintf("capacity: V of heuristic %d", m), V[m], len(sh.Candidates))
	}
	mx.Logits = dense.Must[float32]("capacity: logits", logits, sh.States(), len(V))
	return mx
}

// States returns S.
func (mx *Mixture) States() int { return len(mx.Offset) - 1 }

// All returns the indices of all heuristics, for Loss and LeaveOneOut.
func (mx *Mixture) All() []int {
	kept := make([]int, len(mx.V))
	for m := range kept {
		kept[m] = m
	}
	return kept
}

// Loss returns the mean KL(π_T‖π_S) in nats (Eq. 6) of the mixture of the kept heuristics.
func (mx *Mixture) Loss(kept []int) float64 {
	loss, _ := mx.sweep(kept, false)
	return loss
}

// LeaveOneOut returns the loss of the kept heuristics and, aligned with kept, the loss without each of them.
//
// It costs O(S·K·M): it computes every state's mixture once and subtracts each heuristic's share. If the subtraction
// would cancel, it computes the sum again without that heuristic. At most one heuristic can dominate an action, and at
// most one a state, so the new sums do not raise the cost beyond O(S·K·M).
func (mx *Mixture) LeaveOneOut(kept []int) (loss float64, without []float64) {
	if len(kept) < 2 {
		panic("capacity: leave-one-out needs at least two heuristics")
	}
	return mx.sweep(kept, true)
}

func (mx *Mixture) sweep(kept []int, leaveOut bool) (float64, []float64) {
	mx.check(kept)
	S := mx.States()
	chunks := (S + chunk - 1) / chunk
	sums := make([][]float64, chunks) // per chunk: the loss, then the loss without each
	scratch := make([]state, parallel.Workers(chunks))
	parallel.Each(len(scratch), chunks, func(worker, c int) {
		st, sum := &scratch[worker], make([]float64, 1+len(kept))
		for s := c * chunk; s < min((c+1)*chunk, S); s++ {
			st.load(mx, kept, s)
			sum[0] += st.loss()
			if leaveOut {
				for i := range kept {
					sum[1+i] += st.lossWithout(i)
				}
			}
		}
		sums[c] = sum
	})

	total := make([]float64, 1+len(kept))
	for _, sum := range sums {
		for i, v := range sum {
			total[i] += v
		}
	}
	for i := range total {
		total[i] /= float64(max(S, 1))
	}
	return total[0], total[1:]
}

func (mx *Mixture) check(kept []int) {
	M := len(mx.V)
	if len(mx.Logits) != mx.States()*M {
		panic(fmt.Sprintf("capacity: %d logits for %d states and %d heuristics", len(mx.Logits), mx.States(), M))
	}
	for m, V := range mx.V {
		if len(V) != len(mx.Teacher) {
			panic(fmt.Sprintf("capacity: heuristic %d has %d probabilities, want %d", m, len(V), len(mx.Teacher)))
		}
	}
	if len(kept) == 0 {
		panic("capacity: a mixture of no heuristics")
	}
}

// state is one decision state of a mixture; its buffers are reused.
type state struct {
	e       []float64   // [M'] exp(logit − largest logit)
	rest    []float64   // [M'] exp(logit − second largest logit), 0 for the largest
	Z       float64     // Σ e
	top     int         // the heuristic with the largest logit
	logits  []float64   // [M']
	V       [][]float32 // [M'][A] over the actions that count
	rows    []float32   // backing of V
	pi      []float64   // [A] teacher
	num     []float64   // [A] Σ e_m V_m, Z times the student's probability
	entropy float64     // Σ π_T log π_T over the actions that count
}

func (st *state) load(mx *Mixture, kept []int, s int) {
	M, a, b := len(mx.V), mx.Offset[s], mx.Offset[s+1]
	st.logits, st.e = st.logits[:0], st.e[:0]
	st.top = 0
	for i, m := range kept {
		st.logits = append(st.logits, float64(mx.Logits[s*M+m]))
		if st.logits[i] > st.logits[st.top] {
			st.top = i
		}
	}
	st.Z = 0
	for _, l := range st.logits {
		e := math.Exp(l - st.logits[st.top])
		st.e = append(st.e, e)
		st.Z += e
	}

	st.pi, st.num, st.rows, st.V, st.entropy = st.pi[:0], st.num[:0], st.rows[:0], st.V[:0], 0
	for _, p := range mx.Teacher[a:b] {
		if p > negligible {
			st.pi = append(st.pi, float64(p))
			st.num = append(st.num, 0)
			st.entropy += float64(p) * math.Log(float64(p))
		}
	}
	A := len(st.pi)
	for _, m := range kept {
		for k, v := range mx.V[m][a:b] {
			if mx.Teacher[a+int64(k)] > negligible {
				st.rows = append(st.rows, v)
			}
		}
	}
	for i := range kept {
		V := st.rows[i*A : (i+1)*A]
		st.V = append(st.V, V)
		for k, v := range V {
			st.num[k] += st.e[i] * float64(v)
		}
	}
}

// loss returns KL(π_T‖π_S) of the state.
func (st *state) loss() float64 {
	kl := st.entropy
	for k, p := range st.pi {
		kl -= p * math.Log(max(st.num[k]/st.Z, agreement.Floor))
	}
	return kl
}

// lossWithout returns the loss without heuristic h, with the others' weights normalised again.
func (st *state) lossWithout(h int) float64 {
	if h == st.top { // w_h ≈ 1 may hide the others' weights: use the second largest logit as the reference
		return st.lossWithoutTop()
	}
	kl, Z := st.entropy, st.Z-st.e[h]
	for k, p := range st.pi {
		num := st.num[k] - st.e[h]*float64(st.V[h][k])
		if num < cancelled*st.num[k] {
			num = 0
			for m, e := range st.e {
				if m != h {
					num += e * float64(st.V[m][k])
				}
			}
		}
		kl -= p * math.Log(max(num/Z, agreement.Floor))
	}
	return kl
}

func (st *state) lossWithoutTop() float64 {
	second := math.Inf(-1)
	for m, l := range st.logits {
		if m != st.top {
			second = max(second, l)
		}
	}
	st.rest = st.rest[:0]
	Z := 0.0
	for m, l := range st.logits {
		e := 0.0
		if m != st.top {
			e = math.Exp(l - second)
		}
		st.rest = append(st.rest, e)
		Z += e
	}
	kl := st.entropy
	for k, p := range st.pi {
		num := 0.0
		for m, e := range st.rest {
			num += e * float64(st.V[m][k])
		}
		kl -= p * math.Log(max(num/Z, agreement.Floor))
	}
	return kl
}

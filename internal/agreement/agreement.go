package agreement

import (
	"fmt"
	"math"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Floor is the smallest student probability that the loss (Eq. 6) distinguishes: the loss takes log π_S of max(π_S,
// Floor). So an action that every V_m rules out costs 27.6 nats, not infinity.
const Floor = 1e-12

// KL returns KL(π_T‖π_S) of one decision in nats, as the loss of Eq. 6 has it: with Floor.
func KL(piT, piS []float32) float64 {
	sum := 0.0
	for k, p := range piT {
		if p > 0 {
			sum += float64(p) * math.Log(float64(p)/max(float64(piS[k]), Floor))
		}
	}
	return sum
}

// Agreement says how well one heuristic follows the teacher on the S states of a shard.
type Agreement struct {
	Hits StateSet  // states with argmax V_m = argmax π_T
	KL   []float32 // [S] KL(π_T‖V_m) in nats
}

// Distribution returns V_m = softmax(c_m/τ_h) of every state (Eq. 2).
//
// Shapes: scores, the raw output c_m of the program, and the result are float32 [C] over the shard's candidates. It
// panics if scores has another shape or type, or if τ_h is out of its range.
func Distribution(sh *rollout.Shard, scores *tensor.Dense, tauH float64) *tensor.Dense {
	c := open(sh, scores, tauH)
	Vm := make([]float32, len(c))
	for s := range sh.States() {
		a, b := sh.Offset[s], sh.Offset[s+1]
		Softmax(Vm[a:b], c[a:b], tauH)
	}
	return dense.Vector(Vm)
}

// DistributionAt is Distribution on state s only, [K].
func DistributionAt(sh *rollout.Shard, scores *tensor.Dense, tauH float64, s int) []float32 {
	c := open(sh, scores, tauH)[sh.Offset[s]:sh.Offset[s+1]]
	Vm := make([]float32, len(c))
	Softmax(Vm, c, tauH)
	return Vm
}

// Of compares one heuristic with the teacher on every state of the shard.
//
// The divergence is computed from logarithms, so it needs no floor: a program that gives the teacher's action no
// probability gets the full log-odds as divergence. Of panics as Distribution does.
func Of(sh *rollout.Shard, scores *tensor.Dense, tauH float64) Agreement {
	all, teacher := open(sh, scores, tauH), dense.Open[float32](sh.Probs)
	v := Agreement{Hits: NewStateSet(sh.States()), KL: make([]float32, sh.States())}
	for s := range sh.States() {
		from, to := sh.Offset[s], sh.Offset[s+1]
		piT, c := teacher[from:to], all[from:to]
		v.KL[s] = float32(Divergence(piT, c, tauH))
		if Argmax(c) == Argmax(piT) {
			v.Hits.Put(s)
		}
	}
	return v
}

// Divergence returns KL(π_T‖softmax(c/τ_h)) of one state.
func Divergence(piT, c []float32, tauH float64) float64 {
	logZ, kl := logSumExp(c, tauH), 0.0
	for k, p := range piT {
		if p > 0 {
			kl += float64(p) * (math.Log(float64(p)) - (float64(c[k])/tauH - logZ))
		}
	}
	return max(kl, 0)
}

// Argmax returns the index of the largest value, the first one on a tie.
func Argmax(x []float32) int {
	best := 0
	for k, v := range x {
		if v > x[best] {
			best = k
		}
	}
	return best
}

// Sharpness is the mean probability of the teacher's best and second-best action.
type Sharpness struct {
	Top1 float64 `json:"top1"`
	Top2 float64 `json:"top2"` // mean probability of the second-best action only
}

// Rest is the mean probability of all actions below the second-best one.
func (s Sharpness) Rest() float64 { return max(1-s.Top1-s.Top2, 0) }

// SharpnessOf returns the teacher's sharpness over the states of a shard. It is zero if there are no states.
func SharpnessOf(sh *rollout.Shard) Sharpness {
	var top1, top2 float64
	teacher := dense.Open[float32](sh.Probs)
	for s := range sh.States() {
		piT := teacher[sh.Offset[s]:sh.Offset[s+1]]
		first, second := routing.TopTwo(piT)
		top1 += float64(piT[first])
		top2 += float64(piT[second])
	}
	n := float64(max(sh.States(), 1))
	return Sharpness{Top1: top1 / n, Top2: top2 / n}
}

// Softmax stores in Vm the distribution softmax(c_m/τ_h) of one state with scores c, both [K] (Eq. 2).
func Softmax(Vm, c []float32, tauH float64) {
	logZ := logSumExp(c, tauH)
	for k, v := range c {
		Vm[k] = float32(math.Exp(float64(v)/tauH - logZ))
	}
}

// Divided is Softmax, except that it divides by the sum where Softmax subtracts its logarithm: a quarter of the values
// differ in their last bit. It stays apart so that single programs and rankers sample what they always have. Vm and c
// may be one slice.
func Divided(Vm, c []float32, tauH float64) {
	top, sum := float64(c[Argmax(c)]), 0.0
	for k, v := range c {
		e := math.Exp((float64(v) - top) / tauH)
		Vm[k] = float32(e)
		sum += e
	}
	for k := range Vm {
		Vm[k] = float32(float64(Vm[k]) / sum)
	}
}

func logSumExp(c []float32, tauH float64) float64 {
	top := float64(c[Argmax(c)]) / tauH
	sum := 0.0
	for _, v := range c {
		sum += math.Exp(float64(v)/tauH - top)
	}
	return top + math.Log(sum)
}

// open returns scores as a slice.
func open(sh *rollout.Shard, scores *tensor.Dense, tauH float64) []float32 {
	if !ValidTauH(tauH) {
		panic(fmt.Sprintf("agreement: τ_h = %v, want %g to %g", tauH, MinTauH, MaxTauH))
	}
	return dense.Must[float32]("agreement: scores", scores, len(sh.Candidates))
}

// LeaveOut sets the routing weight of program m to 0 in w [M], M > 1. If all others are 0 already, as they are where a
// router is sure beyond the precision of its weights, they get equal weights. The weights do not sum to 1 otherwise.
func LeaveOut(w []float32, m int) {
	w[m] = 0
	if slices.Max(w) > 0 {
		return
	}
	for j := range w {
		if j != m {
			w[j] = 1 / float32(len(w)-1)
		}
	}
}

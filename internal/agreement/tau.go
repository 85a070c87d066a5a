package agreement

import (
	"math"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

// The range of every τ_h, fitted, learned or given. A score of at most runtime.MaxScore divided by a τ_h in this range
// is a finite float32.
const (
	MinTauH = 1e-6
	MaxTauH = 1e6
)

// ValidTauH reports whether tauH is in the range of τ_h.
func ValidTauH(tauH float64) bool { return tauH >= MinTauH && tauH <= MaxTauH }

// ClampTauH returns the number in the range of τ_h that is nearest to tauH.
func ClampTauH(tauH float64) float64 { return min(max(tauH, MinTauH), MaxTauH) }

// The range in which FitTauH looks for τ_h, in units of the program's scores.
const (
	tauMin = 1e-4
	tauMax = 1e2
)

// FitTauH returns the τ_h at which V_m = softmax(c_m/τ_h) (Eq. 2) has the smallest mean KL(π_T‖V_m) on the given states
// of a shard, or on all if none are given. Each program has its own unit of scores; this τ_h fits a new program to the
// teacher's scale. Golden-section search over log τ_h finds it with an error below a hundredth.
//
// scores, c_m of the program, are float32 [C] over the shard's candidates. FitTauH panics if they are not.
func FitTauH(sh *rollout.Shard, scores *tensor.Dense, states []int32) float64 {
	tauH, _ := FitScale(sh, scores, states)
	return tauH
}

// FitScale is FitTauH, and reports whether the program has a scale on these states: whether the mean KL at that τ_h is
// below those at both ends of the range. Otherwise the program is wrong more often than right, right with certainty,
// scores all candidates alike or in a unit far from 1, and the τ_h says nothing about the unit of its scores.
func FitScale(sh *rollout.Shard, scores *tensor.Dense, states []int32) (tauH float64, hasScale bool) {
	const (
		golden   = 0.6180339887498949
		rounding = 1e-9 // of a mean KL, in nats
	)
	c, piT := open(sh, scores, tauMin), dense.Open[float32](sh.Probs)
	if len(states) == 0 {
		states = make([]int32, sh.States()) // not an append: the caller's slice may have room
		for s := range states {
			states[s] = int32(s)
		}
	}
	loss := func(logTau float64) float64 {
		tauH, sum := math.Exp(logTau), 0.0
		for _, s := range states {
			from, to := sh.Offset[s], sh.Offset[s+1]
			sum += Divergence(piT[from:to], c[from:to], tauH)
		}
		return sum
	}
	lo, hi := math.Log(tauMin), math.Log(tauMax)
	ends := min(loss(lo), loss(hi))
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fa, fb := loss(a), loss(b)
	for hi-lo > 0.01 {
		if fa <= fb {
			hi, b, fb = b, a, fa
			a = hi - golden*(hi-lo)
			fa = loss(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + golden*(hi-lo)
			fb = loss(b)
		}
	}
	best := (lo + hi) / 2
	return math.Exp(best), loss(best) < ends-rounding*float64(len(states))
}

package certify

import (
	"math"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/dense"
)

// The τ_h among which the interval of a fit is found: so many in a decade, for so many decades to either side of it.
const (
	fitsPerDecade = 20
	fitDecades    = 2
)

// fit returns the τ_h at which program m by itself comes nearest to the teacher in some states, all of none, with its
// interval over instances, and whether the program has a scale there.
func (d *decisions) fit(m int, states []int32) (tauH float64, ci bootstrap.Interval, hasScale bool) {
	tauH, hasScale = agreement.FitScale(d.sh, d.set.Scores[m], states)
	if !hasScale {
		return tauH, ci, false
	}
	if len(states) == 0 {
		states = every(d.sh.States())
	}
	c := dense.Must[float32]("scores", d.set.Scores[m], len(d.sh.Candidates))
	taus := make([]float64, 2*fitDecades*fitsPerDecade+1)
	loss := make([][]float64, len(taus)) // [τ_h][instances]
	for k := range taus {
		taus[k] = tauH * math.Pow(10, float64(k)/fitsPerDecade-fitDecades)
		loss[k] = make([]float64, d.sh.Instances())
		for _, s := range states {
			a, b := d.sh.Offset[s], d.sh.Offset[s+1]
			loss[k][d.instance[s]] += agreement.Divergence(d.piT[a:b], c[a:b], taus[k])
		}
	}
	counted := make([]bool, d.sh.Instances())
	for _, s := range states {
		counted[d.instance[s]] = true
	}
	ci = bootstrap.Of(d.sh.Instances(), d.seed, func(pick []int) float64 {
		return bestFit(taus, loss, counted, pick)
	})
	return tauH, bootstrap.Interval{Lo: min(ci.Lo, tauH), Hi: max(ci.Hi, tauH)}, true
}

// bestFit returns the τ_h of the smallest loss of the picked instances, and NaN if none of these counts.
func bestFit(taus []float64, loss [][]float64, counted []bool, pick []int) float64 {
	best, least := math.NaN(), math.Inf(1)
	for k, of := range loss {
		sum, counts := 0.0, false
		for _, i := range pick {
			sum, counts = sum+of[i], counts || counted[i]
		}
		if counts && sum < least {
			best, least = taus[k], sum
		}
	}
	return best
}

// every returns 0 to n - 1.
func every(n int) []int32 {
	all := make([]int32, n)
	for s := range all {
		all[s] = int32(s)
	}
	return all
}

package contrast

import (
	"math"

	"github.com/epb-nco/epb/internal/bootstrap"
)

// Estimate is a mean over decisions.
type Estimate struct {
	Mean float64            `json:"mean"`
	CI   bootstrap.Interval `json:"ci95"` // over instances
	N    int                `json:"n"`    // decisions
	// Few says that the decisions come from too few instances: a resampling of these says nothing.
	Few bool `json:"few,omitempty"`
	// Refit is two standard errors that fitting a router gives the mean, by what changes where it is fitted again to
	// other instances; 0 where no router takes part. The interval does not cover that.
	Refit float64 `json:"refit,omitempty"`
}

// Shown says whether the mean is shown to differ from 0: its interval rests on enough instances and lies on one side,
// and it exceeds what fitting again changes.
func (e Estimate) Shown() bool {
	return e.N > 0 && !e.Few && (e.CI.Lo > 0 || e.CI.Hi < 0) && math.Abs(e.Mean) > e.Refit
}

// sums is a tally that is told as an estimate.
type sums struct{ *bootstrap.Tally }

func newSums(instances int) sums { return sums{bootstrap.NewTally(instances)} }

// estimate returns the mean with its interval. The seed is the bootstrap's.
func (x sums) estimate(seed uint64) Estimate {
	_, n := x.Totals()
	if n == 0 {
		return Estimate{}
	}
	return Estimate{Mean: x.Mean(), CI: x.Interval(seed), N: int(n), Few: x.Instances() < bootstrap.FewestInstances}
}

// score returns by how many standard errors the mean differs from 0, by instances: what is cheap to compute for many
// candidates of which few are then estimated.
func (x sums) score() float64 {
	sum, n := x.Totals()
	if n == 0 {
		return 0
	}
	mean, square := sum/n, 0.0
	for i := range x.Sum {
		d := x.Sum[i] - mean*x.Count[i]
		square += d * d
	}
	if square == 0 {
		return 0
	}
	return mean * n / math.Sqrt(square)
}

// difference returns the difference of two means, a less b, with its interval: instances are resampled for both
// together.
func difference(a, b sums, seed uint64) Estimate {
	_, n := a.Totals()
	_, m := b.Totals()
	if n == 0 || m == 0 {
		return Estimate{}
	}
	mean := func(x sums, pick []int) float64 {
		var sum, n float64
		for _, i := range pick {
			sum, n = sum+x.Sum[i], n+x.Count[i]
		}
		return sum / n // NaN of nothing
	}
	all := make([]int, len(a.Sum))
	for i := range all {
		all[i] = i
	}
	return Estimate{
		Mean: mean(a, all) - mean(b, all), N: int(n + m),
		Few: min(a.Instances(), b.Instances()) < bootstrap.FewestInstances,
		CI:  bootstrap.Of(len(all), seed, func(pick []int) float64 { return mean(a, pick) - mean(b, pick) }),
	}
}

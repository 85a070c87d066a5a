package contrast

import (
	"math"

	"github.com/epb-nco/epb/internal/evaluate"
)

// Estimate is a mean over decisions.
type Estimate struct {
	Mean float64           `json:"mean"`
	CI   evaluate.Interval `json:"ci95"` // over instances
	N    int               `json:"n"`    // decisions
	// Refit is two standard errors that fitting a router gives the mean, by what changes where it is fitted again to
	// other instances; 0 where no router takes part. The interval does not cover that.
	Refit float64 `json:"refit,omitempty"`
}

// Shown says whether the mean is shown to differ from 0: its interval lies on one side, and it exceeds what
// fitting again changes.
func (e Estimate) Shown() bool {
	return e.N > 0 && (e.CI.Lo > 0 || e.CI.Hi < 0) && math.Abs(e.Mean) > e.Refit
}

// sums holds, for every instance, a sum over decisions and their number.
type sums struct{ part, whole []float64 }

func newSums(instances int) *sums {
	return &sums{make([]float64, instances), make([]float64, instances)}
}

// add counts a decision of an instance.
func (x *sums) add(instance int32, v float64) {
	x.part[instance] += v
	x.whole[instance]++
}

func (x *sums) totals() (part, whole float64) {
	for i := range x.part {
		part, whole = part+x.part[i], whole+x.whole[i]
	}
	return part, whole
}

// estimate returns the mean with its interval. The seed is the bootstrap's.
func (x *sums) estimate(seed uint64) Estimate {
	part, whole := x.totals()
	if whole == 0 {
		return Estimate{}
	}
	return Estimate{Mean: part / whole, CI: evaluate.RatioInterval(x.part, x.whole, seed), N: int(whole)}
}

// mean returns the mean without an interval, 0 of nothing.
func (x *sums) mean() float64 {
	part, whole := x.totals()
	return part / math.Max(whole, 1)
}

// score returns by how many standard errors the mean differs from 0, by instances: what is cheap to compute for many
// candidates of which few are then estimated.
func (x *sums) score() float64 {
	part, whole := x.totals()
	if whole == 0 {
		return 0
	}
	mean, square := part/whole, 0.0
	for i := range x.part {
		d := x.part[i] - mean*x.whole[i]
		square += d * d
	}
	if square == 0 {
		return 0
	}
	return mean * whole / math.Sqrt(square)
}

// difference returns the difference of two means, a less b, with its interval: instances are resampled for both
// together.
func difference(a, b *sums, seed uint64) Estimate {
	_, n := a.totals()
	_, m := b.totals()
	if n == 0 || m == 0 {
		return Estimate{}
	}
	mean := func(x *sums, pick []int) float64 {
		var part, whole float64
		for _, i := range pick {
			part, whole = part+x.part[i], whole+x.whole[i]
		}
		return part / whole // NaN of nothing
	}
	all := make([]int, len(a.part))
	for i := range all {
		all[i] = i
	}
	return Estimate{
		Mean: mean(a, all) - mean(b, all), N: int(n + m),
		CI: evaluate.Bootstrap(len(all), seed, func(pick []int) float64 { return mean(a, pick) - mean(b, pick) }),
	}
}

// one returns 1 where something holds, else 0.
func one(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

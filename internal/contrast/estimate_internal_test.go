package contrast

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/epb-nco/epb/internal/bootstrap"
)

// A difference is shown if its interval leaves out 0 and another fit changes it by less.
func TestShown(t *testing.T) {
	above := bootstrap.Interval{Lo: 0.01, Hi: 0.03}
	for _, c := range []struct {
		e    Estimate
		want bool
	}{
		{Estimate{Mean: 0.02, CI: above, N: 9}, true},
		{Estimate{Mean: 0.02, CI: above, N: 9, Few: true}, false},
		{Estimate{Mean: 0.02, CI: above, N: 9, Refit: 0.019}, true},
		{Estimate{Mean: 0.02, CI: above, N: 9, Refit: 0.021}, false},
		{Estimate{Mean: -0.02, CI: bootstrap.Interval{Lo: -0.03, Hi: -0.01}, N: 9, Refit: 0.01}, true},
		{Estimate{Mean: 0.02, CI: bootstrap.Interval{Lo: -0.01, Hi: 0.05}, N: 9}, false},
		{Estimate{CI: above}, false},
	} {
		if got := c.e.Shown(); got != c.want {
			t.Errorf("%+v: shown %v", c.e, got)
		}
	}
}

// Fits of equal policies differ by noise alone, and noise exceeds refit in about one case of twenty, for a program and
// for a category of five of ten.
func TestRefitOfNoise(t *testing.T) {
	const M, draws = 10, 20_000
	five := func(w []float64) float64 { return floats.Sum(w[:5]) }
	rng := rand.New(rand.NewPCG(1, 2))
	fit := func() []float64 {
		w := make([]float64, M)
		for m := range w {
			w[m] = rng.NormFloat64()
		}
		return w
	}
	for what, of := range map[string]func(w []float64) float64{"program": weightOf(0), "category": five} {
		exceeds := 0
		for range draws {
			a, againA, b, againB := fit(), fit(), fit(), fit()
			difference := (of(a) + of(againA) - of(b) - of(againB)) / 2
			floats.Sub(a, againA)
			floats.Sub(b, againB)
			if math.Abs(difference) > refit([2][]float64{a, b}, of) {
				exceeds++
			}
		}
		if share := float64(exceeds) / draws; share < 0.02 || share > 0.07 {
			t.Errorf("%s: noise exceeds refit in %.1f %% of the cases, want about 5", what, 100*share)
		}
	}
}

// Instances weigh as their decisions do, and the difference of two means resamples instances for both together: of two
// equal sums it is exactly 0.
func TestSums(t *testing.T) {
	x, y := newSums(3), newSums(3)
	for i, v := range []float64{1, 1, 1, 0, 0} {
		x.Add(int32(i/2), v)
		y.Add(int32(i/2), v)
	}
	if e := x.estimate(1); e.Mean != 0.6 || e.N != 5 || e.CI.Lo > 0.6 || e.CI.Hi < 0.6 {
		t.Errorf("estimate %+v, want 0.6 of 5", e)
	}
	if e := difference(x, y, 1); e.Mean != 0 || e.CI.Lo != 0 || e.CI.Hi != 0 || e.N != 10 {
		t.Errorf("difference %+v, want none of 10", e)
	}
	if e := difference(x, newSums(3), 1); e.N != 0 || e.Shown() {
		t.Errorf("difference from nothing %+v", e)
	}
	// Per instance 2 of 2, 1 of 2 and 0 of 1; their deviations from the mean are 0.8, -0.2 and -0.6.
	if got, want := x.score(), 3/math.Sqrt(0.64+0.04+0.36); math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
}

package bootstrap

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestGapIsTheRatioOfMeans(t *testing.T) {
	g := GapTo([]float64{2, 12}, []float64{1, 10}, 1)
	if math.Abs(g.Percent-100*(14.0/11-1)) > 1e-9 {
		t.Errorf("gap %.6f %%, want the ratio of means", g.Percent)
	}
	if g.CI.Lo > g.Percent || g.CI.Hi < g.Percent {
		t.Errorf("interval %v does not hold %.3f", g.CI, g.Percent)
	}
}

// The bootstrap interval of a normal sample must be near mean ± 1.96 s/√n, and repeat with its seed.
func TestSummaryInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 400)
	for i := range x {
		x[i] = 5 + rng.NormFloat64()
	}
	s := Summarise(x, 7)
	half := 1.96 * s.Std / math.Sqrt(float64(len(x)))
	if math.Abs(s.CI.Lo-(s.Mean-half)) > 0.15*half || math.Abs(s.CI.Hi-(s.Mean+half)) > 0.15*half {
		t.Errorf("interval %v, want about %.3f ± %.3f", s.CI, s.Mean, half)
	}
	if again := Summarise(x, 7); again != s {
		t.Errorf("same seed, %+v then %+v", s, again)
	}
	if other := Summarise(x, 8); other.CI == s.CI {
		t.Error("another seed gave the same interval: the seed is not used")
	}
	if one := Summarise([]float64{3}, 1); one.Mean != 3 || one.Std != 0 || one.CI != (Interval{3, 3}) {
		t.Errorf("one value: %+v", one)
	}
}

// A sample of instances without any case says nothing: it does not count as a share of 0.
func TestIntervalOfFewCases(t *testing.T) {
	tally := NewTally(6)
	for _, i := range []int32{0, 0, 1, 1} {
		tally.Add(i, 1)
	}
	if ci := tally.Interval(1); ci != (Interval{Lo: 1, Hi: 1}) {
		t.Errorf("2 of 2 in each of two instances: %v, want 1 to 1", ci)
	}
	if ci := NewTally(4).Interval(1); ci != (Interval{}) {
		t.Errorf("no case at all: %v", ci)
	}
}

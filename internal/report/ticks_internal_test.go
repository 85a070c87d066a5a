package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func identity(v float64) float64 { return v }

// labels returns the labels of an axis.
func labels(lo, hi float64, counts bool) string {
	var out []string
	for _, t := range valueTicks(lo, hi, counts, identity) {
		out = append(out, t.Label)
	}
	return fmt.Sprint(out)
}

// TestValueTicks shows the labels of many axes beside those of gonum/plot v0.17.0, which this package used before.
// Theirs are at more kinds of steps, such as 0.4, 3 and 250, and at multiples that are not the step's own.
func TestValueTicks(t *testing.T) {
	for _, tt := range []struct {
		lo, hi      float64
		gonum, want string
	}{
		{0, 1.12, "[0.0 0.5 1.0]", "[0.0 0.5 1.0]"},
		{0, 2.24, "[0 1 2]", "[0.0 0.5 1.0 1.5 2.0]"},
		{0, 3.36, "[0 1 2 3]", "[0 1 2 3]"},
		{0, 5.6, "[0.00 2.50 5.00]", "[0 2 4]"},
		{0, 8.96, "[0 4 8]", "[0 2 4 6 8]"},
		{0, 11.2, "[0 5 10]", "[0 5 10]"},
		{0, 15.68, "[0 5 10 15]", "[0 5 10 15]"},
		{0, 20.16, "[0 10 20]", "[0 5 10 15 20]"},
		{0, 134.4, "[0 40 80 120]", "[0 50 100]"},
		{0.06281, 1.17985, "[0.2 0.6 1.0]", "[0.5 1.0]"},
		{-0.11204, 2.28814, "[0 1 2]", "[0.0 0.5 1.0 1.5 2.0]"},
		{0.15759, 0.69596, "[0.2 0.4 0.6]", "[0.2 0.4 0.6]"},
		{0.005485, 0.015597, "[0.006 0.009 0.012 0.015]", "[0.010 0.015]"},
		{0.0225711, 0.0236205, "[0.0228 0.0232 0.0236]", "[0.0230 0.0235]"},
		{-2, -0.5, "[-2.0 -1.5 -1.0 -0.5]", "[−2.0 −1.5 −1.0 −0.5]"},
		{-0.624195, -0.623014, "[-0.624 -0.6236 -0.6232]", "[−0.6240 −0.6235]"},
		{17.2296, 30.6694, "[18 24 30]", "[20 25 30]"},
		{72.2125, 83.4728, "[72.50 77.50 82.50]", "[75 80]"},
		{30.1397, 37.845, "[31 34 37]", "[32 34 36]"},
		{82.049, 90.6438, "[82.50 85.00 87.50 90.00]", "[84 86 88 90]"},
		{56.7317, 98.9414, "[60 90]", "[60 70 80 90]"},
		{-1.02995, 58.6535, "[0.00 25.00 50.00]", "[0 20 40]"},
		{-9.302, 100.589, "[0 50 100]", "[0 50 100]"},
		{99, 101, "[99 100 101]", "[99.0 99.5 100.0 100.5 101.0]"},
		{-1, 1, "[-1 0 1]", "[−1.0 −0.5 0.0 0.5 1.0]"},
		{1389.9, 71038.7, "[10000 40000 70000]", "[20000 40000 60000]"},
		{2e6, 9e6, "[3000000 6000000 9000000]", "[2000000 4000000 6000000 8000000]"},
	} {
		if got := labels(tt.lo, tt.hi, false); got != tt.want {
			t.Errorf("%g to %g: %s, want %s, where gonum/plot has %s", tt.lo, tt.hi, got, tt.want, tt.gonum)
		}
	}
	if got := labels(0, 1.12, true); got != "[0 1]" {
		t.Errorf("counts to 1: %s, want whole numbers", got)
	}
}

// TestValueTicksOfAnyRange: an axis has two to six labels, all of them on it and in order.
func TestValueTicksOfAnyRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 20_000 {
		lo := rng.NormFloat64() * math.Pow(10, 6*rng.Float64()-3)
		hi := lo + math.Pow(10, 6*rng.Float64()-3)
		ticks := valueTicks(lo, hi, false, identity)
		if len(ticks) < 2 || len(ticks) > 6 {
			t.Fatalf("%g to %g: %d labels %v", lo, hi, len(ticks), ticks)
		}
		for i, tick := range ticks {
			inside := lo <= tick.At && tick.At <= hi
			if !inside || i > 0 && (tick.At <= ticks[i-1].At || tick.Label == ticks[i-1].Label) {
				t.Fatalf("%g to %g: label %d of %v", lo, hi, i, ticks)
			}
		}
	}
	if n := len(valueTicks(1, math.Nextafter(1, 2), false, identity)); n > 6 { // beyond what labels can tell apart
		t.Errorf("%d labels", n)
	}
}

// TestEpochsPerTick: epochs have the smallest round step that needs eight labels at most.
func TestEpochsPerTick(t *testing.T) {
	wants := map[float64]int{1: 1, 7: 1, 8: 2, 14: 2, 15: 5, 35: 5, 36: 10, 70: 10, 71: 20, 350: 50, 700: 100}
	for span, want := range wants {
		if got := epochsPerTick(span); got != want {
			t.Errorf("%g epochs: a label every %d, want %d", span, got, want)
		}
	}
}

package evaluate

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

func TestEdgeOverlap(t *testing.T) {
	base := []int32{0, 1, 2, 3, 4, 5}
	for name, c := range map[string]struct {
		other []int32
		want  float64
	}{
		"itself":            {base, 1},
		"rotated":           {[]int32{3, 4, 5, 0, 1, 2}, 1},
		"reversed":          {[]int32{5, 4, 3, 2, 1, 0}, 1},
		"one 2-opt move":    {[]int32{0, 1, 4, 3, 2, 5}, 4.0 / 6},
		"nothing in common": {[]int32{0, 2, 4, 1, 5, 3}, 0},
	} {
		if got := EdgeOverlap(base, c.other); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: overlap %.4f, want %.4f", name, got, c.want)
		}
		if a, b := EdgeOverlap(base, c.other), EdgeOverlap(c.other, base); a != b {
			t.Errorf("%s: %.4f one way, %.4f the other", name, a, b)
		}
	}
	o := overlaps([][]int32{base, base}, [][]int32{base, {0, 1, 4, 3, 2, 5}}, 1)
	if math.Abs(o.Mean-5.0/6) > 1e-12 || o.Identical != 0.5 || math.Abs(o.Std-math.Sqrt(2)/6) > 1e-12 ||
		math.Abs(o.CI.Lo-4.0/6) > 1e-12 || math.Abs(o.CI.Hi-1) > 1e-12 {
		t.Errorf("summary of overlaps %+v", o)
	}
}

// line is a shard of one tour 0..4 on a line, where the teacher once skips the nearest node.
func line() *rollout.Shard {
	return &rollout.Shard{
		Problem: routing.TSP, N: 5,
		Coords:     dense.Of([]float32{0, 0, 0.1, 0, 0.3, 0, 0.6, 0, 1, 0}, 1, 5, 2),
		InstanceOf: []int32{0},
		Actions:    []int32{0, 1, 3, 2, 4},
		Traj:       []int32{0, 0, 0},
		Step:       []int32{1, 2, 3},
		Offset:     []int64{0, 4, 7, 9},
		Candidates: []uint16{1, 2, 3, 4, 2, 3, 4, 2, 4},
		Probs:      dense.Vector([]float32{0.9, 0.1, 0, 0, 0.2, 0.8, 0, 0.7, 0.3}),
	}
}

func TestActivate(t *testing.T) {
	a := activate(line(), []string{"near", "skip"}, Decided{
		Firsts: [][]int32{{0, 0, 0}, {0, 1, 1}}, Leaders: []int32{0, 1, 0},
		Weights: []float32{0.8, 0.2, 0.3, 0.7, 0.6, 0.4},
	})
	if a.States != 3 || a.Deviations != 1 {
		t.Fatalf("%d states, %d deviations, want 3 and 1", a.States, a.Deviations)
	}
	near, skip := a.Heuristics[0], a.Heuristics[1]
	if math.Abs(near.MeanWeight-1.7/3) > 1e-6 || math.Abs(near.Dominant-2.0/3) > 1e-12 || near.Deviations != 0 {
		t.Errorf("near: %+v", near)
	}
	if skip.Deviations != 1 || skip.DeviationsSolved != 1 {
		t.Errorf("skip dominates %d deviations and solves %d, want 1 and 1", skip.Deviations, skip.DeviationsSolved)
	}
	if math.Abs(near.DeviationWeight-0.3) > 1e-6 || math.Abs(skip.DeviationWeight-0.7) > 1e-6 {
		t.Errorf("weights on the deviation %v and %v, want 0.3 and 0.7", near.DeviationWeight, skip.DeviationWeight)
	}
	if math.Abs(near.ByProgress[0]-0.8) > 1e-6 || math.Abs(near.ByProgress[3]-0.3) > 1e-6 ||
		math.Abs(near.ByProgress[6]-0.6) > 1e-6 {
		t.Errorf("near by progress %v", near.ByProgress)
	}
	if led := [ProgressBins]float64{0: 1, 6: 1}; near.LedByProgress != led {
		t.Errorf("near leads by progress %v, want %v", near.LedByProgress, led)
	}
}

// In CVRP the stages are those of a route: both routes of the solution begin in the first.
func TestActivateByRoute(t *testing.T) {
	sh := &rollout.Shard{
		Problem: routing.CVRP, N: 5, Capacity: []int32{20},
		Coords:     dense.Of([]float32{0, 0, 0.1, 0, 0.3, 0, 0.6, 0, 1, 0}, 1, 5, 2),
		Demand:     dense.Of([]int32{0, 5, 13, 9, 4}, 1, 5),
		InstanceOf: []int32{0},
		Actions:    []int32{1, 2, 0, 3, 4, 0}, ActionOffset: []int64{0, 6},
		Traj: []int32{0, 0, 0, 0}, Step: []int32{0, 1, 3, 4}, Remaining: []int32{20, 15, 20, 11},
		Offset:     []int64{0, 2, 4, 6, 8},
		Candidates: []uint16{1, 2, 0, 2, 3, 4, 0, 4},
		Probs:      dense.Vector([]float32{1, 0, 0, 1, 1, 0, 0, 1}),
	}
	got := activate(sh, []string{"a"}, Decided{
		Firsts: [][]int32{{0, 0, 0, 0}}, Leaders: []int32{0, 0, 0, 0}, Weights: []float32{0.1, 0.2, 0.3, 0.4},
	}).Heuristics[0].ByProgress
	want := [ProgressBins]float64{0: 0.2, 2: 0.2, 4: 0.4}
	for b := range want {
		if math.Abs(got[b]-want[b]) > 1e-6 {
			t.Errorf("stage %d: %v, want %v", b, got[b], want[b])
		}
	}
}

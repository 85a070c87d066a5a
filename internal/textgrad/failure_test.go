package textgrad_test

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/textgrad"
)

// square returns one state: from (0,0) to three candidates. The tour started one step before at (0,1).
//
//	start 0 (0,1)   2 (1,1)
//	current 1 (0,0) 3 (1,0)   4 (0.5,0)
func square() (*rollout.Shard, []float32) {
	sh := &rollout.Shard{
		Problem: routing.TSP, N: 5,
		Coords:     dense.Of([]float32{0, 1, 0, 0, 1, 1, 1, 0, 0.5, 0}, 1, 5, 2),
		InstanceOf: []int32{0}, Actions: []int32{0, 1, 4, 3, 2},
		Traj: []int32{0}, Step: []int32{2}, Offset: []int64{0, 3},
		Candidates: []uint16{2, 3, 4},
		Probs:      dense.Vector([]float32{0.125, 0.125, 0.75}),
	}
	return sh, []float32{0.25, 0.625, 0.125}
}

func TestNewFailure(t *testing.T) {
	sh, Vm := square()
	f := textgrad.NewFailure(sh, 0, Vm)

	if f.Step != 2 || f.N != 5 || f.K != 3 || f.Rank != 3 || f.Done() != 40 {
		t.Errorf("step %d of %d, K %d, rank %d, %d %% done", f.Step, f.N, f.K, f.Rank, f.Done())
	}
	kl := 0.125*math.Log(0.125/0.25) + 0.125*math.Log(0.125/0.625) + 0.75*math.Log(0.75/0.125)
	near(t, "KL", f.KL, kl)
	near(t, "centroid x", f.Centroid.X, 2.5/3)
	near(t, "centroid y", f.Centroid.Y, 1.0/3)

	wrong, right := f.Heuristic[0], f.Teacher[0]
	if wrong.Pos != (textgrad.Point{X: 1, Y: 0}) || right.Pos != (textgrad.Point{X: 0.5, Y: 0}) {
		t.Fatalf("program prefers %v, teacher %v", wrong.Pos, right.Pos)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"p program", right.PHeuristic, 0.125},
		{"p teacher", right.PTeacher, 0.75},
		{"distance", right.Distance, 0.5},
		{"isolation", right.Isolation, 0.5},
		{"to start", right.ToStart, math.Sqrt(1.25)},
		{"closing", right.Closing, 0.5 + math.Sqrt(1.25)},
		{"two-step", right.TwoStep, 0.5 + 0.5 + math.Sqrt2},
		{"completion", right.Completion, 0.5 + 0.5 + 1 + 1},
		{"wrong completion", wrong.Completion, 1 + 0.5 + math.Sqrt(1.25) + 1},
	} {
		near(t, c.name, c.got, c.want)
	}
	// Both other candidates have the teacher's 0.125; the lower node comes first.
	if f.Teacher[1].Pos != (textgrad.Point{X: 1, Y: 1}) {
		t.Errorf("teacher's second choice at %v", f.Teacher[1].Pos)
	}
	if len(f.Nearest) != 3 || f.Nearest[0].Distance != 0.5 || f.Nearest[2].Distance <= f.Nearest[1].Distance {
		t.Errorf("nearest %+v", f.Nearest)
	}
}

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

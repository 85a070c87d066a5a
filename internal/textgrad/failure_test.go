package textgrad_test

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evidence"
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

	if f.Step != 2 || f.N != 5 || f.K != 3 || f.Rank != 3 {
		t.Errorf("step %d of %d, K %d, rank %d", f.Step, f.N, f.K, f.Rank)
	}

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
		{"to centroid", right.ToCentroid, math.Hypot(1.0/3, 1.0/3)}, // of (5/6, 1/3)
		{"two-step", right.TwoStep, 0.5 + 0.5 + math.Sqrt2},
		{"wrong two-step", wrong.TwoStep, 1 + 0.5 + math.Sqrt(1.25)},
		{"visited x", f.Visited.Centroid.X, 0},
		{"visited y", f.Visited.Centroid.Y, 0.5},
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

// The candidates are listed with whose choice they are: the tour goes on from 4 to 3 and 2.
func TestFailureListsTheCandidates(t *testing.T) {
	sh, Vm := square()
	f := textgrad.NewFailure(sh, 0, Vm)
	const spots = ".50 .00 (teacher 1); 1.00 .00 (program 1, then 1); 1.00 1.00 (program 2, teacher 2, then 2)"
	if got := f.Spots(); got != spots {
		t.Errorf("candidates %s, want %s", got, spots)
	}
	const way = "(1.000, 0.000), (1.000, 1.000)"
	if f.Way() != way || f.Unlisted() != 0 || f.Visited.Count != 2 {
		t.Errorf("way %q, want %q; %d unlisted, %d visited", f.Way(), way, f.Unlisted(), f.Visited.Count)
	}
	// Where the solution goes another way, the teacher's next choices are not known.
	sh.Actions = []int32{0, 1, 3, 4, 2}
	if f := textgrad.NewFailure(sh, 0, Vm); len(f.Path) != 0 {
		t.Errorf("next choices %v of a teacher that was not followed", f.Path)
	}
}

// Beside features a second choice of less than a hundredth is neither in the table of choices nor marked in the list.
func TestNegligibleSecondChoices(t *testing.T) {
	sh, _ := square()
	sh.Probs = dense.Vector([]float32{0.009, 0.001, 0.99})
	f := textgrad.NewFailure(sh, 0, []float32{0.004, 0.99, 0.006})
	if got := len(f.Choices()); got != 3 {
		t.Errorf("%d choices without features, want 3", got)
	}
	f.Features = []evidence.Contrast{{Name: "missed"}}
	const spots = ".50 .00 (teacher 1); 1.00 .00 (program 1, then 1); 1.00 1.00 (then 2)"
	if got := f.Spots(); got != spots || len(f.Choices()) != 2 {
		t.Errorf("candidates %s, want %s; choices %+v", got, spots, f.Choices())
	}
}

// Of many candidates the nearest are listed, and those that somebody takes.
func TestFailureListsAFewOfMany(t *testing.T) {
	const N = 102
	sh := &rollout.Shard{
		Problem: routing.TSP, N: N, InstanceOf: []int32{0}, Traj: []int32{0}, Step: []int32{1},
		Offset: []int64{0, N - 1},
	}
	var coords []float32
	Vm := make([]float32, N-1)
	for i := range N { // on a line, nearest first; the tour runs back from the far end
		coords = append(coords, float32(i)/N, 0)
		sh.Actions = append(sh.Actions, int32((N-i)%N))
		if i > 0 {
			sh.Candidates = append(sh.Candidates, uint16(i))
		}
	}
	Pi := make([]float32, N-1)
	Pi[N-2], Pi[50], Vm[0], Vm[1] = 0.9, 0.1, 0.9, 0.1
	sh.Coords, sh.Probs = dense.Of(coords, 1, N, 2), dense.Vector(Pi)
	f := textgrad.NewFailure(sh, 0, Vm)
	if len(f.Nearest) != 40+1+1+5 || f.Unlisted() != N-1-47 {
		t.Errorf("%d candidates listed, %d not: want the 40 nearest, the teacher's two and its next five",
			len(f.Nearest), f.Unlisted())
	}
	if f.Nearest[46].Pos != f.Teacher[0].Pos || f.Nearest[45].Mark != "then 1" {
		t.Errorf("the farthest are %+v and %+v", f.Nearest[46], f.Nearest[45])
	}
}

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

package runtime_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// TestInstanceIsReadOnly: a program writes something to the instance for later states, and restores the instance in the
// last one. It must crash at the first write.
func TestInstanceIsReadOnly(t *testing.T) {
	for _, c := range []struct{ name, sdk, what string }{
		{"TSP, distances", "tsp", "s.Row(0)"},
		{"TSP, last distance", "tsp", "s.Row(36)[36:]"},
		{"TSP, coordinates", "tsp", "s.X"},
		{"CVRP, distances", "cvrp", "s.Row(0)"},
		{"CVRP, coordinates", "cvrp", "s.Y[36:]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, in(c.sdk, `
	shown := `+c.what+`
	switch s.K() {
	case 35:
		shown[0]++
	case 33:
		shown[0]--
	}
	score[0] = shown[0]`))
			g := start(t, m)
			defer g.Close()
			inst := tsp.Generate(37, 1, 1)[0]
			if c.sdk == "cvrp" {
				inst = cvrp.Generate(36, 1, 1)[0]
			}
			if err := g.SetInstance(&inst); err != nil {
				t.Fatal(err)
			}
			st := runtime.States{Offset: []int{0}, WaitingOffset: []int{0}}
			for k := 36; k >= 32; k-- {
				for c := 37 - k; c < 37; c++ {
					st.Candidates, st.Waiting = append(st.Candidates, uint16(c)), append(st.Waiting, uint16(c))
				}
				st.Add(0, int32(36-k), int32(37-k))
				st.Remaining = append(st.Remaining, inst.Capacity)
				st.WaitingOffset = append(st.WaitingOffset, len(st.Waiting))
			}
			err := g.Score(t.Context(), &st, make([]float32, len(st.Candidates)))
			var crash *runtime.Crash
			if !errors.As(err, &crash) || crash.Kind != runtime.Inputs || crash.State != 1 {
				t.Errorf("got %v, want a crash of kind inputs in state 1", err)
			}
		})
	}
}

// TestWritesAndTraps makes thousands of forbidden writes while the garbage collector runs and sound guests work. Each
// write must be told from a crash.
func TestWritesAndTraps(t *testing.T) {
	m, sh := load(t, program("\tif s.Step == 5 {\n\t\ts.Row(0)[1] = 2\n\t}\n"+nearest)), record(t, 12, 9)
	well := load(t, program(nearest))
	for range 100 {
		var crash *runtime.Crash
		if _, err := m.ScoreShard(t.Context(), sh); !errors.As(err, &crash) || crash.Kind != runtime.Inputs {
			t.Fatalf("got %v, want a crash of kind inputs", err)
		}
		if _, err := well.ScoreShard(t.Context(), sh); err != nil {
			t.Fatal(err)
		}
	}
}

// TestScoresAreBounded: finite scores beyond the bound would make a gradient infinite later.
func TestScoresAreBounded(t *testing.T) {
	inst := tsp.Generate(3, 1, 1)[0]
	for _, c := range []struct {
		score string
		kind  runtime.Kind
	}{
		{"1e30", ""}, {"-1e30", ""}, {"1.1e30", runtime.TooLarge}, {"-3.4e38", runtime.TooLarge},
		{"1e30 / (score[0] * 0)", runtime.NonFinite},
	} {
		m := load(t, program("\tscore[1] = "+c.score))
		g := start(t, m)
		defer g.Close()
		if err := g.SetInstance(&inst); err != nil {
			t.Fatal(err)
		}
		st := &runtime.States{
			First: []int32{0}, Current: []int32{0}, Step: []int32{1}, Offset: []int{0, 2}, Candidates: []uint16{1, 2},
		}
		var crash *runtime.Crash
		err := g.Score(t.Context(), st, make([]float32, 2))
		if crashKind(err) != c.kind || errors.As(err, &crash) && crash.State != 0 {
			t.Errorf("score %s: got %v, want kind %q in state 0", c.score, err, c.kind)
		}
	}
}

// TestNothingIsCarriedByMeasures: what a program asked for in one state makes no difference to what it gets in the
// next, which has fewer candidates.
func TestNothingIsCarriedByMeasures(t *testing.T) {
	const sum = `
	for k := range s.Candidates {
		score[k] = s.Crowd(k, 2) + s.LeftBehind(k) + s.Gap(k) + s.Angle(k) + s.VisitedCrowd(k, 2) + s.Tip(k, 1.5) +
			s.HomeRight(k) + s.RightHere(k, 2) + s.Outlying(k) + s.Rank(k) + s.Cut(k) + s.BehindNear(k, 2)
	}
`
	inst := tsp.Generate(9, 1, 1)[0]
	st := &runtime.States{
		First: []int32{0, 0}, Current: []int32{1, 2}, Step: []int32{2, 3}, Offset: []int{0, 7, 13},
		Candidates: []uint16{2, 3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8},
	}
	var scores [2][]float32
	for i, source := range []string{sum, `
	if s.K() == 7 {
		for r := range 9 {
			score[0] += s.Crowd(2, float32(r)) + s.Tip(2, float32(r)) + s.MostSkip()
		}
		return
	}` + sum} {
		g := start(t, load(t, program(source)))
		defer g.Close()
		if err := g.SetInstance(&inst); err != nil {
			t.Fatal(err)
		}
		scores[i] = make([]float32, 13)
		if err := g.Score(t.Context(), st, scores[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(scores[0][7:], scores[1][7:]) {
		t.Errorf("the second state has scores %v, want %v", scores[1][7:], scores[0][7:])
	}
}

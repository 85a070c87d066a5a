package evaluate

import (
	"errors"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/ranker"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// ranked fits a small ranker to the nearest neighbour.
func ranked(t *testing.T, problem routing.Problem, hidden int) Ranked {
	t.Helper()
	insts := problems.Must(problem).Generate(9, 30, 1)
	sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := ranker.NewTable(t.Context(), sh, sdk.ClassLocal, memory.MostFeatures)
	if err != nil {
		t.Fatal(err)
	}
	n, err := ranker.Fit(t.Context(), data, ranker.Config{Hidden: hidden, Epochs: 3, LR: 1e-2, Batch: 64, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Ranked{Label: "ranker", Ranker: n}
}

// A ranker that solves instances sees the same features as one that is measured on stored states: it agrees with its
// own recorded solutions everywhere.
func TestRankedDecidesAsItIsMeasured(t *testing.T) {
	for _, problem := range []routing.Problem{routing.TSP, routing.CVRP} {
		for _, hidden := range []int{0, 8} {
			r := ranked(t, problem, hidden)
			r.Start = "lowest"
			insts := problems.Must(problem).Generate(9, 10, 2)
			sh, err := rollout.Record(t.Context(), r, insts, routing.SingleRun, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ranker.Measure(t.Context(), r.Ranker, sh)
			if err != nil {
				t.Fatal(err)
			}
			if got.Top1 != 1 || got.Loss > 1e-5 || got.States == 0 {
				t.Errorf("%s, %d hidden units: %+v of its own solutions, want top-1 of 1 and no loss",
					problem, hidden, got)
			}
		}
	}
}

// Compare gives every rival a row with its top-1, from the same starts as the student's, before the classics.
func TestCompareWithRivals(t *testing.T) {
	r := ranked(t, routing.TSP, 0)
	insts := problems.Must(routing.TSP).Generate(9, 10, 2)
	teacher := []string{problems.NearestNeighbour{}.Name()}
	var told []string // the rows so far
	c, err := Compare(t.Context(), insts, problems.NearestNeighbour{}, nil, Options{
		Modes: []Mode{Greedy}, Baselines: true,
		Rivals: func() ([]Rival, error) {
			if !slices.Equal(told, teacher) {
				t.Errorf("rivals were asked for after the rows %q, want %q", told, teacher)
			}
			return []Rival{{Name: "ranker", Role: RoleRanker, Policy: r, Fidelity: ranker.Fidelity{Top1: 0.5}}}, nil
		},
		Row: func(row Row) { told = append(told, row.Name) },
	})
	if err != nil {
		t.Fatal(err)
	}
	row := c.Table.Rows[1]
	if row.Name != "ranker" || row.Kind != KindBaseline || row.Role != RoleRanker || row.Top1 == nil ||
		*row.Top1 != 0.5 || row.Greedy == nil {
		t.Errorf("the second row is %+v, want the rival's", row)
	}
	if c.Table.Rows[2].Name != "nearest neighbour" {
		t.Errorf("the third row is %q, want the first of the classics", c.Table.Rows[2].Name)
	}
	if got, want := c.Tours[1][Greedy].Starts(), c.Tours[0][Greedy].Starts(); !slices.Equal(got, want) {
		t.Errorf("the rival begins at %v, want the teacher's starts %v", got, want)
	}
	if len(told) != len(c.Table.Rows) {
		t.Errorf("%d rows were told of %d", len(told), len(c.Table.Rows))
	}
	broken := errors.New("broken")
	if _, err := Compare(t.Context(), insts, problems.NearestNeighbour{}, nil, Options{
		Modes: []Mode{Greedy}, Rivals: func() ([]Rival, error) { return nil, broken },
	}); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the rivals", err)
	}
	if _, err := Compare(t.Context(), insts, r, nil, Options{Modes: []Mode{Greedy}}); err == nil {
		t.Error("a ranker without a start rule chose its own start")
	}
	r.Start = "lowest"
	if _, err := Compare(t.Context(), insts, r, nil, Options{Modes: []Mode{Greedy}}); err != nil {
		t.Error(err)
	}
}

// Rivals are fitted to the teacher's decisions, and the teacher is asked about the states that a tree reaches itself.
func TestFitRivals(t *testing.T) {
	for _, problem := range []routing.Problem{routing.TSP, routing.CVRP} {
		teacher := problems.NearestNeighbour{}
		record := func(count int, seed uint64) *rollout.Shard {
			insts := problems.Must(problem).Generate(9, count, seed)
			sh, err := rollout.Record(t.Context(), teacher, insts, routing.SingleRun, nil)
			if err != nil {
				t.Fatal(err)
			}
			return sh
		}
		asked := &counted{Policy: teacher}
		rivals, err := FitRivals(t.Context(), asked, record(150, 1), record(20, 2), "lowest",
			RivalConfig{Seed: 1, Leaves: 12, Class: sdk.ClassLocal}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if asked.decoders == 0 {
			t.Error("nobody asked the teacher about the tree's states")
		}
		var names []string
		var roles []Role
		for _, r := range rivals {
			roles = append(roles, r.Role)
			if names = append(names, r.Name); r.Fidelity.Top1 < 0.85 || r.Parameters < 1 || r.Policy.Name() != r.Name {
				t.Errorf("%s: %+v, want top-1 of 0.85", problem, r)
			}
		}
		want := []string{"linear scorer, all features", "neural ranker, same features", "decision tree, 12 leaves"}
		if !slices.Equal(names, want) {
			t.Errorf("%q, want %q", names, want)
		}
		if want := []Role{RoleScorer, RoleRanker, RoleTree}; !slices.Equal(roles, want) {
			t.Errorf("roles %q, want %q", roles, want)
		}
	}
}

// counted counts the decoders that a policy is asked for.
type counted struct {
	routing.Policy
	decoders int
}

func (c *counted) Decoder() (routing.Decoder, error) {
	c.decoders++
	return c.Policy.Decoder()
}

// The best single program is the one of the lowest greedy cost, and stands before the baselines.
func TestWithBestProgram(t *testing.T) {
	cost := func(mean float64) *Costing { return &Costing{Cost: bootstrap.Summary{Mean: mean}} }
	table := Table{Rows: []Row{
		{Name: "teacher", Kind: KindTeacher, Greedy: cost(1)}, {Name: "a", Kind: KindHeuristic, Greedy: cost(3)},
		{Name: "b", Kind: KindHeuristic, Greedy: cost(2)}, {Name: "nearest", Kind: KindBaseline, Greedy: cost(1.5)},
	}}
	with := table.WithBestProgram()
	if len(table.Rows) != 4 || len(with.Rows) != 5 {
		t.Fatalf("%d rows became %d, want 4 and 5", len(table.Rows), len(with.Rows))
	}
	if r := with.Rows[3]; r.Name != "best single program" || r.Greedy.Cost.Mean != 2 || r.Kind != KindBaseline ||
		r.Role != RoleBestProgram {
		t.Errorf("row 3 is %+v, want the best program's", r)
	}
	none := Table{Rows: table.Rows[3:]}
	if got := none.WithBestProgram(); len(got.Rows) != 1 {
		t.Errorf("%d rows without programs, want 1", len(got.Rows))
	}
}

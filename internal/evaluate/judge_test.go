package evaluate

import (
	"math"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// scored returns the states of nearest-neighbour tours and a bank of near, left and right with their scores on them.
func scored(t *testing.T) (*bank.Bank, student.Dataset) {
	t.Helper()
	sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, tsp.Generate(12, 8, 1), routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{{Name: "near", TauH: 0.03}, {Name: "left", TauH: 0.1}, {Name: "right", TauH: 0.1}}}
	scores := make([][]float32, 3)
	for s := range sh.States() {
		st := sh.State(s)
		in := sh.Instance(int(sh.InstanceOf[st.Traj]))
		for _, c := range st.Candidates {
			x, _ := in.XY(int(c))
			for m, score := range []float64{-in.Dist(st.Current, int(c)), -float64(x), float64(x)} {
				scores[m] = append(scores[m], float32(score))
			}
		}
	}
	set := student.Dataset{Shard: sh}
	for _, c := range scores {
		set.Scores = append(set.Scores, dense.Vector(c))
	}
	return b, set
}

func TestJudgeWithRouter(t *testing.T) {
	b, set := scored(t)
	model := student.New(student.Config{D: 32, Layers: 1, Heads: 4, FF: 32}, 3)
	got, err := Judge(t.Context(), b, set, model)
	if err != nil {
		t.Fatal(err)
	}
	want, err := student.Evaluate(t.Context(), model, []student.Dataset{set}, b.TauH())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"coverage", got.Coverage, want.Coverage}, {"top-1", got.Top1, want.Top1}, {"loss", got.Loss, want.Loss},
		{"top-1 of left", got.Programs[1].Top1, want.Heuristics[1].Top1},
	} {
		if math.Abs(c.got-c.want) > 1e-4 {
			t.Errorf("%s %v, the student's own evaluation says %v", c.name, c.got, c.want)
		}
	}
}

// A program that gives several candidates its largest score does not decide.
func TestJudgeTies(t *testing.T) {
	_, set := scored(t)
	sh := set.Shard
	nothing, half := make([]float32, len(sh.Candidates)), make([]float32, len(sh.Candidates))
	for s := 0; s < sh.States(); s += 2 {
		half[sh.Offset[s]] = 1
	}
	set.Scores = []*tensor.Dense{set.Scores[0], dense.Vector(nothing), dense.Vector(half)}
	b := &bank.Bank{Heuristics: []bank.Heuristic{{Name: "near", TauH: 0.1}, {Name: "nothing", TauH: 0.1},
		{Name: "half", TauH: 0.1}}}
	got, err := Judge(t.Context(), b, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0, 1, float64(sh.States()/2) / float64(sh.States())}
	for m, p := range got.Programs {
		if p.Tied != want[m] {
			t.Errorf("%s ties in %v of the states, want %v", p.Name, p.Tied, want[m])
		}
	}
}

func TestJudgeEvenly(t *testing.T) {
	b, set := scored(t)
	got, err := Judge(t.Context(), b, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	sh := set.Shard
	near := agreement.Of(sh, set.Scores[0], 0.03)
	if near.Hits.Len() != sh.States() || got.Coverage != 1 || got.Programs[0].Top1 != 1 {
		t.Fatalf("near covers %d of %d states, coverage %v: it should be its own teacher",
			near.Hits.Len(), sh.States(), got.Coverage)
	}
	alone := 0
	for s := range sh.States() {
		left, right := agreement.Of(sh, set.Scores[1], 0.1).Hits, agreement.Of(sh, set.Scores[2], 0.1).Hits
		if !left.Has(s) && !right.Has(s) {
			alone++
		}
	}
	kl := 0.0
	for _, v := range near.KL {
		kl += float64(v) / float64(sh.States())
	}
	if p := got.Programs[0]; math.Abs(p.KL-kl) > 1e-9 || p.TauH != 0.03 ||
		p.FitTauH != agreement.FitTauH(sh, set.Scores[0], nil) {
		t.Errorf("near: %+v, want a mean KL of %v, and the τ_h that fits beside its own", p, kl)
	}
	if got.Programs[0].Unique != alone || got.Programs[1].Unique != 0 {
		t.Errorf("near alone covers %d states, want %d; left alone %d, want 0",
			got.Programs[0].Unique, alone, got.Programs[1].Unique)
	}

	pair := func(a, c int) (*bank.Bank, student.Dataset) {
		return &bank.Bank{Heuristics: []bank.Heuristic{b.Heuristics[a], b.Heuristics[c]}},
			student.Dataset{Shard: sh, Scores: []*tensor.Dense{set.Scores[a], set.Scores[c]}}
	}
	for m, rest := range [][2]int{{1, 2}, {0, 2}, {0, 1}} {
		b, set := pair(rest[0], rest[1])
		without, err := Judge(t.Context(), b, set, nil)
		if err != nil {
			t.Fatal(err)
		}
		if rise := without.Loss - got.Loss; math.Abs(rise-got.Programs[m].Without) > 1e-6 {
			t.Errorf("without %s the loss rises by %v, reported %v",
				got.Programs[m].Name, rise, got.Programs[m].Without)
		}
	}
	if _, err := Judge(t.Context(), &bank.Bank{}, student.Dataset{Shard: sh}, nil); err == nil {
		t.Error("an empty bank was judged")
	}
}

package evidence

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// line is one state: from 0 at the origin, where the tour starts, to 1 at (0.1, 0), 2 at (0.5, 0) and 3 at (1, 0).
func line() *rollout.Shard {
	return &rollout.Shard{
		Problem: routing.TSP, Teacher: "by hand", N: 4,
		Coords:     dense.Of([]float32{0, 0, 0.1, 0, 0.5, 0, 1, 0}, 1, 4, 2),
		InstanceOf: []int32{0}, Actions: []int32{0, 3, 2, 1}, StartProbs: dense.Of([]float32{1, 0, 0, 0}, 1, 4),
		Traj: []int32{0}, Step: []int32{1}, Offset: []int64{0, 3},
		Candidates: []uint16{1, 2, 3}, Probs: dense.Vector([]float32{0, 0, 1}),
	}
}

func set(t *testing.T) *features.Set {
	t.Helper()
	set, ok := features.Of(routing.TSP, routing.Full, sdk.ClassLocal)
	if !ok {
		t.Fatal("the TSP has no features")
	}
	return set
}

func TestContrasts(t *testing.T) {
	all, err := Contrasts(set(t), line(), 0, 0, 2, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		if slices.ContainsFunc(all[:i], c.alike) {
			t.Errorf("%+v tells the two apart as another feature does", c)
		}
		if i > 0 && math.Abs(c.Spreads) > math.Abs(all[i-1].Spreads) {
			t.Errorf("%+v comes after %+v", c, all[i-1])
		}
		if c.Name != "distance" {
			continue
		}
		// 0.1, 0.5 and 1 in units of 0.35 have a standard deviation of 0.3682/0.35.
		if math.Abs(c.Program-0.1/0.35) > 1e-5 || math.Abs(c.Teacher-1/0.35) > 1e-5 ||
			math.Abs(c.Spreads-0.9/0.36818) > 1e-3 {
			t.Errorf("distance %+v", c)
		}
	}
	if few, err := Contrasts(set(t), line(), 0, 0, 2, 3); err != nil || len(few) != 3 || few[0] != all[0] {
		t.Errorf("the first three of %+v are %+v (%v)", all[:3], few, err)
	}
}

// The slope is the derivative of the loss by the term's weight, by finite differences.
func TestMeterTellsTheDerivative(t *testing.T) {
	const tauH = 0.5
	sh := line()
	scores := []float64{1, 0.8, 0.2} // prefers the nearest
	loss := func(add []float64) float64 {
		sum := 0.0
		for k := range scores {
			sum += math.Exp((scores[k] + add[k]) / tauH)
		}
		return math.Log(sum) - (scores[2]+add[2])/tauH // the teacher takes the last one for certain
	}
	grad := make([]float32, 3)
	for k := range grad {
		h := make([]float64, 3)
		h[k] = 1e-5
		up := loss(h)
		h[k] = -1e-5
		grad[k] = float32((up - loss(h)) / 2e-5 * tauH)
	}
	m := NewMeter(set(t))
	if err := m.Add(sh, []int32{0}, grad); err != nil {
		t.Fatal(err)
	}
	changes := m.Changes("", 1000)
	found := false
	for _, c := range changes {
		if c.Name != "distance" {
			continue
		}
		found = true
		unit, w := 0.368179, 1e-4
		term := func(w float64) []float64 {
			return []float64{w * tauH * 0.1 / unit, w * tauH * 0.5 / unit, w * tauH * 1 / unit}
		}
		if want := (loss(term(w)) - loss(term(-w))) / (2 * w); math.Abs(c.Slope-want) > 1e-3 || want > -1 {
			t.Errorf("slope of distance %v, want %v: the teacher takes the farthest", c.Slope, want)
		}
	}
	if !found {
		t.Fatalf("no distance among %+v", changes)
	}
	for i := range changes {
		if i > 0 && changes[i].Slope < changes[i-1].Slope {
			t.Errorf("%+v after %+v", changes[i], changes[i-1])
		}
	}
	if few := m.Changes("", 2); len(few) > 4 || few[0] != changes[0] || few[len(few)-1] != changes[len(changes)-1] {
		t.Errorf("the two best each way of %+v are %+v", changes, few)
	}
}

// A program is told of features that it does not use.
func TestUses(t *testing.T) {
	const source = "score[k] = -s.Distance(k) + late * s.Progress()*s.Isolation(k) - s.RightHere(k, 1)"
	for call, want := range map[string]bool{
		"s.Distance(k)": true, "s.DistanceSquared(k)": false, "s.Isolation(k)": true,
		"s.Progress() * s.Isolation(k)": true, "s.Progress() * s.Distance(k)": false,
		"s.RightHere(k, 1)": true, "s.RightHere(k, 2)": false,
	} {
		if uses(source, call) != want {
			t.Errorf("uses %s: %v, want %v", call, !want, want)
		}
	}
}

func TestTerms(t *testing.T) {
	const source = `package two

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers near cities that lie alone.
func Score(s *tsp.State, score []float32) {
	const near = 2.0  // price of the distance
	const alone = 0.5 // bonus of isolation
	const until = 0.9 // share of the way until which the last unit counts
	for k := range s.Candidates {
		score[k] = -near*s.Distance(k) + alone*s.Isolation(k)
		if s.Progress() < until {
			score[k] += 1
		}
	}
}
`
	tools := compiletest.Toolchain(t)
	m, err := runtime.Admit(t.Context(), tools, "two", source)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	// Two instances: the state is the second one's.
	sh, err := rollout.Concat(line(), line())
	if err != nil {
		t.Fatal(err)
	}
	terms, score, err := Terms(t.Context(), m, source, sh, 1, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []Term{
		{"near", -2 * 0.1 / 0.35, -2 * 1 / 0.35},
		{"alone", 0.5 * 0.4 / 0.35, 0.5 * 0.5 / 0.35},
	}
	if len(terms) != len(want) {
		t.Fatalf("terms %+v, want %+v: a threshold is none", terms, want)
	}
	total := want[0].Program + want[1].Program + 1
	if math.Abs(score.Total.Program-total) > 1e-4 || math.Abs(score.Rest.Program-1) > 1e-4 ||
		math.Abs(score.Rest.Teacher-1) > 1e-4 {
		t.Errorf("scores %+v, want %v of which 1 is no weight's", score, total)
	}
	for i, got := range terms {
		w := want[i]
		if got.Name != w.Name || math.Abs(got.Program-w.Program) > 1e-4 ||
			math.Abs(got.Teacher-w.Teacher) > 1e-4 {
			t.Errorf("term %+v, want %+v", got, w)
		}
	}
}

// A weight that a program divides by is no term. It keeps its value, without which the program would crash.
func TestTermsOfAProgramThatNeedsItsWeight(t *testing.T) {
	const source = `package narrow

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers near cities.
func Score(s *tsp.State, score []float32) {
	const width = 2.0 // of the neighbourhood
	const lonely = 0.5 // bonus of a lonely city
	for k := range s.Candidates {
		score[k] = -s.Distance(k)/width + lonely*s.Isolation(k)
	}
}
`
	m, err := runtime.Admit(t.Context(), compiletest.Toolchain(t), "narrow", source)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	terms, score, err := Terms(t.Context(), m, source, line(), 0, 0, 2)
	if err != nil || len(terms) != 1 || terms[0].Name != "lonely" || score == nil || !score.HasRest() {
		t.Errorf("terms %v of %+v (%v), want that of lonely and a rest", terms, score, err)
	}
}

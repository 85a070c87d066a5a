package readable_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// The terms of a state add up to the logarithm of the ratio of two weights, which the router computes in its own way.
func TestReasonsAddUp(t *testing.T) {
	tools := compiletest.Toolchain(t)
	for _, p := range []routing.Problem{routing.TSP, routing.CVRP} {
		model, b, _ := fitted(t, p)
		useEveryFeature(t, model)
		r, _ := model.Named()
		for i := range r.Bias {
			r.Bias[i] += 0.1 * float32(i%7)
		}
		programs, err := evaluate.BuildPrograms(t.Context(), tools, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer programs.Close()
		why := readable.ReasonsOf(model, b)
		inst := problems.Must(p).Generate(9, 1, 3)[0]
		why.Open(&inst)
		s := &evaluate.Student{Model: model, Programs: programs, Start: "leftmost"}
		states := 0
		if _, _, err := s.Watch(&inst, routing.Run{Start: routing.OwnStart}, func(d evaluate.Decision) {
			states++
			for _, pair := range [][2]int{{0, 1}, {2, 0}} {
				terms, sum := why.Why(d.Decision, d.Programs, pair[0], pair[1], 1000)
				if sum != 0 {
					t.Errorf("%s, step %d: others add up to %v, and there are none", p, d.Step, sum)
				}
				few, others := why.Why(d.Decision, d.Programs, pair[0], pair[1], 3)
				for _, term := range terms[3:] {
					others -= term.Weight
				}
				if !slices.Equal(few, terms[:3]) || math.Abs(others) > 1e-9 {
					t.Errorf("%s, step %d: three terms %v, others wrong by %v", p, d.Step, few, others)
				}
				for _, term := range terms {
					sum += term.Weight
				}
				want := math.Log(float64(d.Weights[pair[0]]) / float64(d.Weights[pair[1]]))
				if math.Abs(sum-want) > 1e-3*(1+math.Abs(want)) {
					t.Errorf("%s, step %d, %v: the terms add up to %v, the weights to %v", p, d.Step, pair, sum, want)
				}
				if !slices.IsSortedFunc(terms, func(a, b readable.Term) int {
					return -int(math.Copysign(1, a.Size()-b.Size()))
				}) {
					t.Errorf("%s, step %d: the heaviest terms are not the first: %v", p, d.Step, terms)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		if states < 7 {
			t.Errorf("%s: %d states", p, states)
		}
	}
	attention := student.New(student.Config{D: 32, Layers: 1, Heads: 4, FF: 32}, 1)
	if _, b, _ := fitted(t, routing.TSP); readable.ReasonsOf(attention, b) != nil {
		t.Error("a router of embeddings has reasons")
	}
}

// Sentences are true of the state at hand: early in a tour they say what an early state wants.
func TestReasonsSpeakOfTheState(t *testing.T) {
	model, b, _ := fitted(t, routing.TSP)
	set, _ := features.Of(routing.TSP, routing.Full, sdk.ClassLocal)
	r, _ := model.Named()
	clear(r.Products)
	clear(r.Bias)
	M, late := len(b.Heuristics), 1+column(t, set.State, "progress")
	r.Products[late*r.Columns()+column(t, set.Node, "isolation")] = 0.5
	r.Bias[late*M] = 0.5
	inst := problems.Must(routing.TSP).Generate(8, 1, 3)[0]
	why := readable.ReasonsOf(model, b)
	why.Open(&inst)
	Vm := [][]float32{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for step, want := range map[int32][]string{
		1: {"Early in the tour, trust who proposes", "` is trusted less early in the tour."},
		7: {"Late in the tour, trust who proposes isolated cities.", "` is trusted more late in the tour."},
	} {
		at := features.Decision{Step: step, First: 0, Current: 1, Candidates: []uint16{2, 3, 4}}
		if step == 1 {
			at.Candidates = []uint16{2, 3, 4, 5, 6, 7}
			for m := range Vm {
				Vm[m] = append(Vm[m], 0, 0, 0)
			}
		} else {
			for m := range Vm {
				Vm[m] = Vm[m][:3]
			}
		}
		var says []string
		terms, _ := why.Why(at, Vm, 0, 1, 10)
		for _, term := range terms {
			says = append(says, term.Says)
		}
		for _, w := range want {
			if !strings.Contains(strings.Join(says, "\n"), w) {
				t.Errorf("step %d lacks %q: %q", step, w, says)
			}
		}
	}
}

package readable_test

import (
	"cmp"
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
				all := why.Why(d.Decision, d.Programs, pair[0], pair[1], 1000)
				terms, sum := all.Terms, all.Others
				if sum != 0 || all.Count != len(terms) {
					t.Errorf("%s, step %d: %d terms of %d, others add up to %v", p, d.Step, len(terms), all.Count, sum)
				}
				few := why.Why(d.Decision, d.Programs, pair[0], pair[1], 3)
				for _, term := range terms[3:] {
					few.Others -= term.Weight
				}
				if !slices.Equal(few.Terms, terms[:3]) || math.Abs(few.Others) > 1e-9 || few.Count != all.Count ||
					!slices.Equal(few.Groups, all.Groups[:3]) {
					t.Errorf("%s, step %d: three terms %+v", p, d.Step, few)
				}
				for _, term := range terms {
					sum += term.Weight
				}
				grouped := 0.0
				for _, g := range all.Groups {
					grouped += g.Weight
				}
				if math.Abs(grouped-sum) > 1e-9 || len(all.Groups) >= len(terms) {
					t.Errorf("%s, step %d: %d groups of %d terms add up to %v, the terms to %v", p, d.Step,
						len(all.Groups), len(terms), grouped, sum)
				}
				want := math.Log(float64(d.Weights[pair[0]]) / float64(d.Weights[pair[1]]))
				if math.Abs(sum-want) > 1e-3*(1+math.Abs(want)) {
					t.Errorf("%s, step %d, %v: the terms add up to %v, the weights to %v", p, d.Step, pair, sum, want)
				}
				if !slices.IsSortedFunc(terms, func(a, b readable.Term) int {
					return cmp.Compare(b.Size(), a.Size())
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
		p := why.Why(at, Vm, 0, 1, 10)
		for _, term := range p.Terms {
			says = append(says, term.Says)
		}
		side, _, _ := strings.Cut(want[0], ",")
		if g := p.Groups; len(g) != 1 || g[0].Says != side+": 2 terms." ||
			math.Abs(g[0].Weight-p.Terms[0].Weight-p.Terms[1].Weight) > 1e-9 {
			t.Errorf("step %d: groups %+v of %+v", step, g, p.Terms)
		}
		for _, w := range want {
			if !strings.Contains(strings.Join(says, "\n"), w) {
				t.Errorf("step %d lacks %q: %q", step, w, says)
			}
		}
	}
}

package activities

import (
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Of three programs one is always right. Of the two others, the one that is wrong more in the states of the round has
// its turn first.
func TestAttributeFindsWhoIsToBlame(t *testing.T) {
	fx := newFixture(t)
	model := fx.even(fx.scoring("right", byRule, leaning(0.9)), fx.scoring("near", byNear, leaning(0.7)),
		fx.scoring("far", byFar, leaning(0.6)))
	// What being wrong in one state costs, at a weight of 1/3.
	nearOff, farOff := kl(0.3)/3, kl(0.4)/3
	type turn struct {
		name     string
		score    float64
		failures int
	}
	for name, tt := range map[string]struct {
		in     config.TextGrad
		epoch  int
		before []workflows.Blame
		again  bool
		turns  []turn
		after  [3]float64 // right, near, far
	}{
		"first shard": {
			in:    config.TextGrad{Buffer: 3, Heuristics: 3, Failures: 5}, // ABB
			turns: []turn{{"near", nearOff * 2 / 3, 2}, {"far", farOff / 3, 1}},
		},
		"second shard": {
			in: config.TextGrad{Buffer: 3, Heuristics: 3, Failures: 5}, epoch: 3, // AAB
			turns: []turn{{"far", farOff * 2 / 3, 2}, {"near", nearOff / 3, 1}},
		},
		"both": {
			in:    config.TextGrad{Buffer: 4, Heuristics: 3, Failures: 2},
			turns: []turn{{"near", nearOff / 2, 2}, {"far", farOff / 2, 2}},
		},
		"one turn": {
			in:    config.TextGrad{Buffer: 3, Heuristics: 1, Failures: 5},
			turns: []turn{{"near", nearOff * 2 / 3, 2}},
			after: [3]float64{0, 0, farOff / 3},
		},
		"blamed before": { // a heuristic without a failure in these states has no turn, but keeps its blame
			in:     config.TextGrad{Buffer: 3, Heuristics: 1, Failures: 5},
			before: []workflows.Blame{{Heuristic: "far", Score: 0.2}, {Heuristic: "right", Score: 0.5}},
			turns:  []turn{{"far", 0.2 + farOff/3, 1}},
			after:  [3]float64{0.5, nearOff * 2 / 3, 0},
		},
		"again": { // the blame holds these states already: nothing is added, and who had its turn has no other
			in:     config.TextGrad{Buffer: 3, Heuristics: 3, Failures: 5},
			before: []workflows.Blame{{Heuristic: "right"}, {Heuristic: "near", Score: 0.2}, {Heuristic: "far"}},
			again:  true,
			turns:  []turn{{"near", 0.2, 2}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := perform(fx, fx.Attribute, workflows.AttributeInput{ModelAndData: on(model, fx.data("ABB AAB", "C")),
				TextGrad: tt.in, Blame: tt.before, Epoch: tt.epoch, Again: tt.again})
			if len(out.Dispatch) != len(tt.turns) {
				t.Fatalf("dispatched %+v, want %+v", out.Dispatch, tt.turns)
			}
			shown := get[failures](fx, out.Failures)
			for i, want := range tt.turns {
				d := out.Dispatch[i]
				if d.Name != want.name || !equals(d.Score, want.score) || d.Failures != want.failures ||
					len(shown.Owners[d.Index]) != want.failures ||
					get[bank.Heuristic](fx, d.Heuristic).Name != want.name {
					t.Errorf("turn %d is %+v, want %+v", i, d, want)
				}
				for _, f := range shown.Owners[d.Index] {
					choice, pick, lean := 0.25, 0.75, 0.7 // what near does where it is wrong
					if d.Name == "far" {
						choice, pick, lean = 0.75, 0.25, 0.6
					}
					if !equals(f.Heuristic[0].Distance, choice) || !equals(f.Teacher[0].Distance, pick) ||
						!equals(f.Heuristic[0].PHeuristic, lean) || f.Rank != 2 {
						t.Errorf("%s is shown %+v", d.Name, f)
					}
				}
			}
			for m, name := range []string{"right", "near", "far"} {
				if got := out.Blame[m]; got.Heuristic != name || !equals(got.Score, tt.after[m]) {
					t.Errorf("%s keeps the blame %+v, want %v", name, got, tt.after[m])
				}
			}
			if c := shown.Context; c.N != 3 || !equals(c.Sharpness.Top1, picked) ||
				!equals(c.Sharpness.Top2, 1-picked) {
				t.Errorf("the prompts say %+v of the teacher", c)
			}
		})
	}
}

// The writer is shown the record of the program that it revises, and what named features would do to the loss.
func TestStepIsShownTheRecord(t *testing.T) {
	fx := newFixture(t)
	model := fx.even(fx.scoring("near", byNear, leaning(0.7)), fx.scoring("high", byHeight, leaning(0.6)))
	out := perform(fx, fx.Attribute, workflows.AttributeInput{
		ModelAndData: on(model, fx.data("ABB", "AB")),
		TextGrad:     config.TextGrad{Buffer: 3, Heuristics: 1, Failures: 5},
	})
	shown, d := get[failures](fx, out.Failures), out.Dispatch[0]
	r := shown.record(d.Heuristic)
	if r == nil {
		t.Fatalf("no record of %s among the programs %v", d.Name, shown.Programs)
	}
	// The weights are even, so that the first program has the largest one everywhere. It is right in A.
	if r.Niche != (textgrad.Tally{States: 3, Right: 1}) || !equals(r.NicheWeight, 0.5) || len(r.Right) != 1 {
		t.Errorf("record %+v, want one right in three states at half the weight", *r)
	}
	// In two of three states the teacher takes the far city.
	i := slices.IndexFunc(r.Evidence, func(c evidence.Change) bool { return c.Name == "distance_ratio" })
	if i < 0 || r.Evidence[i].Slope >= 0 {
		t.Errorf("evidence %+v, want that farther cities lower the loss", r.Evidence)
	}
	if h := shown.Context.Habits; len(h) == 0 || !strings.HasPrefix(h[0], "Direction: ") {
		t.Errorf("the teacher's habits %q", h)
	}
	without := perform(fx, fx.Attribute, workflows.AttributeInput{
		ModelAndData: on(model, fx.data("ABB", "AB")), NoHabits: true,
		TextGrad: config.TextGrad{Buffer: 3, Heuristics: 1, Failures: 5},
	})
	if h := get[failures](fx, without.Failures).Context.Habits; len(h) > 0 {
		t.Errorf("with llm.no_habits the prompts have %q", h)
	}
	s := &server{Steps: []handler{writes(near)}}
	fx.asks(s)
	in := fx.in
	in.Heuristic, in.Failures = d.Heuristic, out.Failures
	in.Rejected = []workflows.Rejection{{Reason: "worse", Effect: "3 states won"}}
	if _, err := fx.step(in); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## Record", "trusts the program most in 3 of 3 recent training states, its niche", "| DistanceRatio | -",
		"With it, 3 states won.",
	} {
		if !strings.Contains(s.Prompts[0], want) {
			t.Errorf("the writer is not told %q:\n%s", want, s.Prompts[0])
		}
	}
}

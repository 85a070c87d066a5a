package activities

import (
	"cmp"
	"math"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/workflows"
)

// Judge measures the validation loss with a candidate in the place of a heuristic. The candidate gets the heuristic's
// τ_h on its own scale, as training states show it.
func TestJudgeComparesOnValidation(t *testing.T) {
	fx := newFixture(t)
	model := fx.even(fx.scoring("near", byNear, leaning(0.8)), fx.scoring("far", byFar, leaning(0.6)))
	// Alone, near fits AAAAB best where it leans by 0.74: it is right in four of five states, 0.8·0.9 + 0.2·0.1.
	better := leaning(0.8) * leaning(0.9) / leaning(0.74)
	mixed := func(a, b float64) float64 { return kl((a + b) / 2) }
	before := (3*mixed(0.8, 0.4) + mixed(0.2, 0.6)) / 4
	for _, tt := range []struct {
		name, by, train, val string // train is AAAAB if it is empty

		delta       float64
		tauH, after float64
		top1        float64
		problem     string
		ruling      string
	}{
		{name: "better", by: byRule, val: "AAAB", delta: 0.1, tauH: better, top1: 1,
			ruling: "+validation loss 0.3074 → 0.11",
			after:  (3*mixed(leansBy(better), 0.4) + mixed(leansBy(better), 0.6)) / 4},
		{name: "scaled", by: byNearIn3, val: "AAAB", delta: 0.1, tauH: 3 * leaning(0.8), top1: 0.75, after: before,
			ruling: "-validation loss 0.3074 → 0.30"},
		// In ABBB near is wrong more often than right: no τ_h is too large for it, and the edit has its own fit.
		{name: "after_a_bound", by: byRule, train: "ABBB", val: "AAAB", tauH: leaning(0.9), top1: 1,
			ruling: "+validation loss 0.3074 → 0.14", after: (3*mixed(0.9, 0.4) + mixed(0.9, 0.6)) / 4},
		// A program that tells no candidates apart, and one that is mostly wrong, have no scale of their own.
		{name: "flat", by: "1 + 0*fromHere[c]", val: "AAAB", tauH: leaning(0.8), top1: 0.25,
			ruling: "-validation loss", after: (3*mixed(0.5, 0.4) + mixed(0.5, 0.6)) / 4},
		{name: "mostly_wrong", by: byFar + " + 0*s.Y[c]", val: "AAAB", tauH: leaning(0.8), top1: 0.25,
			ruling: "-validation loss", after: (3*mixed(0.2, 0.4) + mixed(0.8, 0.6)) / 4},
		{name: "traps_in_training", by: trapsOnC, train: "AC", val: "AAAB", problem: "state 1: trap",
			ruling: "-state 1: trap"},
		{name: "traps_in_first", by: trapsOnC, val: "AAAC", problem: "state 3: trap", ruling: "-state 3: trap"},
		{name: "traps_in_second", by: trapsOnC, val: "AAAB CA", problem: "state 0: trap", ruling: "-state 0: trap"},
	} {
		candidate := fx.scoring(tt.name, tt.by, 1)
		train := cmp.Or(tt.train, "AAAAB")
		v := perform(fx, fx.Judge, workflows.JudgeInput{
			ModelAndData: on(model, fx.data(train, tt.val)), Index: 0, Candidate: fx.put(candidate), Delta: tt.delta,
		})
		fx.ruled(candidate, tt.ruling)
		if tt.problem != "" {
			if !strings.Contains(v.Problem, tt.problem) || v.Refusal(-1) == "" {
				t.Errorf("%s: verdict %+v, want problem %q", tt.name, v, tt.problem)
			}
			continue
		}
		if !equals(v.Before, before) || v.Top1Before != 0.75 || math.Abs(v.After-tt.after) > 1e-3 ||
			v.Top1After != tt.top1 || v.Problem != "" {
			t.Errorf("%s: verdict %+v, want losses %.4f and %.4f", tt.name, v, before, tt.after)
		}
		if tt.name == "better" && !strings.Contains(v.Effect, "; 1 states won, 0 lost") {
			t.Errorf("the effect of an edit that is right in B, too: %q", v.Effect)
		}
		if got := get[bank.Heuristic](fx, v.Candidate); got.ID() != candidate.ID() || !fits(got.TauH, tt.tauH) {
			t.Errorf("%s: the candidate has τ_h = %v, want %v", tt.name, got.TauH, tt.tauH)
		}
	}
}

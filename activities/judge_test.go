package activities

import (
	"math"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/workflows"
)

// Judge measures the validation loss with a candidate in the place of a heuristic. The candidate gets the heuristic's
// τ_h on its own scale.
func TestJudgeComparesOnValidation(t *testing.T) {
	fx := newFixture(t)
	model := fx.even(fx.scoring("near", byNear, leaning(0.8)), fx.scoring("far", byFar, leaning(0.6)))
	// Alone, near fits AAAB best where it leans by 0.7: it is right in three of four states, 0.75·0.9 + 0.25·0.1.
	better := leaning(0.8) * leaning(0.9) / leaning(0.7)
	mixed := func(a, b float64) float64 { return kl((a + b) / 2) }
	before := (3*mixed(0.8, 0.4) + mixed(0.2, 0.6)) / 4
	for _, tt := range []struct {
		name, by, val string
		delta         float64
		tauH, after   float64
		top1          float64
		problem       string
		ruling        string
	}{
		{name: "better", by: byRule, val: "AAAB", delta: 0.1, tauH: better, top1: 1,
			ruling: "+validation loss 0.3074 → 0.10",
			after:  (3*mixed(leansBy(better), 0.4) + mixed(leansBy(better), 0.6)) / 4},
		{name: "scaled", by: byNearIn3, val: "AAAB", delta: 0.1, tauH: 3 * leaning(0.8), top1: 0.75, after: before,
			ruling: "-validation loss 0.3074 → 0.30"},
		{name: "traps_in_first", by: trapsOnC, val: "AAAC", problem: "state 3: trap", ruling: "-state 3: trap"},
		{name: "traps_in_second", by: trapsOnC, val: "AAAB CA", problem: "state 0: trap", ruling: "-state 0: trap"},
	} {
		candidate := fx.scoring(tt.name, tt.by, 1)
		v := perform(fx, fx.Judge, workflows.JudgeInput{
			ModelAndData: on(model, fx.data("ABBB", tt.val)), Index: 0, Candidate: fx.put(candidate), Delta: tt.delta,
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
		if got := get[bank.Heuristic](fx, v.Candidate); got.ID() != candidate.ID() || !fits(got.TauH, tt.tauH) {
			t.Errorf("%s: the candidate has τ_h = %v, want %v", tt.name, got.TauH, tt.tauH)
		}
	}
}

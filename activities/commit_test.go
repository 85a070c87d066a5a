package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/workflows"
)

// Commit replaces one program. If the candidate cannot join the bank, nothing changes, and the journal's last word on
// it is the refusal.
func TestCommitReplacesOne(t *testing.T) {
	fx := newFixture(t)
	model := fx.even(fx.scoring("near", byNear, leaning(0.7)), fx.scoring("far", byFar, leaning(0.6)),
		fx.scoring("high", byHeight, leaning(0.8)))
	model.Revision = 4
	for _, tt := range []struct {
		candidate bank.Heuristic
		problem   string
		rulings   []string
	}{
		{fx.scoring("better", byRule, 1), "", []string{"+validation loss"}},
		// on a training state only
		{fx.scoring("traps", trapsOnC, 1), "state 1: trap", []string{"+validation loss", "-state 1: trap"}},
		// on no state of the data, but where cities coincide
		{fx.scoring("inverse", byRule+" * (fromHere[c] / fromHere[c])", 1), "on 10 cities in one place",
			[]string{"+validation loss", "-smoke: on 10 cities in one place"}},
		{fx.entry("double", source("high", byHeight)), "double and high are the same program",
			[]string{"+validation loss", "-double and high are the same program"}},
	} {
		in := workflows.JudgeInput{ModelAndData: on(model, fx.data("AB BC", "AAAB")),
			Index: 0, Candidate: fx.put(tt.candidate)}
		v := perform(fx, fx.Judge, in)
		if v.Refusal(0) != "" {
			t.Fatalf("%s: refused: %+v", tt.candidate.Name, v)
		}
		out := perform(fx, fx.Commit, workflows.CommitInput{ModelAndData: on(model, in.Data), Index: 0,
			Candidate: v.Candidate, Gain: 0.25})
		candidate := get[bank.Heuristic](fx, v.Candidate)
		fx.ruled(candidate, tt.rulings...)
		if tt.problem != "" {
			if out.Model != model || !strings.Contains(out.Problem, tt.problem) {
				t.Errorf("%s: committed %+v, want the model as it was, with problem %q", candidate.Name, out,
					tt.problem)
			}
			continue
		}
		hs := get[bank.Bank](fx, out.Model.Bank).Heuristics
		candidate.Lineage.Gain = 0.25
		if out.Problem != "" || out.Model.Size != 3 || out.Model.Revision != 5 || out.Model.Student != model.Student ||
			namesOf(hs) != "better far high" || hs[0] != candidate {
			t.Errorf("%s: committed %+v with bank %+v", candidate.Name, out, hs)
		}
	}
}

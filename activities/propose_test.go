package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Candidates are named apart, mended at the gate, and fitted to the half of the faults that is not held out.
func TestProposeFitsCandidatesToFaults(t *testing.T) {
	fx := newFixture(t)
	mode := func(program string) string {
		return "<failure_mode>high rows\n<description>Score is new.</description>\n<new_program>\n" +
			program + "</new_program></failure_mode>\n"
	}
	s := &server{Steps: []handler{
		says(mode(source("near", byFar)) + mode(source("odd", cannotPass)) + mode(source("traps", trapsOnC))),
		writes(source("odd", byRule)),
	}}
	fx.asks(s)
	h := fx.scoring("near", byNear, leaning(0.7))
	f := fx.put(faultSet{
		Context: textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 3},
		Shards:  []workflows.Shard{fx.kinds("BABAC")}, Refine: [][]int32{{0, 2}}, HeldOut: [][]int32{{1, 3}},
		Shown: []textgrad.Failure{{Step: 1, N: 3, K: 2}},
	})
	out := perform(fx, fx.Propose, workflows.ProposeInput{LLMAccess: workflows.LLMAccess{LLM: fx.in.LLM},
		Add: config.Add{Modes: 3}, Bank: fx.even(h).Bank, Faults: f, Pass: 2})
	if len(out.Candidates) != 3 || out.Spend.Calls != 2 || len(s.Prompts) != 2 {
		t.Fatalf("proposed %+v after %d prompts", out, len(s.Prompts))
	}
	if !strings.Contains(s.Prompts[0], "- near: "+h.Description) || !strings.Contains(s.Prompts[1], cannotPass) {
		t.Errorf("the proposer is not told of the bank, or the writer not of the fault:\n%s\n%s", s.Prompts[0],
			s.Prompts[1])
	}
	for i, want := range []struct{ name, by string }{{"near_2", byFar}, {"odd", byRule}} {
		c := out.Candidates[i]
		got := get[bank.Heuristic](fx, c.Heuristic)
		lineage := bank.Lineage{Origin: "add", Pass: 2, LLM: "m-2026"}
		if c.Problem != "" || c.Name != want.name || got.Name != want.name || got.Lineage != lineage ||
			journal.CodeOf(got) != journal.CodeOf(fx.scoring(want.name, want.by, 1)) {
			t.Errorf("candidate %+v is %+v, want %s by %s", c, got, want.name, want.by)
		}
		if !fits(got.TauH, leaning(0.9)) {
			t.Errorf("%s has τ_h = %v, want %v, as right as the teacher is sure in B", c.Name, got.TauH, leaning(0.9))
		}
	}
	if c := out.Candidates[2]; !strings.Contains(c.Problem, "state 4: trap") {
		t.Errorf("candidate %+v faults, and yet", c)
	}
	fx.ruled(fx.scoring("traps", trapsOnC, 1), "-state 4: trap")
}

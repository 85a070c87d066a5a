package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// The new strategy is what is implemented, and what the result says of itself.
func TestRewriteImplementsTheNewDescription(t *testing.T) {
	fx := newFixture(t)
	near, far := fx.scoring("near", byNear, leaning(0.7)), fx.scoring("far", byFar, leaning(0.6))
	rejected := fx.scoring("near", byHeight, 1)
	rejected.Description = "Score prefers what lies high and near."
	const strategy = "Score prefers what lies high."
	s := &server{Steps: []handler{says("<description>" + strategy + "</description>"),
		writes(source("rewritten", byHeight))}}
	fx.asks(s)
	c := perform(fx, fx.Rewrite, workflows.RewriteInput{
		LLMAccess: workflows.LLMAccess{LLM: fx.in.LLM}, Bank: fx.even(near,
			far).Bank, Index: 0, Failures: fx.in.Failures, Pass: 2,
		Gradients: []store.Ref{fx.put(textgrad.DescriptionGradient{Missing: "the height", Misleading: "nearness",
			Direction: "mention the height"})},
		Rejected: []workflows.Rejection{
			{Heuristic: fx.put(rejected), Reason: "it is no better"}, {Reason: "no program"},
		},
	})
	if c.Problem != "" || c.Name != "near" || c.Spend.Calls != 2 || len(s.Prompts) != 2 {
		t.Fatalf("candidate %+v after %d prompts", c, len(s.Prompts))
	}
	for _, want := range []string{near.Description, "mention the height", "- far: " + far.Description} {
		if !strings.Contains(s.Prompts[0], want) {
			t.Errorf("who revises the description is not told %q:\n%s", want, s.Prompts[0])
		}
	}
	if tried := "- Score prefers what lies high and near: it is no better\n"; !strings.Contains(s.Prompts[0], tried) ||
		strings.Contains(s.Prompts[0], "no program") {
		t.Errorf("a rejected edit is not shown as %q:\n%s", tried, s.Prompts[0])
	}
	if strings.Contains(s.Prompts[0], "- near:") {
		t.Errorf("the program is shown as another of the bank:\n%s", s.Prompts[0])
	}
	if !strings.Contains(s.Prompts[1], strategy) || strings.Contains(s.Prompts[1], near.Description) {
		t.Errorf("what is implemented is not the new description:\n%s", s.Prompts[1])
	}
	got := get[bank.Heuristic](fx, c.Heuristic)
	want := bank.Lineage{Origin: "textgrad", Parent: near.ID(), Pass: 2, LLM: "m-2026"}
	if got.Name != "near" || got.Description != strategy || got.TauH != near.TauH || got.Lineage != want ||
		journal.CodeOf(got) != journal.CodeOf(fx.scoring("near", byHeight, 1)) {
		t.Errorf("rewritten as %+v", got)
	}
}

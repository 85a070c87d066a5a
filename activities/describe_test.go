package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/workflows"
)

// An accepted code gets a new description. If the reply is of no use, it keeps its own.
func TestDescribeKeepsThePairAligned(t *testing.T) {
	fx := newFixture(t)
	h := fx.scoring("near", byNear, leaning(0.7))
	for _, tt := range []struct {
		reply, want string
		calls       int
	}{
		{"Here you are.", h.Description, 3},
		{"<description>Score prefers what costs least to reach.</description>",
			"Score prefers what costs least to reach.", 1},
	} {
		s := &server{Steps: []handler{says(tt.reply)}}
		fx.asks(s)
		cfg := fx.in.LLM
		cfg.MaxTokens += tt.calls // another prompt
		c := perform(fx, fx.Describe, workflows.DescribeInput{LLMAccess: workflows.LLMAccess{LLM: cfg},
			Heuristic: fx.put(h), Failures: fx.in.Failures})
		got := get[bank.Heuristic](fx, c.Heuristic)
		if c.Name != "near" || c.Problem != "" || c.Spend.Calls != tt.calls || got.Description != tt.want ||
			journal.CodeOf(got) != journal.CodeOf(h) || got.TauH != h.TauH || got.Lineage != h.Lineage {
			t.Errorf("%s: %+v, described as %+v", tt.reply, c, got)
		}
		again := perform(fx, fx.Describe, workflows.DescribeInput{LLMAccess: workflows.LLMAccess{LLM: cfg},
			Heuristic: fx.put(h), Failures: fx.in.Failures, Pass: 1})
		if again.Spend.Calls != 0 || again.Heuristic != c.Heuristic {
			t.Errorf("%s: asked by the activity of the same number in another pass, it costs %+v", tt.reply, again)
		}
		if !strings.Contains(s.Prompts[0], "score[k] = "+byNear) {
			t.Errorf("the code is not shown:\n%s", s.Prompts[0])
		}
	}
}

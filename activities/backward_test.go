package activities

import (
	"strings"
	"testing"

	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/workflows"
)

// Without a gradient the result says why, and nobody waits.
func TestBackwardWithoutGradient(t *testing.T) {
	fx := newFixture(t)
	for i, tt := range []struct {
		step handler
		want string
	}{
		{says("LOGIC: by distance\nTEACHER: lies alone\nDIRECTION: reward isolation"), "FLAW is missing"},
		{refuses(413, ``), "refuses the prompt"},
	} {
		fx.asks(&server{Steps: []handler{tt.step}})
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		env.RegisterActivity(fx.Backward)
		cfg := fx.in.LLM
		cfg.MaxTokens += i // another prompt
		value, err := env.ExecuteActivity(fx.Backward, workflows.BackwardInput{LLMAccess: workflows.LLMAccess{LLM: cfg},
			Heuristic: fx.in.Heuristic, Failures: fx.in.Failures, Channel: workflows.Code})
		if err != nil {
			t.Fatal(err)
		}
		var g workflows.Gradient
		if err := value.Get(&g); err != nil || g.Valid || !strings.Contains(g.Problem, tt.want) {
			t.Errorf("gradient %+v (%v), want none, since %q", g, err, tt.want)
		}
	}
}

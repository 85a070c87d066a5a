package activities

import (
	"context"
	"errors"
	"strings"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/workflows"
)

// A decision about a program is found by the reply that the program came in, even after it got a new description.
func TestRulingsFollowTheCode(t *testing.T) {
	fx := newFixture(t)
	fx.asks(&server{Steps: []handler{writes(near)}})
	if c, err := fx.step(fx.in); err != nil || c.Problem != "" {
		t.Fatalf("candidate %+v (%v)", c, err)
	}
	kept, err := bank.New("near", near, bank.Lineage{})
	if err != nil {
		t.Fatal(err)
	}
	if kept, err = kept.Describe("Score prefers what is near."); err != nil {
		t.Fatal(err)
	}
	other, err := bank.New("near", strings.Replace(near, "-fromHere", "fromHere", 1), bank.Lineage{})
	if err != nil {
		t.Fatal(err)
	}
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(func(ctx context.Context) error {
		return errors.Join(fx.logRefusal(ctx, kept, "dropped"), fx.logRefusal(ctx, other, "of another program"))
	}, activity.RegisterOptions{Name: "rule"})
	if _, err := env.ExecuteActivity("rule"); err != nil {
		t.Fatal(err)
	}
	const run = "default-test-workflow-id"
	replies, err := journal.Of(fx.Store.Store, run).Replies(t.Context())
	if err != nil || len(replies) != 1 {
		t.Fatalf("log %+v (%v)", replies, err)
	}
	rulings, err := journal.Of(fx.Store.Store, run).Rulings(t.Context(), replies[0])
	if err != nil || len(rulings) != 1 || rulings[0].Text != "dropped" {
		t.Errorf("rulings %+v (%v), want that the program was dropped", rulings, err)
	}
}

// A run asks at its own expense what an earlier run of the same name has asked, which may have failed.
func TestPrepareBeginsTheJournal(t *testing.T) {
	fx := newFixture(t)
	fx.HasSearchAttributes = func(context.Context, string) bool { return false }
	fx.asks(&server{Steps: []handler{says("<description>Score prefers what is near.</description>")}})
	asks := func(pass, calls int) {
		t.Helper()
		if c := perform(fx, fx.Describe, workflows.DescribeInput{LLMAccess: fx.in.LLMAccess, Heuristic: fx.in.Heuristic,
			Failures: fx.in.Failures, Pass: pass}); c.Spend.Calls != calls {
			t.Errorf("in pass %d, %d calls count, want %d", pass, c.Spend.Calls, calls)
		}
	}
	asks(0, 1)
	asks(1, 0)
	perform(fx, fx.Prepare, workflows.PrepareInput{Config: config.Default()})
	asks(1, 1)
}

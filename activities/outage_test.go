package activities

import (
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/workflows"
)

// A real Temporal makes the attempts: the time in which a question is asked goes on from one to the next, until the
// workflow is told that the LLM is away.
func TestTemporalAsksUntilTheDeadline(t *testing.T) {
	fx := newFixture(t)
	s := &server{Steps: []handler{refuses(503, `{"error":{"message":"busy"}}`)}}
	fx.asksFor(s, 2*time.Second)
	c, err := client.Dial(client.Options{HostPort: devstacktest.Start(t, devstack.Temporal).Temporal})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	revise := func(ctx workflow.Context, in workflows.StepInput) (workflows.Candidate, error) {
		return workflows.Step.Run(ctx, "step", in)
	}
	flow := worker.New(c, workflows.Queue, worker.Options{})
	flow.RegisterWorkflowWithOptions(revise, workflow.RegisterOptions{Name: "Revise"})
	llm := worker.New(c, workflows.LLMQueue, worker.Options{MaxHeartbeatThrottleInterval: Beat})
	fx.Register(workflows.Workers{Compute: flow, LLM: llm})
	for _, w := range []worker.Worker{flow, llm} {
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Stop)
	}
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: workflows.Queue}, "Revise", fx.in)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Get(t.Context(), nil); !workflows.IsType(err, workflows.ErrLLMUnavailable) || len(s.Prompts) < 2 {
		t.Errorf("after %d questions: %v, want %s after several", len(s.Prompts), err, workflows.ErrLLMUnavailable)
	}
}

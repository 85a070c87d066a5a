package runs_test

import (
	"context"
	"testing"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/workflows"
)

// awayOnce is a Temporal that does not answer the first call, and then says that the run has ended.
type awayOnce struct {
	client.Client
	client.WorkflowRun
	calls int
}

func (a *awayOnce) GetWorkflow(context.Context, string, string) client.WorkflowRun { return a }

func (a *awayOnce) Get(_ context.Context, result any) error {
	if a.calls++; a.calls == 1 {
		return serviceerror.NewUnavailable("connection refused")
	}
	result.(*workflows.Result).Summary = "bank of 10"
	return nil
}

// TestWaitOutlivesTemporal: a Temporal that is away for a while says nothing about the run.
func TestWaitOutlivesTemporal(t *testing.T) {
	a := &awayOnce{}
	result, err := (&runs.Reader{Client: a}).Wait(t.Context(), "r1")
	if err != nil || result.Summary != "bank of 10" || a.calls != 2 {
		t.Errorf("after %d calls: %q, %v", a.calls, result.Summary, err)
	}
}

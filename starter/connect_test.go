package main

import (
	"fmt"
	"testing"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/workflows"
)

// TestLatest: the latest run is the one started last, also where another one still runs, which Temporal lists before those that
// ended; the latest bank is that of the latest run that has a result.
func TestLatest(t *testing.T) {
	stack := devstacktest.Start(t, devstack.Temporal, devstack.MinIO)
	t.Setenv("EPB_DEV_DIR", stack.Dir)
	t.Setenv("EPB_S3_ENDPOINT", "")
	t.Setenv("TEMPORAL_ADDRESS", "")
	c, err := dialTemporal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, id := range []string{"runs-still", "ended"} { // no worker takes them up
		if _, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: workflows.Queue}, workflows.NameDistill, config.Default()); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.TerminateWorkflow(t.Context(), "ended", "", "it is to end first"); err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{"Running", "Terminated"} {
		for listed := 0; listed != 1; time.Sleep(20 * time.Millisecond) {
			list, err := c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("ExecutionStatus = '%s'", status)})
			if err != nil {
				t.Fatal(err)
			}
			listed = len(list.Executions)
		}
	}
	if id, err := latestRun(t.Context(), c); err != nil || id != "ended" {
		t.Errorf("the latest run is %q (%v), want the one started last", id, err)
	}

	s, err := openStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := findResult(t.Context(), nil); err == nil {
		t.Error("a result was found, and there is none")
	}
	putResult(t, s, "runs-still")
	if r, err := findResult(t.Context(), nil); err != nil || r.id != "runs-still" {
		t.Errorf("the latest result is that of %q (%v)", r.id, err)
	}
}

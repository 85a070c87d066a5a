package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/workflows"
)

// withoutWorker starts servers and the distillations runs-still and ended, which no worker takes up.
func withoutWorker(t *testing.T, services ...string) *runs.Reader {
	t.Helper()
	stack := devstacktest.Start(t, services...)
	t.Setenv("EPB_DEV_DIR", stack.Dir)
	t.Setenv("EPB_S3_ENDPOINT", "")
	t.Setenv("TEMPORAL_ADDRESS", "")
	r, err := locate.Temporal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Client.Close)
	for _, id := range []string{"runs-still", "ended"} {
		if _, err := r.Client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: id,
			TaskQueue: workflows.Queue}, workflows.NameDistill, config.Default()); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestLatest: the latest run is the one started last, also where another one still runs, which Temporal lists before
// those that ended; the latest bank is that of the latest run that has a result.
func TestLatest(t *testing.T) {
	r := withoutWorker(t, devstack.Temporal, devstack.MinIO)
	if err := r.Client.TerminateWorkflow(t.Context(), "ended", "", "it is to end first"); err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{"Running", "Terminated"} {
		for listed := 0; listed != 1; time.Sleep(20 * time.Millisecond) {
			list, err := r.Client.ListWorkflow(t.Context(),
				&workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("ExecutionStatus = '%s'", status)})
			if err != nil {
				t.Fatal(err)
			}
			listed = len(list.Executions)
		}
	}
	if id, err := r.Latest(t.Context()); err != nil || id != "ended" {
		t.Errorf("the latest run is %q (%v), want the one started last", id, err)
	}

	s, err := locate.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := locate.Argument(nil).Result(t.Context()); err == nil {
		t.Error("a result was found, and there is none")
	}
	putResult(t, s, "runs-still")
	if found, err := locate.Argument(nil).Result(t.Context()); err != nil || found.ID != "runs-still" {
		t.Errorf("the latest result is that of %q (%v)", found.ID, err)
	}
}

// TestWithoutWorker: what a run cannot say of itself, for want of a worker, is said for it.
func TestWithoutWorker(t *testing.T) {
	r := withoutWorker(t, devstack.Temporal)
	if err := r.Client.TerminateWorkflow(t.Context(), "ended", "", "it is to end first"); err != nil {
		t.Fatal(err)
	}
	const start = "runs-still waits: no worker answers on task queue epb: start one with epb dev up worker"
	for _, tt := range []struct{ line, out, err string }{
		{"status runs-still", "", start},
		{"status run:runs-still", "", start},
		{"status ended", "ended: terminated\nended was terminated: it is to end first\n", ""},
		{"status nosuch", "", "there is no run nosuch"},
		{"watch nosuch", "", "there is no run nosuch"},
		{"watch run:ended", "", "ended was terminated: it is to end first"},
	} {
		out, err := epb(t, strings.Fields(tt.line)...)
		if out != tt.out || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("epb %s: printed %q and error %v, want %q and %q", tt.line, out, err, tt.out, tt.err)
		}
	}

	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute)
	defer leave()
	var out bytes.Buffer
	screen := writes(func(p []byte) (int, error) {
		time.AfterFunc(3*time.Second, leave) // time to say it once more
		return out.Write(p)
	})
	if err := watch(ctx, screen, r, "runs-still"); err == nil ||
		!strings.Contains(err.Error(), "no longer watching; runs-still goes on") {
		t.Errorf("the watch was left, and it says %v", err)
	}
	if strings.Count(out.String(), start) != 1 {
		t.Errorf("want to be told once that there is no worker, not\n%s", out.String())
	}
}

// writes is an io.Writer.
type writes func(p []byte) (int, error)

func (w writes) Write(p []byte) (int, error) { return w(p) }

// TestLeaveWatch: a run of which the watch was left did not fail, also where the waiting for its end hears of that
// first.
func TestLeaveWatch(t *testing.T) {
	ctx := left{Context: t.Context()}
	if err := watch(ctx, io.Discard, &runs.Reader{Client: ctx}, "r1"); err == nil ||
		!strings.Contains(err.Error(), "no longer watching; r1 goes on") {
		t.Errorf("error %v, want that r1 goes on", err)
	}
}

// left is a watch that was left, heard of from the server's client alone.
type left struct {
	context.Context
	client.Client
	client.WorkflowRun
}

func (left) Err() error { return context.Canceled }

func (l left) GetWorkflow(context.Context, string, string) client.WorkflowRun { return l }

func (left) Get(ctx context.Context, _ any) error { return ctx.Err() }

func (left) DescribeTaskQueue(ctx context.Context, _ string,
	_ enums.TaskQueueType) (*workflowservice.DescribeTaskQueueResponse, error) {
	return nil, ctx.Err()
}

func (left) QueryWorkflow(ctx context.Context, _, _, _ string, _ ...any) (converter.EncodedValue, error) {
	return nil, ctx.Err()
}

// Package runs reports what Temporal knows of distillations: which exist, what each does now, what holds it up, and how
// it ended. Most of that needs no worker.
package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/workflows"
)

// Reader asks Temporal about runs.
type Reader struct {
	Client    client.Client
	Namespace string // of the client
}

// ErrNone means that Temporal knows of no distillation.
var ErrNone = errors.New("there is no distillation yet (start one with: epb start --config examples/demo.yaml)")

// IDs returns the IDs of all distillations, the one started last first. The error is ErrNone where there is none.
func (r *Reader) IDs(ctx context.Context) ([]string, error) {
	runs, err := r.executions(ctx)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, ErrNone
	}
	ids := make([]string, len(runs))
	for i, run := range runs {
		ids[i] = run.GetExecution().GetWorkflowId()
	}
	return ids, nil
}

// executions returns the last execution of every distillation, the one started last first: a run that goes on as a new
// one has several.
func (r *Reader) executions(ctx context.Context) ([]*workflow.WorkflowExecutionInfo, error) {
	last := map[string]*workflow.WorkflowExecutionInfo{}
	for page := []byte(nil); ; {
		list, err := r.Client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Query: fmt.Sprintf("WorkflowType = '%s'", workflows.NameDistill), NextPageToken: page,
		})
		if err != nil {
			return nil, fmt.Errorf("list distillations: %w", err)
		}
		for _, e := range list.Executions {
			id := e.Execution.WorkflowId
			if was, ok := last[id]; !ok || e.StartTime.AsTime().After(was.StartTime.AsTime()) {
				last[id] = e
			}
		}
		if page = list.NextPageToken; len(page) == 0 {
			break
		}
	}
	return slices.SortedFunc(maps.Values(last), func(a, b *workflow.WorkflowExecutionInfo) int {
		newer := b.StartTime.AsTime().Compare(a.StartTime.AsTime())
		return cmp.Or(newer, cmp.Compare(a.Execution.WorkflowId, b.Execution.WorkflowId))
	}), nil
}

// Latest returns the ID of the distillation started last.
func (r *Reader) Latest(ctx context.Context) (string, error) {
	ids, err := r.IDs(ctx)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// Exists returns nil if Temporal knows a run of this ID.
func (r *Reader) Exists(ctx context.Context, id string) error {
	if _, err := r.Client.DescribeWorkflowExecution(ctx, id, ""); err != nil {
		return orNoRun(id, fmt.Errorf("describe %s: %w", id, err))
	}
	return nil
}

package runs

import (
	"context"
	"fmt"
	"strings"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/workflows"
)

// Start starts a distillation under an ID, with a name for its teacher. It fails with ErrTaken if a run of this ID goes
// on or has a result.
func (r *Reader) Start(ctx context.Context, id string, cfg config.Distill, teacher string) error {
	var attributes temporal.SearchAttributes
	if missing, err := connect.MissingSearchAttributes(ctx, r.Client, r.Namespace); err == nil && len(missing) == 0 {
		attributes = temporal.NewSearchAttributes(workflows.AttrTeacher.ValueSet(teacher))
	}
	_, err := r.Client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: id, TaskQueue: workflows.Queue, WorkflowExecutionErrorWhenAlreadyStarted: true,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY,
		StaticSummary: fmt.Sprintf("distil %s on %s-%d",
			teacher, strings.ToUpper(string(cfg.Problem)), cfg.Nodes),
		TypedSearchAttributes: attributes,
	}, workflows.NameDistill, cfg)
	if temporal.IsWorkflowExecutionAlreadyStartedError(err) {
		return ErrTaken(id)
	}
	if err != nil {
		return fmt.Errorf("start %s: %w", id, err)
	}
	return nil
}

// ErrTaken says that an ID belongs to another run.
func ErrTaken(id string) error {
	return fmt.Errorf("--id %s: a run of this ID goes on or is finished (epb status %s): choose another", id, id)
}

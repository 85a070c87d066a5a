package runs

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/serviceerror"

	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/workflows"
)

// errNoWorker says that a run neither goes on nor answers queries because no worker runs.
func errNoWorker(id string) error {
	return fmt.Errorf("%s waits: no worker answers on task queue %s: start one with epb dev up worker (or run "+
		"epb-worker)", id, workflows.Queue)
}

// noWorker reports that no worker has asked Temporal for work for minutes.
func (r *Reader) noWorker(ctx context.Context) bool {
	last, err := fleet.LastPoll(ctx, r.Client)
	return err == nil && last.IsZero()
}

// Status asks a run for its status. A worker must answer.
func (r *Reader) Status(ctx context.Context, id string) (workflows.Status, error) {
	var s workflows.Status
	if r.noWorker(ctx) {
		return s, errNoWorker(id)
	}
	value, err := r.Client.QueryWorkflow(ctx, id, "", workflows.QueryStatus)
	if err != nil {
		return s, explainSilence(ctx, id, err)
	}
	if err := value.Get(&s); err != nil {
		return s, fmt.Errorf("status of %s: %w", id, err)
	}
	return s, nil
}

// Signal sends a signal to a run. The error says if there is no such run, or if it has ended.
func (r *Reader) Signal(ctx context.Context, id, signal string) error {
	err := r.Client.SignalWorkflow(ctx, id, "", signal, nil)
	if err == nil {
		return nil
	}
	if _, found := r.Client.DescribeWorkflowExecution(ctx, id, ""); found == nil {
		if _, absent := errors.AsType[*serviceerror.NotFound](err); absent {
			return fmt.Errorf("%s %s: the run has ended (epb report %[2]s)", signal, id)
		}
	}
	return fmt.Errorf("%s: %w", signal, orNoRun(id, err))
}

// explainSilence explains why a query of a run got no answer.
func explainSilence(ctx context.Context, id string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch err.(type) {
	// the first two: no worker answered in time; the third: none polls the queue
	case *serviceerror.Canceled, *serviceerror.DeadlineExceeded, *serviceerror.FailedPrecondition:
		return errNoWorker(id)
	case *serviceerror.QueryFailed:
		return fmt.Errorf("%s does not know where it stands: it is no distillation, or one that ended before it began",
			id)
	}
	return fmt.Errorf("ask %s for its status: %w", id, err)
}

// ErrUnknown means that Temporal knows no run of an ID. It may have forgotten one that ended.
var ErrUnknown = errors.New("there is no run")

// orNoRun returns err, or one that wraps ErrUnknown if Temporal reports that there is no such run.
func orNoRun(id string, err error) error {
	if _, absent := errors.AsType[*serviceerror.NotFound](err); absent {
		return fmt.Errorf("%w %s (epb runs lists them)", ErrUnknown, id)
	}
	return err
}

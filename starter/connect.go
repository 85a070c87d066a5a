package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// temporalOptions says how to connect, as the Temporal CLI would: environment, profile file, and the dev stack where neither says
// anything.
func temporalOptions() (client.Options, error) {
	opts, err := connect.TemporalOptions(devstack.Servers(devstack.DefaultDir()))
	opts.Namespace = cmp.Or(opts.Namespace, client.DefaultNamespace)
	return opts, err
}

// dialTemporal connects as temporalOptions says.
func dialTemporal(ctx context.Context) (client.Client, error) {
	opts, err := temporalOptions()
	if err != nil {
		return nil, err
	}
	c, err := connect.Dial(ctx, opts)
	if err != nil {
		return nil, askDoctor(err)
	}
	return c, nil
}

// openStore opens the object store of the environment or of the dev stack.
func openStore(ctx context.Context) (*store.Store, error) {
	cfg, err := connect.StoreConfig(devstack.Servers(devstack.DefaultDir()))
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, cfg)
	if err != nil {
		return nil, askDoctor(err)
	}
	return s, nil
}

// askDoctor tells where to find out what mends a server that is not to be reached.
func askDoctor(err error) error { return fmt.Errorf("%w (what mends it: epb doctor)", err) }

// allRuns returns the IDs of all distillations, the one started last first; there is at least one.
func allRuns(ctx context.Context, c client.Client) ([]string, error) {
	runs, err := listed(ctx, c)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, errors.New("there is no distillation yet (start one with: epb start --config examples/demo.yaml)")
	}
	ids := make([]string, len(runs))
	for i, r := range runs {
		ids[i] = r.GetExecution().GetWorkflowId()
	}
	return ids, nil
}

// listed returns the last execution of every distillation, the one started last first: a run that goes on as a new one
// has several.
func listed(ctx context.Context, c client.Client) ([]*workflow.WorkflowExecutionInfo, error) {
	last := map[string]*workflow.WorkflowExecutionInfo{}
	for page := []byte(nil); ; {
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
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

// latestRun returns the ID of the distillation started last.
func latestRun(ctx context.Context, c client.Client) (string, error) {
	ids, err := allRuns(ctx, c)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// runID returns the ID in the name of a run: as it is, or run:ID as epb bank list prints it.
func runID(name string) string { return strings.TrimPrefix(name, runBank) }

// withRun connects and calls do with the run a command is about: its argument, or the latest.
func withRun(ctx context.Context, args []string, do func(c client.Client, id string) error) error {
	c, err := dialTemporal(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if len(args) > 0 {
		return do(c, runID(args[0]))
	}
	id, err := latestRun(ctx, c)
	if err != nil {
		return err
	}
	return do(c, id)
}

// errNoWorker says why a run does not go on, and does not even say where it stands.
func errNoWorker(id string) error {
	return fmt.Errorf("%s waits: no worker answers on task queue %s: start one with epb dev up worker (or run epb-worker)", id, workflows.Queue)
}

// noWorker reports that no worker has asked Temporal for work for minutes.
func noWorker(ctx context.Context, c client.Client) bool {
	last, err := fleet.LastPoll(ctx, c)
	return err == nil && last.IsZero()
}

// queryStatus asks a run where it stands, which a worker has to answer.
func queryStatus(ctx context.Context, c client.Client, id string) (workflows.Status, error) {
	var s workflows.Status
	if noWorker(ctx, c) {
		return s, errNoWorker(id)
	}
	value, err := c.QueryWorkflow(ctx, id, "", workflows.QueryStatus)
	if err != nil {
		return s, explainSilence(ctx, id, err)
	}
	if err := value.Get(&s); err != nil {
		return s, fmt.Errorf("status of %s: %w", id, err)
	}
	return s, nil
}

// explainSilence says what it means that a query of a run was not answered.
func explainSilence(ctx context.Context, id string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch err.(type) {
	case *serviceerror.Canceled, *serviceerror.DeadlineExceeded, *serviceerror.FailedPrecondition: // asked in vain; nobody to ask
		return errNoWorker(id)
	case *serviceerror.QueryFailed:
		return fmt.Errorf("%s does not know where it stands: it is no distillation, or one that ended before it began", id)
	}
	return fmt.Errorf("ask %s for its status: %w", id, err)
}

// orNoRun is err, or says that there is no such run where that is what Temporal means.
func orNoRun(id string, err error) error {
	if absent := (*serviceerror.NotFound)(nil); errors.As(err, &absent) {
		return fmt.Errorf("there is no run %s (epb runs lists them)", id)
	}
	return err
}

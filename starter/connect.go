package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// temporalOptions says how to connect, as the Temporal CLI would: environment, profile file, and the dev stack where neither says
// anything.
func temporalOptions() (client.Options, error) {
	opts, err := devstack.TemporalOptions(devstack.DefaultDir())
	opts.Namespace = cmp.Or(opts.Namespace, client.DefaultNamespace)
	return opts, err
}

// dialTemporal connects as temporalOptions says.
func dialTemporal(ctx context.Context) (client.Client, error) {
	opts, err := temporalOptions()
	if err != nil {
		return nil, err
	}
	c, err := devstack.Dial(ctx, opts)
	if err != nil {
		return nil, askDoctor(err)
	}
	return c, nil
}

// openStore opens the object store of the environment or of the dev stack.
func openStore(ctx context.Context) (*store.Store, error) {
	cfg, err := devstack.StoreConfig(devstack.DefaultDir())
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
	started := map[string]time.Time{} // a run that goes on as a new one is listed as several
	for page := []byte(nil); ; {
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Query: fmt.Sprintf("WorkflowType = '%s'", workflows.NameDistill), NextPageToken: page,
		})
		if err != nil {
			return nil, fmt.Errorf("list distillations: %w", err)
		}
		for _, e := range list.Executions {
			if t := e.StartTime.AsTime(); t.After(started[e.Execution.WorkflowId]) {
				started[e.Execution.WorkflowId] = t
			}
		}
		if page = list.NextPageToken; len(page) == 0 {
			break
		}
	}
	if len(started) == 0 {
		return nil, errors.New("there is no distillation yet (start one with: epb start --config examples/demo.yaml)")
	}
	ids := slices.Collect(maps.Keys(started))
	slices.SortFunc(ids, func(a, b string) int { return started[b].Compare(started[a]) })
	return ids, nil
}

// latestRun returns the ID of the distillation started last.
func latestRun(ctx context.Context, c client.Client) (string, error) {
	ids, err := allRuns(ctx, c)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// withRun connects and calls do with the run a command is about: its argument, or the latest.
func withRun(ctx context.Context, args []string, do func(c client.Client, id string) error) error {
	c, err := dialTemporal(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if len(args) > 0 {
		return do(c, args[0])
	}
	id, err := latestRun(ctx, c)
	if err != nil {
		return err
	}
	return do(c, id)
}

// queryStatus asks a run where it stands.
func queryStatus(ctx context.Context, c client.Client, id string) (workflows.Status, error) {
	var s workflows.Status
	value, err := c.QueryWorkflow(ctx, id, "", workflows.QueryStatus)
	if err != nil {
		return s, fmt.Errorf("ask %s for its status: %w", id, err)
	}
	if err := value.Get(&s); err != nil {
		return s, fmt.Errorf("status of %s: %w", id, err)
	}
	return s, nil
}

// runningActivity returns the progress of the activity that runs now, in the run or in one of its children.
func runningActivity(ctx context.Context, c client.Client, id string) (workflows.Progress, bool) {
	desc, err := c.DescribeWorkflowExecution(ctx, id, "")
	if err != nil {
		return workflows.Progress{}, false
	}
	for _, a := range desc.PendingActivities {
		var p workflows.Progress
		if d := a.GetHeartbeatDetails(); d != nil && len(d.Payloads) > 0 && json.Unmarshal(d.Payloads[0].Data, &p) == nil {
			return p, true
		}
	}
	for _, child := range desc.PendingChildren {
		if p, ok := runningActivity(ctx, c, child.WorkflowId); ok {
			return p, true
		}
	}
	return workflows.Progress{}, false
}

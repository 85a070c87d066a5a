// Package preflight checks before a run starts whether its servers are usable, finds out which LLM it will ask, and
// says what the run will do.
package preflight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/doctor"
	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/workflows"
)

// Findings are the results of the checks of a run's servers. The checks change nothing on the servers.
type Findings struct {
	Fit      []string // what was checked and can be used
	Warnings []string // problems that do not prevent a start
	Problems []error  // problems that prevent it
	Open     []string // what was not checked
	Away     bool     // a server could not be used at all
	StandIn  bool     // every call of the run goes to the stand-in

	dir string // of the dev stack

	pollers []fleet.Poller // workers that wait for the run
	objects *store.Store   // nil where the bucket is still to be made
}

// checkPatience is how long one server may take to answer.
const checkPatience = 15 * time.Second

// Offline returns the findings where no server is asked.
func Offline(dir string) *Findings {
	return &Findings{Open: []string{"Temporal, its workers and the ID of the run", "the store"}, dir: dir}
}

// Servers checks Temporal, the store and the ID of a run; an empty ID is not checked. The dev stack in dir stands in
// for servers that the environment does not name.
func Servers(ctx context.Context, dir, id string) *Findings {
	p := &Findings{dir: dir}
	storeErr := within(ctx, p.checkStore)
	temporalErr := within(ctx, func(ctx context.Context) error { return p.checkTemporal(ctx, id) })
	for _, err := range []error{temporalErr, storeErr} {
		if err != nil {
			p.Problems = append(p.Problems, err)
		}
	}
	return p
}

func within(ctx context.Context, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	return check(ctx)
}

// Err joins what keeps the run from being started.
func (p *Findings) Err() error {
	if len(p.Problems) == 0 {
		return nil
	}
	return errors.Join(p.Problems...)
}

func (p *Findings) warn(format string, a ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, a...))
}

// checkTemporal checks that the server has the namespace and no run of the ID. It does not need a worker.
func (p *Findings) checkTemporal(ctx context.Context, id string) error {
	c, opts, err := connect.Temporal(ctx, devstack.Servers(p.dir))
	if err != nil {
		p.Away = true
		return doctor.AskDoctor(err)
	}
	defer c.Close()
	if err := connect.CheckNamespace(ctx, c, opts); err != nil {
		return err
	}
	what := fmt.Sprintf("Temporal at %s with namespace %s", opts.HostPort, opts.Namespace)
	var taken error
	if id != "" {
		taken = p.taken(ctx, c, id)
		what += " and the ID " + id
	}
	if taken == nil {
		p.Fit = append(p.Fit, what)
	}
	if missing, err := connect.MissingSearchAttributes(ctx, c, opts.Namespace); err == nil && len(missing) > 0 {
		p.warn("namespace %s lacks search attributes, so its lists will not show how a run stands (what mends it: "+
			"epb doctor)",
			opts.Namespace)
	}
	return errors.Join(taken, p.checkWorkers(ctx, c)) // a plan names the workers' LLM, whatever else is wrong
}

// reusable are the ends of a run after which its ID may be given again: it has no result.
var reusable = []enums.WorkflowExecutionStatus{
	enums.WORKFLOW_EXECUTION_STATUS_FAILED, enums.WORKFLOW_EXECUTION_STATUS_CANCELED,
	enums.WORKFLOW_EXECUTION_STATUS_TERMINATED, enums.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
}

// taken fails where a run of this ID goes on or has a result, which Temporal forgets sooner than the store.
func (p *Findings) taken(ctx context.Context, c client.Client, id string) error {
	run, err := c.DescribeWorkflowExecution(ctx, id, "")
	if _, absent := errors.AsType[*serviceerror.NotFound](err); err != nil && !absent {
		return fmt.Errorf("--id %s: %w", id, err)
	}
	if status := run.GetWorkflowExecutionInfo().GetStatus(); err == nil && !slices.Contains(reusable, status) {
		return runs.ErrTaken(id)
	}
	if p.objects == nil {
		return nil
	}
	_, err = p.objects.GetKey(ctx, workflows.ManifestKey(id))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("--id %s: %w", id, err)
	}
	return runs.ErrTaken(id)
}

// checkWorkers warns if no worker runs, or if one of another build than this program does.
func (p *Findings) checkWorkers(ctx context.Context, c client.Client) (err error) {
	if p.pollers, err = fleet.Live(ctx, c); err != nil {
		return fmt.Errorf("task queue %s: %w", workflows.Queue, err)
	}
	if len(p.pollers) == 0 {
		p.warn("no worker polls the task queue %s: the run waits until one does (epb dev up worker, or epb-worker)",
			workflows.Queue)
		return nil
	}
	p.Fit = append(p.Fit, fmt.Sprintf("the task queue %s (workers: %d)", workflows.Queue, len(p.pollers)))
	own := version.Commit()
	for _, w := range p.pollers {
		if c := w.Commit(); c != "" && c != own {
			p.warn("the worker %s is built from commit %s, and this program from %s: epb dev up restarts a worker "+
				"of another build",
				w.Identity, c, own)
		}
	}
	return nil
}

// checkStore checks that the bucket can be written and read, or can still be made.
func (p *Findings) checkStore(ctx context.Context) error {
	cfg, in, err := connect.InspectStore(ctx, devstack.Servers(p.dir))
	if err != nil {
		p.Away = true
		return doctor.AskDoctor(err)
	}
	p.objects = in.Store
	where := fmt.Sprintf("the store at %s", cfg.URL())
	if in.Store == nil {
		p.Fit = append(p.Fit, where)
		p.warn("the store has no bucket %s yet: the start makes it, and whether objects can be written is not known "+
			"before",
			cfg.Bucket)
		return nil
	}
	p.Fit = append(p.Fit, where+" with bucket "+cfg.Bucket)
	if in.Left != "" {
		p.warn("the keys of the store may not delete: the object %s of this check stays in bucket %s", in.Left,
			cfg.Bucket)
	}
	return nil
}

// Closing summarizes the findings of a dry run.
func (p *Findings) Closing(cfg config.Distill) string {
	fit := []string{"the config", "teacher " + cfg.Teacher}
	if !input.HasNoProgram(cfg.Bank) {
		fit = append(fit, "every program of bank "+cfg.Bank)
	}
	fit = append(fit, p.Fit...)
	line := "Dry run: checked and fit: " + strings.Join(fit, "; ") + "."
	if len(p.Open) > 0 {
		line += "\nNot checked: " + strings.Join(p.Open, "; ") + "."
	}
	return line + "\nNothing was started."
}

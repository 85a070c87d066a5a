package workflows

import (
	"slices"

	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/workflow"
)

// A distillation is told what to do by signals, in the order in which they come. The SDK puts each signal into a channel of its name, and
// runs the workflow when all that came meanwhile is there: a pause and a resume that come together have lost their order by then. An
// interceptor sees them one by one, as the history has them, and keeps them in one list.

// Interceptors returns what a worker of Queue needs beside the workflows. A distillation refuses to run without.
func Interceptors() []interceptor.WorkerInterceptor {
	return []interceptor.WorkerInterceptor{&ordering{}}
}

type ordering struct {
	interceptor.WorkerInterceptorBase
}

// InterceptWorkflow gives an execution its inbox.
func (*ordering) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	b := &inbox{}
	b.Next = next
	return b
}

// inbox holds the orders that came to an execution and were not obeyed yet.
type inbox struct {
	interceptor.WorkflowInboundInterceptorBase
	orders []string // names of signals, the oldest first
}

type inboxKey struct{}

// ExecuteWorkflow lets the workflow find its inbox.
func (b *inbox) ExecuteWorkflow(ctx workflow.Context, in *interceptor.ExecuteWorkflowInput) (any, error) {
	return b.Next.ExecuteWorkflow(workflow.WithValue(ctx, inboxKey{}, b), in)
}

// HandleSignal keeps an order, and leaves other signals to the SDK.
func (b *inbox) HandleSignal(ctx workflow.Context, in *interceptor.HandleSignalInput) error {
	if _, ok := orders[in.SignalName]; !ok {
		return b.Next.HandleSignal(ctx, in)
	}
	b.orders = append(b.orders, in.SignalName)
	return nil
}

// take empties the inbox.
func (b *inbox) take() []string {
	names := b.orders
	b.orders = nil
	return names
}

// order is a signal that a distillation obeys.
type order struct {
	words string // for the UI, which offers to send it
	rank  int    // executions before versionOrdered obeyed all orders of a lower rank first
	do    func(*State)
}

var orders = map[string]order{
	SignalPause:  {"pause before the next step", 0, func(st *State) { st.Paused = true }},
	SignalResume: {"go on", 1, func(st *State) { st.Paused = false }},
	SignalStop: {"end after the running segment: anneal, evaluate, report", 2,
		func(st *State) { st.Stop, st.Paused = true, false }},
}

// Versions of Distill: an execution goes on as it began.
const (
	changeDistill  = "distill"
	versionOrdered = 1 // obeys signals in their order, and keeps a memo
)

// since reports whether the execution began with a version or a later one.
func (d *distillation) since(version workflow.Version) bool { return d.version >= version }

// listen registers the status query and has the signals obeyed.
func (d *distillation) listen(ctx workflow.Context) error {
	inbox, ok := ctx.Value(inboxKey{}).(*inbox)
	if !ok { // a panic fails the task, not the run, which goes on with another worker
		panic("this worker hears no signals: its options lack workflows.Interceptors()")
	}
	d.inbox = inbox
	d.version = workflow.GetVersion(ctx, changeDistill, workflow.DefaultVersion, versionOrdered)
	if err := workflow.SetQueryHandler(ctx, QueryStatus, func() (Status, error) { return d.status(), nil }); err != nil {
		return err
	}
	for _, name := range []string{SignalPause, SignalResume, SignalStop} { // nothing comes here: the UI learns what can be sent
		workflow.GetSignalChannelWithOptions(ctx, name, workflow.SignalChannelOptions{Description: orders[name].words})
	}
	workflow.Go(ctx, func(ctx workflow.Context) {
		for workflow.Await(ctx, func() bool { return len(d.inbox.orders) > 0 }) == nil {
			d.obey()
		}
	})
	return nil
}

// obey does what the signals that have come ask for. An execution that ends calls it first: a signal may have come with the very
// last of its activities, and would not be there in the next execution.
func (d *distillation) obey() {
	names := d.inbox.take()
	if !d.since(versionOrdered) {
		slices.SortStableFunc(names, func(a, b string) int { return orders[a].rank - orders[b].rank })
	}
	for _, name := range names {
		orders[name].do(d.st)
	}
}

// gate waits while the run is paused.
func (d *distillation) gate(ctx workflow.Context) {
	if !d.st.Paused {
		return
	}
	stage := d.stage
	d.show(ctx, StagePaused)
	// Await fails only when the workflow is cancelled, which the next activity reports.
	_ = workflow.Await(ctx, func() bool { return !d.st.Paused })
	d.show(ctx, stage)
}

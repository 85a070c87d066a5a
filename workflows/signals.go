package workflows

import (
	"slices"

	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Signals tell a distillation what to do. They count in the order in which they come. The SDK does not keep that
// order: it puts each signal into a channel of its name, and runs the workflow when all signals that came meanwhile
// are there. A pause and a resume that come together could then be read either way. An interceptor sees the signals
// one by one, in the order of the history, and keeps them in one list.

// Interceptors returns what a worker of Queue needs beside the workflows. A distillation refuses to run without it.
func Interceptors() []interceptor.WorkerInterceptor {
	return []interceptor.WorkerInterceptor{&signalOrder{}}
}

type signalOrder struct {
	interceptor.WorkerInterceptorBase
}

// InterceptWorkflow gives an execution its inbox.
func (*signalOrder) InterceptWorkflow(
	_ workflow.Context, next interceptor.WorkflowInboundInterceptor,
) interceptor.WorkflowInboundInterceptor {
	b := &inbox{}
	b.Next = next
	return b
}

// inbox holds the signals that came to an execution and have had no effect yet.
type inbox struct {
	interceptor.WorkflowInboundInterceptorBase
	names []string    // of signals of people, the oldest first
	spent *RoundSpend // the last one that came, if any
}

type inboxKey struct{}

// ExecuteWorkflow lets the workflow find its inbox.
func (b *inbox) ExecuteWorkflow(ctx workflow.Context, in *interceptor.ExecuteWorkflowInput) (any, error) {
	return b.Next.ExecuteWorkflow(workflow.WithValue(ctx, inboxKey{}, b), in)
}

// HandleSignal keeps a signal of a distillation, and leaves others to the SDK.
func (b *inbox) HandleSignal(ctx workflow.Context, in *interceptor.HandleSignalInput) error {
	if in.SignalName == SignalSpent {
		var s RoundSpend
		if converter.GetDefaultDataConverter().FromPayloads(in.Arg, &s) == nil { // what cannot be read tells nothing
			b.spent = &s
		}
		return nil
	}
	if _, ok := signals[in.SignalName]; !ok {
		return b.Next.HandleSignal(ctx, in)
	}
	b.names = append(b.names, in.SignalName)
	return nil
}

// take empties the inbox.
func (b *inbox) take() []string {
	names := b.names
	b.names = nil
	return names
}

// signal is what a distillation makes of a signal.
type signal struct {
	words string // for the UI, which offers to send it
	rank  int    // executions before versionOrdered applied signals by rank, the lowest first
	apply func(*State)
}

var signals = map[string]signal{
	SignalPause:  {"pause before the next step", 0, func(st *State) { st.Paused = true }},
	SignalResume: {"go on", 1, func(st *State) { st.Paused = false }},
	SignalStop: {"end after the running segment: anneal, evaluate, report", 2,
		func(st *State) { st.Stop, st.Paused = true, false }},
}

// Versions of Distill: an execution goes on as it began.
const (
	changeDistill  = "distill"
	versionOrdered = 1 // applies signals in their order, and keeps a memo
	versionTold    = 2 // keeps in its memo what its rounds tell, too
	versionTuned   = 3 // trains the weights of what its last pass changed
	versionMerged  = 4 // merges what this training made alike

	versionDescribed = 5 // has programs described anew that have lost a term
	versionStopped   = 6 // begins no step after a pause that ended with a stop
	versionQuiet     = 7 // has no program described after such a pause
	versionHeld      = 8 // waits in a pause before rollouts, evaluation and report, too
	versionEarly     = 9 // makes no rollouts and no sketch once it was told to stop

	versionAtOnce = 10 // breaks its rollouts off when it is told to stop, and looks for no descriptions in a pause
)

// listen registers the status query and applies signals as they come.
func (d *distillation) listen(ctx workflow.Context) error {
	inbox, ok := ctx.Value(inboxKey{}).(*inbox)
	if !ok { // a panic fails the task but not the run, which goes on with another worker
		panic("this worker hears no signals: its options lack workflows.Interceptors()")
	}
	d.inbox = inbox
	d.version = workflow.GetVersion(ctx, changeDistill, workflow.DefaultVersion, versionAtOnce)
	status := func() (Status, error) { return d.status(), nil }
	if err := workflow.SetQueryHandler(ctx, QueryStatus, status); err != nil {
		return err
	}
	for _, name := range []string{SignalPause, SignalResume, SignalStop} {
		// Nothing comes into these channels. The UI learns from them which signals it can offer.
		options := workflow.SignalChannelOptions{Description: signals[name].words}
		workflow.GetSignalChannelWithOptions(ctx, name, options)
	}
	workflow.Go(ctx, func(ctx workflow.Context) {
		for workflow.Await(ctx, func() bool { return len(d.inbox.names) > 0 }) == nil {
			d.drainSignals()
		}
	})
	workflow.Go(ctx, func(ctx workflow.Context) {
		for workflow.Await(ctx, func() bool { return d.inbox.spent != nil }) == nil {
			d.updateRound(ctx, *d.inbox.spent)
			d.inbox.spent = nil
		}
	})
	return nil
}

// updateRound shows what the round under way has spent. A signal of an earlier round comes too late: its result counts.
func (d *distillation) updateRound(ctx workflow.Context, s RoundSpend) {
	if s.Round == d.round.Round {
		d.round.Spend = s.Spend
		if now := d.showDetails(ctx); d.version >= versionTold {
			d.updateMemo(ctx, now)
		}
	}
}

// drainSignals applies the signals that have come.
func (d *distillation) drainSignals() {
	names := d.inbox.take()
	if d.version < versionOrdered {
		slices.SortStableFunc(names, func(a, b string) int { return signals[a].rank - signals[b].rank })
	}
	for _, name := range names {
		signals[name].apply(d.st)
	}
}

// begin shows the stage that comes next, and waits while the run is paused. It reports whether the stage is still due:
// it is not if the run was told to stop during the pause.
func (d *distillation) begin(ctx workflow.Context, next Stage) (due bool) {
	d.show(ctx, next)
	if !d.st.Paused {
		return true
	}
	d.show(ctx, StagePaused)
	d.pause(ctx)
	d.show(ctx, next)
	return !d.st.Stop || d.version < versionStopped
}

// hold is begin for a stage that is due also after a stop.
func (d *distillation) hold(ctx workflow.Context, next Stage) {
	if d.version < versionHeld {
		d.show(ctx, next)
		return
	}
	d.begin(ctx, next)
}

// untilStop runs a step of whose results a run that was told to stop makes no use: a stop breaks it off, and is no
// error.
func (d *distillation) untilStop(ctx workflow.Context, step func(workflow.Context) error) error {
	if d.version < versionAtOnce {
		return step(ctx)
	}
	stepping, end := workflow.WithCancel(ctx)
	defer end()
	workflow.Go(stepping, func(ctx workflow.Context) {
		if workflow.Await(ctx, func() bool { return d.st.Stop }) == nil {
			end()
		}
	})
	err := step(stepping)
	if d.st.Stop && ctx.Err() == nil && temporal.IsCanceledError(err) {
		return nil
	}
	return err
}

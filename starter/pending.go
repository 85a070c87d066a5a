package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/workflows"
)

// How a step of a run is held up.
const (
	waitRetry  = "retry"     // it failed and will be tried again
	waitAgain  = "again"     // it failed and runs again
	waitWorker = "no worker" // nobody asks for it, or who had it is gone
	waitTurn   = "turn"      // all workers are busy
	waitLLM    = "llm"       // it asks the LLM in vain
	waitPaused = "paused"    // in Temporal, by hand
)

// wait is why a run does not go on as it should.
type wait struct {
	Kind   string     `json:"kind"`
	Step   string     `json:"step"`             // the activity
	Count  int        `json:"count"`            // activities of that name with the same trouble
	Try    int        `json:"try,omitempty"`    // that failed, or is under way
	Of     int        `json:"of,omitempty"`     // tries at most; 0: no limit
	Next   *time.Time `json:"next,omitempty"`   // try
	Reason string     `json:"reason,omitempty"` // in words
}

func (w wait) String() string {
	step := w.Step
	if w.Count > 1 {
		step = fmt.Sprintf("%s ×%d", step, w.Count)
	}
	try := fmt.Sprintf("try %d", w.Try)
	if w.Of > 0 {
		try += fmt.Sprintf(" of %d", w.Of)
	}
	switch w.Kind {
	case waitRetry:
		return fmt.Sprintf("waiting: %s failed, %s, %s: %s", step, try, soon(w.Next, "the next is due"), w.Reason)
	case waitAgain:
		return fmt.Sprintf("going on: %s runs again, %s; the one before failed: %s", step, try, w.Reason)
	case waitLLM:
		return fmt.Sprintf("waiting: %s: %s; %s, %s", step, w.Reason, try, soon(w.Next, "under way"))
	}
	return fmt.Sprintf("waiting: %s: %s", step, w.Reason)
}

// soon says when the next try comes, or what is so where no time for it is known or left.
func soon(t *time.Time, now string) string {
	if t == nil || time.Until(*t) <= 0 {
		return now
	}
	return fmt.Sprintf("next in %s", time.Until(*t).Round(time.Second))
}

// pending is what a run and its children do now.
type pending struct {
	waits   []wait
	running *workflows.Progress // of the first activity that tells
	asking  time.Time           // since when that activity asks the LLM; zero where it does something else
	started bool                // some activity is under way
	spent   workflows.Spend     // by rounds that have not ended yet

	answers bool // a worker answers queries
}

// lookPending asks Temporal what a run and its children do now. What they have spent they say themselves, where a worker answers.
func lookPending(ctx context.Context, c client.Client, id string, answers bool) pending {
	p := pending{answers: answers}
	p.look(ctx, c, id)
	kept := p.waits[:0]
	for _, w := range p.waits {
		if w.Kind != waitTurn || !p.started { // where others of the run are under way, that is as it should be
			kept = append(kept, w)
		}
	}
	p.waits = kept
	return p
}

func (p *pending) look(ctx context.Context, c client.Client, id string) {
	desc, err := c.DescribeWorkflowExecution(ctx, id, "")
	if err != nil {
		return // the status query says what is wrong
	}
	if t := desc.GetPendingWorkflowTask(); t.GetAttempt() > 1 {
		step := "the workflow " + desc.WorkflowExecutionInfo.GetType().GetName()
		p.add(wait{Kind: waitRetry, Step: step, Try: int(t.GetAttempt()) - 1, Reason: taskFailure(ctx, c, id)})
	}
	for _, a := range desc.PendingActivities {
		p.activity(ctx, c, a)
	}
	for _, child := range desc.PendingChildren {
		p.look(ctx, c, child.WorkflowId)
		p.spending(ctx, c, child)
	}
}

// spending asks a round under way what it has spent.
func (p *pending) spending(ctx context.Context, c client.Client, child *workflow.PendingChildExecutionInfo) {
	if round := child.WorkflowTypeName; !p.answers || round != workflows.NameTextGradRound && round != workflows.NameAdd {
		return
	}
	value, err := c.QueryWorkflow(ctx, child.WorkflowId, child.RunId, workflows.QuerySpend)
	if err != nil {
		return // one that does not answer is counted when it ends
	}
	var s workflows.Spend
	if value.Get(&s) == nil {
		p.spent = p.spent.Plus(s)
	}
}

// activity adds what holds an activity up, if anything.
func (p *pending) activity(ctx context.Context, c client.Client, a *workflow.PendingActivityInfo) {
	w := wait{Step: a.GetActivityType().GetName(), Of: int(a.MaximumAttempts), Try: int(a.Attempt)}
	if a.LastFailure != nil {
		_, w.Reason = cause(failureError(a.LastFailure))
	}
	switch a.State {
	case enums.PENDING_ACTIVITY_STATE_STARTED, enums.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED,
		enums.PENDING_ACTIVITY_STATE_PAUSE_REQUESTED:
		p.started = true
		if fleet.Ended(a.LastWorkerIdentity) {
			w.Kind, w.Reason = waitWorker, "its worker has ended; Temporal gives it to another one within seconds"
			p.add(w)
			return
		}
		now := progress(a)
		if now != nil && p.running == nil {
			p.running = now
			queue := a.GetActivityOptions().GetTaskQueue().GetName()
			if strings.HasPrefix(queue, workflows.LLMQueue) && !noAnswer(a) {
				p.asking = a.LastStartedTime.AsTime()
			}
		}
		switch {
		case noAnswer(a):
			w.Kind = waitLLM
			p.add(w)
		case a.LastFailure != nil:
			w.Kind = waitAgain
			p.add(w)
		}
	case enums.PENDING_ACTIVITY_STATE_PAUSED:
		w.Kind, w.Reason = waitPaused, "paused in Temporal by hand (temporal activity unpause)"
		p.add(w)
	default:
		p.scheduled(ctx, c, a, w)
	}
}

// scheduled adds why an activity that is due, or will be, is not under way.
func (p *pending) scheduled(ctx context.Context, c client.Client, a *workflow.PendingActivityInfo, w wait) {
	queue := a.GetActivityOptions().GetTaskQueue().GetName()
	last, err := fleet.LastActivityPoll(ctx, c, queue)
	switch {
	case queue != "" && err == nil && last.IsZero():
		w.Kind, w.Reason = waitWorker, deserted(queue, w.Reason)
	case a.LastFailure != nil:
		w.Kind = waitLLM // whose try is the next one
		if !noAnswer(a) {
			w.Kind, w.Try = waitRetry, w.Try-1
		}
		if t := a.NextAttemptScheduleTime; t != nil {
			next := t.AsTime()
			w.Next = &next
		}
	default:
		w.Kind, w.Reason = waitTurn, "its worker is busy with other work"
	}
	p.add(w)
}

// noAnswer reports whether the attempt before ended since the LLM did not answer.
func noAnswer(a *workflow.PendingActivityInfo) bool {
	return a.GetLastFailure().GetApplicationFailureInfo().GetType() == workflows.ErrLLMNoAnswer
}

// deserted says that no worker asks a task queue for work, and how the activity failed before that, if it did.
func deserted(queue, failed string) string {
	who, start := "no worker", "start one with epb dev up worker (or run epb-worker)"
	for _, part := range []string{workflows.ComputeQueue, workflows.LLMQueue} {
		if kernels, ok := strings.CutPrefix(queue, workflows.QueueFor(part, "")+"-"); ok {
			who += " with the numeric kernels " + kernels
			family, _, _ := strings.Cut(kernels, "-")
			start = "start one on a machine that has them, if need be with " + tensorops.CoreVariable + "=" + family
		}
	}
	text := fmt.Sprintf("%s asks for it on task queue %s: unless all have been busy for minutes, %s", who, queue, start)
	if failed != "" {
		text += "; before that it failed: " + failed
	}
	return text
}

// add adds a wait, or counts it where another activity of that name has the same trouble.
func (p *pending) add(w wait) {
	for i := range p.waits {
		if o := &p.waits[i]; o.Kind == w.Kind && o.Step == w.Step && o.Reason == w.Reason {
			o.Count++
			return
		}
	}
	w.Count = 1
	p.waits = append(p.waits, w)
}

// progress returns what an activity under way last told of itself, or nil where it has not yet: what a try before it
// told is of no use any more.
func progress(a *workflow.PendingActivityInfo) *workflows.Progress {
	if a.GetHeartbeatDetails() == nil || a.LastHeartbeatTime.AsTime().Before(a.LastStartedTime.AsTime()) {
		return nil
	}
	var now workflows.Progress
	decode(a.HeartbeatDetails, &now)
	return &now
}

// taskFailure says why a workflow's own step failed, as its history has it.
func taskFailure(ctx context.Context, c client.Client, id string) string {
	const unknown = "see the worker's log (epb dev logs worker)"
	opts, err := temporalOptions()
	if err != nil {
		return unknown
	}
	last := &workflowservice.GetWorkflowExecutionHistoryReverseRequest{
		Namespace: opts.Namespace, Execution: &common.WorkflowExecution{WorkflowId: id}, MaximumPageSize: 20,
	}
	history, err := c.WorkflowService().GetWorkflowExecutionHistoryReverse(ctx, last)
	if err != nil {
		return unknown
	}
	for _, e := range history.GetHistory().GetEvents() {
		if f := e.GetWorkflowTaskFailedEventAttributes(); f != nil {
			_, text := cause(failureError(f.GetFailure()))
			return text
		}
	}
	return unknown
}

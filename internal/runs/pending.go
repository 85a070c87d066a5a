package runs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/workflows"
)

// Pending is the current work of a run and its children.
type Pending struct {
	Waits   []Wait
	Running *workflows.Progress // last heartbeat of the first activity that has sent one; nil: none has
	Asking  time.Time           // since when that activity asks the LLM; zero where it does something else
	Spent   workflows.Spend     // by activities that have not ended yet
	Round   workflows.Spend     // by the round under way without these, as it answers itself; zero where it does not

	started bool // some activity is under way
	answers bool // a worker answers queries
}

// Pending asks Temporal for the current work of a run and its children. It asks the runs themselves what they have
// spent; a worker must answer that.
func (r *Reader) Pending(ctx context.Context, id string, answers bool) Pending {
	p := Pending{answers: answers}
	p.look(ctx, r, id)
	kept := p.Waits[:0]
	for _, w := range p.Waits {
		if w.Kind != WaitTurn || !p.started { // where others of the run are under way, that is as it should be
			kept = append(kept, w)
		}
	}
	p.Waits = kept
	return p
}

func (p *Pending) look(ctx context.Context, r *Reader, id string) {
	desc, err := r.Client.DescribeWorkflowExecution(ctx, id, "")
	if err != nil {
		return // the status query says what is wrong
	}
	if t := desc.GetPendingWorkflowTask(); t.GetAttempt() > 1 {
		step := "the workflow " + desc.WorkflowExecutionInfo.GetType().GetName()
		p.add(Wait{Kind: WaitRetry, Step: step, Try: int(t.GetAttempt()) - 1, Reason: r.taskFailure(ctx, id)})
	}
	for _, a := range desc.PendingActivities {
		p.activity(ctx, r, a)
	}
	for _, child := range desc.PendingChildren {
		p.spending(ctx, r, child) // first: an activity that ends in between is then not counted twice
		p.look(ctx, r, child.WorkflowId)
	}
}

// Spending is what the run of this status has spent, with the round under way and the activities that have not ended
// yet. Rounds of this version tell their run what they spend; older ones only answer when they are asked.
func (p Pending) Spending(s workflows.Status) workflows.Spend {
	round := s.Round
	if p.Round.Calls > round.Calls {
		round = p.Round
	}
	return s.Spend.Plus(round).Plus(p.Spent)
}

// spending asks the current round what it has spent.
func (p *Pending) spending(ctx context.Context, r *Reader, child *workflow.PendingChildExecutionInfo) {
	if round := child.WorkflowTypeName; !p.answers || round != workflows.NameTextGradRound &&
		round != workflows.NameAdd {
		return
	}
	value, err := r.Client.QueryWorkflow(ctx, child.WorkflowId, child.RunId, workflows.QuerySpend)
	if err != nil {
		return // one that does not answer is counted when it ends
	}
	var s workflows.Spend
	if value.Get(&s) == nil {
		p.Round = p.Round.Plus(s)
	}
}

// activity adds what holds an activity up, if anything.
func (p *Pending) activity(ctx context.Context, r *Reader, a *workflow.PendingActivityInfo) {
	w := Wait{Step: a.GetActivityType().GetName(), Of: int(a.MaximumAttempts), Try: int(a.Attempt)}
	var told workflows.Progress // by any attempt: the next one finds the answers of those before it, and counts them
	decode(a.HeartbeatDetails, &told)
	p.Spent = p.Spent.Plus(told.Spend)
	if a.LastFailure != nil {
		_, w.Reason = cause(failureError(a.LastFailure))
	}
	switch a.State {
	case enums.PENDING_ACTIVITY_STATE_STARTED, enums.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED,
		enums.PENDING_ACTIVITY_STATE_PAUSE_REQUESTED:
		p.started = true
		if fleet.Ended(a.LastWorkerIdentity) {
			w.Kind, w.Reason = WaitWorker, "its worker has ended; Temporal gives it to another one within seconds"
			p.add(w)
			return
		}
		now := progress(a)
		if now != nil && p.Running == nil {
			p.Running = now
			queue := a.GetActivityOptions().GetTaskQueue().GetName()
			if strings.HasPrefix(queue, workflows.LLMQueue) && !noAnswer(a) {
				p.Asking = a.LastStartedTime.AsTime()
			}
		}
		switch {
		case noAnswer(a):
			w.Kind = WaitLLM
			p.add(w)
		case a.LastFailure != nil:
			w.Kind = WaitAgain
			p.add(w)
		}
	case enums.PENDING_ACTIVITY_STATE_PAUSED:
		w.Kind, w.Reason = WaitPaused, "paused in Temporal by hand (temporal activity unpause)"
		p.add(w)
	default:
		p.scheduled(ctx, r, a, w)
	}
}

// scheduled adds why an activity that is due, or will be, is not under way.
func (p *Pending) scheduled(ctx context.Context, r *Reader, a *workflow.PendingActivityInfo, w Wait) {
	queue := a.GetActivityOptions().GetTaskQueue().GetName()
	last, err := fleet.LastActivityPoll(ctx, r.Client, queue)
	switch {
	case queue != "" && err == nil && last.IsZero():
		w.Kind, w.Reason = WaitWorker, deserted(queue, w.Reason)
	case a.LastFailure != nil:
		w.Kind = WaitLLM // its Try is the attempt that comes next
		if !noAnswer(a) {
			w.Kind, w.Try = WaitRetry, w.Try-1
		}
		if t := a.NextAttemptScheduleTime; t != nil {
			next := t.AsTime()
			w.Next = &next
		}
	default:
		w.Kind, w.Reason = WaitTurn, "its worker is busy with other work"
	}
	p.add(w)
}

// noAnswer reports whether the previous attempt ended because the LLM did not answer.
func noAnswer(a *workflow.PendingActivityInfo) bool {
	return a.GetLastFailure().GetApplicationFailureInfo().GetType() == workflows.ErrLLMNoAnswer
}

// deserted reports that no worker polls a task queue, and how the activity failed before that, if it did.
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
func (p *Pending) add(w Wait) {
	for i := range p.Waits {
		if o := &p.Waits[i]; o.Kind == w.Kind && o.Step == w.Step && o.Reason == w.Reason {
			o.Count++
			return
		}
	}
	w.Count = 1
	p.Waits = append(p.Waits, w)
}

// progress returns the last progress that the current attempt of an activity reported, or nil. Reports of earlier
// attempts do not count.
func progress(a *workflow.PendingActivityInfo) *workflows.Progress {
	if a.GetHeartbeatDetails() == nil || a.LastHeartbeatTime.AsTime().Before(a.LastStartedTime.AsTime()) {
		return nil
	}
	var now workflows.Progress
	decode(a.HeartbeatDetails, &now)
	return &now
}

// taskFailure says why a workflow's own step failed, as its history has it.
func (r *Reader) taskFailure(ctx context.Context, id string) string {
	const unknown = "see the worker's log (epb dev logs worker)"
	last := &workflowservice.GetWorkflowExecutionHistoryReverseRequest{
		Namespace: r.Namespace, Execution: &common.WorkflowExecution{WorkflowId: id}, MaximumPageSize: 20,
	}
	history, err := r.Client.WorkflowService().GetWorkflowExecutionHistoryReverse(ctx, last)
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

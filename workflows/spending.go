package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// QuerySpend is a query that TextGradRound and Add answer: what they have spent so far. The distillation adds that to
// its own spending when they end.
const QuerySpend = "spend"

// SignalSpent is the signal by which a round tells its distillation what it has spent so far, a RoundSpend. The
// distillation shows it, and keeps it in its memo, where it can be read while no worker runs. It decides nothing by it.
const SignalSpent = "spent"

// RoundSpend is what a round has spent so far.
type RoundSpend struct {
	Round string `json:"round"` // its workflow ID
	Spend Spend  `json:"spend"`
}

// Versions of TextGradRound and Add: an execution goes on as it began.
const (
	changeRound    = "round"
	versionTelling = 1 // tells its distillation what it has spent
)

// meter adds up what the activities of a round have spent, as each ends.
type meter struct {
	spent Spend
	told  Spend // to the distillation
}

type meterKey struct{}

// withMeter gives a round its meter. The round answers QuerySpend, and shows and tells what it has spent.
func withMeter(ctx workflow.Context, what string) (workflow.Context, error) {
	m := &meter{}
	err := workflow.SetQueryHandler(ctx, QuerySpend, func() (Spend, error) { return m.spent, nil })
	if err != nil {
		return ctx, err
	}
	m.show(ctx, what)
	if workflow.GetVersion(ctx, changeRound, workflow.DefaultVersion, versionTelling) >= versionTelling {
		workflow.Go(ctx, func(ctx workflow.Context) {
			for workflow.Await(ctx, func() bool { return m.spent != m.told }) == nil {
				m.show(ctx, what)
				m.tell(ctx)
			}
		})
	}
	return workflow.WithValue(ctx, meterKey{}, m), nil
}

// show shows in Temporal's UI what the round is for and what it has spent.
func (m *meter) show(ctx workflow.Context, what string) {
	workflow.SetCurrentDetails(ctx, what+"\n\nLLM, in this round: "+m.spent.String()+"\n")
}

// tell sends the distillation of the round what it has spent, and does not wait until it arrives. The result of the
// round holds the whole sum in any case.
func (m *meter) tell(ctx workflow.Context) {
	m.told = m.spent
	info := workflow.GetInfo(ctx)
	if run := info.ParentWorkflowExecution; run != nil {
		so := RoundSpend{Round: info.WorkflowExecution.ID, Spend: m.spent}
		workflow.SignalExternalWorkflow(ctx, run.ID, "", SignalSpent, so)
	}
}

// countSpending adds what an activity spent to the meter of ctx, if it has one.
func countSpending(ctx workflow.Context, out any, err error) {
	if m, ok := ctx.Value(meterKey{}).(*meter); ok {
		m.spent = m.spent.Plus(spentOn(out, err))
	}
}

// withRoundSpending adds to the summary of an activity what its round has spent when it begins, if it is in a round.
func withRoundSpending(ctx workflow.Context, summary string) string {
	if m, ok := ctx.Value(meterKey{}).(*meter); ok && m.spent.Calls > 0 {
		return summary + " · LLM, in this round: " + m.spent.String()
	}
	return summary
}

// spender is the result of an activity that asks the LLM.
type spender interface{ spending() Spend }

func (g Gradient) spending() Spend  { return g.Spend }
func (c Candidate) spending() Spend { return c.Spend }
func (p Proposal) spending() Spend  { return p.Spend }

// spentOn is what an activity spent on the LLM, whether it ended with a result or an error: an activity that fails
// after some of its questions tells in the details of its error what they cost.
func spentOn(out any, err error) Spend {
	var s Spend
	var app *temporal.ApplicationError
	if errors.As(err, &app) && app.HasDetails() {
		_ = app.Details(&s) // details of another kind leave s empty
	}
	if o, ok := out.(spender); ok {
		s = s.Plus(o.spending())
	}
	return s
}

package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// QuerySpend is a query that TextGradRound and Add answer: what they have spent so far. The distillation adds that to
// its own spending when they end.
const QuerySpend = "spend"

// meter adds up what the activities of an execution have spent, as each ends.
type meter struct{ spent Spend }

type meterKey struct{}

// withMeter gives an execution its meter and makes it answer QuerySpend.
func withMeter(ctx workflow.Context) (workflow.Context, error) {
	m := &meter{}
	err := workflow.SetQueryHandler(ctx, QuerySpend, func() (Spend, error) { return m.spent, nil })
	return workflow.WithValue(ctx, meterKey{}, m), err
}

// countSpending adds what an activity spent to the meter of ctx, if it has one.
func countSpending(ctx workflow.Context, out any, err error) {
	if m, ok := ctx.Value(meterKey{}).(*meter); ok {
		m.spent = m.spent.Plus(spentOn(out, err))
	}
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

package workflows

import "go.temporal.io/sdk/workflow"

// QuerySpend is a query that TextGradRound and Add answer: what they have spent so far. The distillation adds that to
// its own spending when they end.
const QuerySpend = "spend"

// meter adds up what the activities of an execution have spent, as each ends.
type meter struct{ spent Spend }

type meterKey struct{}

// withMeter gives an execution its meter and has it answer QuerySpend.
func withMeter(ctx workflow.Context) (workflow.Context, error) {
	m := &meter{}
	err := workflow.SetQueryHandler(ctx, QuerySpend, func() (Spend, error) { return m.spent, nil })
	return workflow.WithValue(ctx, meterKey{}, m), err
}

// spender is the result of an activity that asks the LLM.
type spender interface{ spending() Spend }

func (g Gradient) spending() Spend  { return g.Spend }
func (c Candidate) spending() Spend { return c.Spend }
func (p Proposal) spending() Spend  { return p.Spend }

// countSpending adds what an activity spent that ended with a result or an error to the meter of ctx, if it has one.
func countSpending(ctx workflow.Context, out any, err error) {
	m, ok := ctx.Value(meterKey{}).(*meter)
	if !ok {
		return
	}
	m.spent = m.spent.Plus(spentBefore(err))
	if s, ok := out.(spender); ok {
		m.spent = m.spent.Plus(s.spending())
	}
}

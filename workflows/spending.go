package workflows

import "go.temporal.io/sdk/workflow"

// QuerySpend is answered by TextGradRound and Add: what they have spent so far. Their run books it when they end.
const QuerySpend = "spend"

// till counts what the activities of an execution have spent, as they end.
type till struct{ spent Spend }

type tillKey struct{}

// opened gives an execution its till and has it answer QuerySpend.
func opened(ctx workflow.Context) (workflow.Context, error) {
	t := &till{}
	err := workflow.SetQueryHandler(ctx, QuerySpend, func() (Spend, error) { return t.spent, nil })
	return workflow.WithValue(ctx, tillKey{}, t), err
}

// costly is the result of an activity that asks the LLM.
type costly interface{ cost() Spend }

func (g Gradient) cost() Spend  { return g.Spend }
func (c Candidate) cost() Spend { return c.Spend }
func (p Proposal) cost() Spend  { return p.Spend }

// ring counts what an activity spent that ended with a result or an error.
func ring(ctx workflow.Context, out any, err error) {
	t, ok := ctx.Value(tillKey{}).(*till)
	if !ok {
		return
	}
	t.spent = t.spent.Plus(paid(err))
	if c, ok := out.(costly); ok {
		t.spent = t.spent.Plus(c.cost())
	}
}

package workflows

import (
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

// A budget is divided before it is spent (see package ledger). This file says into how many parts.

// inWaves makes n revisions. They run in parallel, all at once or, if the budget has no room for so many, one wave
// after another. At the start of a wave, each of its revisions gets an equal share of what is left. After an error the
// wave ends, and no other one begins.
//
// For example, seven revisions have ten calls. A revision needs room for two, a gradient and the step that follows it,
// so the first wave has five of them, with two calls each. If they spend six, four calls are left: the second wave has
// the other two revisions, again with two calls each.
func inWaves(
	ctx workflow.Context, cfg config.LLM, budget *ledger.Budget, n int,
	revise func(ctx workflow.Context, i int, share *ledger.Budget) (Spend, error),
) (spend Spend, err error) {
	for done := 0; done < n && err == nil; {
		left := budget.Minus(spend)
		wave := left.Fits(cfg.Worst(2), n-done)
		share := left.Share(wave)
		spends, errs := make([]Spend, wave), make([]error, wave)
		wg := workflow.NewWaitGroup(ctx)
		for i := range wave {
			wg.Add(1)
			workflow.Go(ctx, func(ctx workflow.Context) {
				defer wg.Done()
				spends[i], errs[i] = revise(ctx, done+i, share)
			})
		}
		wg.Wait(ctx)
		for i := range wave {
			spend = spend.Plus(spends[i])
			if err == nil {
				err = errs[i]
			}
		}
		done += wave
	}
	return spend, err
}

// askGradients asks for textual gradients in parallel. It returns those that could be read, in the order of ins, and
// what was wrong with the last one that could not. One call is kept for the step that follows them; of the rest, it
// asks for as many at a time as there is room for. Gradients that the budget does not reach are left out.
//
// For example, nine calls are left for four gradients. One is kept, and all four have room in the other eight: they
// are asked for at once. Each may spend two calls, so a reply that cannot be read is asked for again.
//
// Executions that began when the shares held the kept call too replay without a version: the number of questions after
// any results is what it was then, and replay does not compare what a question may spend.
func askGradients(
	ctx workflow.Context, summary string, ins []BackwardInput, budget *ledger.Budget,
) (valid []store.Ref, problem string, spend Spend, err error) {
	for len(ins) > 0 && err == nil {
		one := ins[0].LLM.Worst(1)
		left := budget.Minus(spend).Minus(one)
		n := left.Fits(one, len(ins))
		futures := make([]Future[Gradient], n)
		for i := range futures {
			ins[i].Budget = left.Share(n)
			futures[i] = Backward.Start(ctx, summary, ins[i])
		}
		ins = ins[n:]
		for _, f := range futures {
			g, failed := f.Get(ctx)
			spend = spend.Plus(spentOn(g, failed))
			switch {
			case failed != nil && (err == nil || overBudget(err)):
				err = failed // an error that is not of the budget counts before one that is
			case g.Valid:
				valid = append(valid, g.Object)
			case failed == nil:
				problem = g.Problem
			}
		}
	}
	if overBudget(err) && len(valid) > 0 {
		err = nil
	}
	return valid, problem, spend, err
}

package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

// describeAnew keeps the pairs (c_m, d_m) aligned: it has the LLM describe the programs again that have lost a term of
// which their descriptions may still tell. A program that the LLM does not describe keeps the description that it has,
// which names the lost term at its end. The next call of describeAnew asks for it again. That helps if the LLM was away
// or the budget had ended, or if the program's source has changed since. Where the reply was of no use, the same
// question has the same stored reply.
func (d *distillation) describeAnew(ctx workflow.Context) error {
	if d.version < versionDescribed {
		return nil
	}
	if d.st.Paused && d.version >= versionAtOnce && !d.begin(ctx, StageDescribing) {
		return nil
	}
	outdated, err := Outdated.Run(ctx, d.caption("find descriptions that tell of lost terms"), OutdatedInput{
		Bank: d.st.Model.Bank,
	})
	if err != nil || len(outdated.Programs) == 0 {
		return err
	}
	if due := d.begin(ctx, StageDescribing); !due && d.version >= versionQuiet {
		return nil
	}
	anew := make([]store.Ref, len(outdated.Programs))
	_, err = inWaves(ctx, d.cfg.LLM, d.budget(), len(anew),
		func(ctx workflow.Context, i int, share *ledger.Budget) (Spend, error) {
			p := outdated.Programs[i]
			c, err := Describe.Run(ctx, d.caption("describe "+p.Name+" anew"), DescribeInput{
				LLMAccess: LLMAccess{LLM: d.cfg.LLM, Budget: share}, Heuristic: p.Heuristic, Bank: d.st.Model.Bank,
				Pass: d.st.Pass,
			})
			spend := spentOn(c, err)
			d.addSpending(spend) // at once, so that the status does not wait for the others
			if overBudget(err) || llmUnavailable(err) {
				return spend, nil
			}
			if c.Heuristic != p.Heuristic {
				anew[i] = c.Heuristic
			}
			return spend, err
		})
	anew = slices.DeleteFunc(anew, func(r store.Ref) bool { return r.Hash == "" })
	if err != nil || len(anew) == 0 {
		return err
	}
	m, err := Redescribe.Run(ctx, d.caption(fmt.Sprintf("new descriptions of %d programs", len(anew))),
		RedescribeInput{Model: d.st.Model, Heuristics: anew})
	if err != nil {
		return err
	}
	d.st.Model = m
	return nil
}

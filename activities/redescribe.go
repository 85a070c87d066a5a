package activities

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/workflows"
)

// Outdated returns the programs of a bank whose descriptions name terms that training has folded away: the rest of such
// a description may still tell of these terms.
func (a *Activities) Outdated(ctx context.Context, in workflows.OutdatedInput) (out workflows.Programs, err error) {
	hb := startHeartbeat(ctx, "reading descriptions")
	defer hb.stop()
	b, err := a.Store.Bank(ctx, in.Bank)
	if err != nil {
		return out, err
	}
	for _, h := range b.Heuristics {
		if !heuristic.TellsOfGone(h.Description) {
			continue
		}
		ref, err := a.Store.PutJSON(ctx, h)
		if err != nil {
			return out, err
		}
		out.Programs = append(out.Programs, workflows.Program{Name: h.Name, Heuristic: ref})
	}
	return out, nil
}

// Redescribe puts new descriptions of programs into the bank. The code of no program changes, so that the student and
// the number of the bank's revision stay.
func (a *Activities) Redescribe(ctx context.Context, in workflows.RedescribeInput) (workflows.Model, error) {
	hb := startHeartbeat(ctx, "storing descriptions")
	defer hb.stop()
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return in.Model, err
	}
	for _, ref := range in.Heuristics {
		described, err := a.Store.Heuristic(ctx, ref)
		if err != nil {
			return in.Model, err
		}
		m := b.Index(described.Name)
		if m < 0 {
			return in.Model, badInput(fmt.Errorf("%s is not in the bank: its new description has no place",
				described.Name))
		}
		b.Heuristics[m] = described
		if err := a.logRedescribed(ctx, described); err != nil {
			return in.Model, err
		}
	}
	in.Model.Bank, err = a.Store.PutJSON(ctx, b)
	return in.Model, err
}

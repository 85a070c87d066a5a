package activities

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/workflows"
)

// Expel takes a program out of the bank that crashes on some state. A student with static keys then has one key less.
func (a *Activities) Expel(ctx context.Context, in workflows.ExpelInput) (workflows.Revision, error) {
	hb := startHeartbeat(ctx, "taking out "+in.Name)
	defer hb.stop()
	out := workflows.Revision{Model: in.Model}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	i := b.Index(in.Name)
	if i < 0 {
		return out, badInput(fmt.Errorf("%s is not in the bank, and crashes: %s", in.Name, in.Reason))
	}
	if err := a.logRuling(ctx, b.Heuristics[i], journal.Ruling{Left: true, Text: in.Reason}); err != nil {
		return out, err
	}
	out.Events = []workflows.Event{
		in.Event(workflows.EventDrop, in.Name, "taken out, since it crashes: "+in.Reason),
	}
	b.Heuristics = slices.Delete(b.Heuristics, i, i+1)
	out.Model, err = a.revised(ctx, in.Model, b)
	return out, err
}

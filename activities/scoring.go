package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// scoring says which of some candidates score all states of some data.
type scoring struct {
	sound   []bank.Heuristic
	at      []int // index of each among the candidates
	crashed []crashed
}

// crashed is a candidate that takes no part, because it crashes in some state.
type crashed struct {
	program bank.Heuristic
	at      int // index among the candidates
	problem string
}

// scoring scores candidates on data, and logs those that crash there.
func (a *Activities) scoring(
	ctx context.Context, candidates []store.Ref, data workflows.Dataset, hb *heartbeat,
) (out scoring, err error) {
	for at, ref := range candidates {
		c, err := a.Store.Heuristic(ctx, ref)
		if err != nil {
			return out, err
		}
		problem, err := a.scoreAll(ctx, c, data, hb)
		if err != nil {
			return out, err
		}
		if problem == "" {
			out.sound, out.at = append(out.sound, c), append(out.at, at)
			continue
		}
		out.crashed = append(out.crashed, crashed{c, at, problem})
		if err := a.logRefusal(ctx, c, problem); err != nil {
			return out, err
		}
	}
	return out, nil
}

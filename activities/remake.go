package activities

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// recipe is what a shard was made from.
type recipe struct {
	Rollout *workflows.RolloutTask `json:"rollout,omitempty"`
	Dagger  *workflows.DaggerInput `json:"dagger,omitempty"`
}

// remake makes a shard again by its recipe.
func (a *Activities) remake(ctx context.Context, data []byte) (*rollout.Shard, error) {
	var r recipe
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	h := beat(context.Background(), "") // the caller's own beats for it
	defer h.still()
	switch {
	case r.Rollout != nil:
		return a.roll(ctx, *r.Rollout, h)
	case r.Dagger != nil:
		return a.label(ctx, *r.Dagger, h)
	}
	return nil, errors.New("its recipe is empty")
}

// lastSound returns what an earlier attempt of this activity had finished, if that can still be read: otherwise the
// segment begins anew.
func (a *Activities) lastSound(ctx context.Context) (workflows.TrainOutput, bool, error) {
	last, ok := lastCheckpoint(ctx)
	if !ok {
		return last, false, nil
	}
	for _, ref := range []store.Ref{last.Model.Bank, last.Model.Student} {
		if _, err := a.Store.Get(ctx, ref); store.IsLost(err) {
			slog.WarnContext(ctx, "a checkpoint is lost: its segment begins anew", "key", ref.Key(), "lost", err)
			return workflows.TrainOutput{}, false, nil
		} else if err != nil {
			return last, false, err
		}
	}
	return last, true, nil
}

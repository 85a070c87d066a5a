package activities

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/workflows"
)

// recipe is the input that a shard was made from.
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
	hb := startHeartbeat(context.Background(), "") // the caller has a heartbeat of its own
	switch {
	case r.Rollout != nil:
		return a.roll(ctx, *r.Rollout, hb)
	case r.Dagger != nil:
		return a.label(ctx, *r.Dagger, hb)
	}
	return nil, errors.New("its recipe is empty")
}

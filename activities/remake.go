package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// mourn notes in the worker's log what becomes of a damaged object. One that was never there is no news.
func mourn(ctx context.Context, key string, lost error, fate string) {
	if errors.Is(lost, store.ErrDamaged) {
		slog.WarnContext(ctx, "an object is damaged", "key", key, "damage", lost, "fate", fate)
	}
}

// recipe is what a shard was made from.
type recipe struct {
	Rollout *workflows.RolloutTask `json:"rollout,omitempty"`
	Dagger  *workflows.DaggerInput `json:"dagger,omitempty"`
}

func recipeKey(ref store.Ref) string { return "recipes/" + ref.Hash + ".json" }

// putRecipe keeps what a shard was made from, so that it can be made again.
func (a *Activities) putRecipe(ctx context.Context, made store.Ref, r recipe) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return a.Store.PutKey(ctx, recipeKey(made), data)
}

// remake makes a shard again that is lost, and puts it in its place. Where nobody knows how, or it turns out to be
// another one, the loss remains.
func (a *Activities) remake(ctx context.Context, ref store.Ref, lost error) ([]byte, error) {
	var r recipe
	known, err := a.Store.GetDerived(ctx, recipeKey(ref))
	if isLost(err) {
		return nil, lost
	}
	if err == nil {
		err = json.Unmarshal(known, &r)
	}
	if err != nil {
		return nil, errors.Join(lost, err)
	}
	sh, err := a.follows(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("%w; it cannot be made again: %w", lost, err)
	}
	data, err := sh.Marshal()
	if err != nil {
		return nil, err
	}
	if got := store.RefOf(data); got != ref {
		return nil, fmt.Errorf("%w; made again on this machine, whose numeric kernels may be others, it is %s", lost, got.Key())
	}
	if _, err := a.Store.Put(ctx, data); err != nil {
		return nil, err
	}
	slog.WarnContext(ctx, "a lost shard was made again", "key", ref.Key(), "lost", lost)
	return data, nil
}

// follows makes a shard by its recipe.
func (a *Activities) follows(ctx context.Context, r recipe) (*rollout.Shard, error) {
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
		if _, err := a.Store.Get(ctx, ref); isLost(err) {
			slog.WarnContext(ctx, "a checkpoint is lost: its segment begins anew", "key", ref.Key(), "lost", err)
			return workflows.TrainOutput{}, false, nil
		} else if err != nil {
			return last, false, err
		}
	}
	return last, true, nil
}

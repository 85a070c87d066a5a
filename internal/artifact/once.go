package artifact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
)

// manifest says which shard was made for a task.
type manifest struct {
	Object    store.Ref `json:"object"`
	Instances int       `json:"instances"`
	States    int       `json:"states"`
}

// Once returns the shard kept under a task and the numeric kernels of this process. It makes the shard where there is
// none, or where it is lost. Other kernels make other shards of the same task: a run that found those in the store
// would not be the run of its seed.
//
// A kind is the folder of tasks of one type. A recipe is all that Remake needs to make the same shard again; it is
// kept beside the shard.
func (s *Store) Once(ctx context.Context, kind string, task, recipe any, make func() (*rollout.Shard, error)) (
	store.Ref, *rollout.Shard, error,
) {
	key, err := s.taskKey(kind, task)
	if err != nil {
		return store.Ref{}, nil, err
	}
	ref, sh, err := s.made(ctx, key)
	if !store.IsLost(err) {
		return ref, sh, err
	}
	store.LogDamage(ctx, key, err, "made again")
	if sh, err = make(); err != nil {
		return store.Ref{}, nil, err
	}
	if ref, err = s.PutShard(ctx, sh); err != nil {
		return store.Ref{}, nil, err
	}
	data, err := json.Marshal(manifest{ref, sh.Instances(), sh.States()})
	if err != nil {
		return store.Ref{}, nil, err
	}
	if err := s.putRecipe(ctx, ref, recipe); err != nil {
		return store.Ref{}, nil, err
	}
	return ref, sh, s.PutKey(ctx, key, data)
}

// taskKey returns the key of a task's manifest.
func (s *Store) taskKey(kind string, task any) (string, error) {
	spec, err := json.Marshal(struct {
		Task    any
		Kernels string
	}{task, s.Kernels.ID()})
	sum := sha256.Sum256(spec)
	return fmt.Sprintf("%s/%s.json", kind, hex.EncodeToString(sum[:])), err
}

// made returns the shard that the manifest under key names.
func (s *Store) made(ctx context.Context, key string) (store.Ref, *rollout.Shard, error) {
	data, err := s.GetDerived(ctx, key)
	if err != nil {
		return store.Ref{}, nil, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return store.Ref{}, nil, err
	}
	sh, err := s.Shard(ctx, m.Object)
	return m.Object, sh, err
}

func recipeKey(shard store.Ref) string { return "recipes/" + shard.Hash + ".json" }

// putRecipe keeps what a shard was made from, so that it can be made again.
func (s *Store) putRecipe(ctx context.Context, shard store.Ref, recipe any) error {
	data, err := json.Marshal(recipe)
	if err != nil {
		return err
	}
	return s.PutKey(ctx, recipeKey(shard), data)
}

// remake makes a shard again that is lost, and puts it in its place. Where no recipe is known, or the shard turns out
// to be another one, the loss remains.
func (s *Store) remake(ctx context.Context, ref store.Ref, lost error) ([]byte, error) {
	recipe, err := s.GetDerived(ctx, recipeKey(ref))
	if store.IsLost(err) || s.Remake == nil {
		return nil, lost
	}
	if err != nil {
		return nil, errors.Join(lost, err)
	}
	sh, err := s.Remake(ctx, recipe)
	if err != nil {
		return nil, fmt.Errorf("%w; it cannot be made again: %w", lost, err)
	}
	data, err := sh.Marshal()
	if err != nil {
		return nil, err
	}
	if got := store.RefOf(data); got != ref {
		return nil, fmt.Errorf("%w; made again on this machine, whose numeric kernels may be others, it is %s",
			lost, got.Key())
	}
	if _, err := s.Put(ctx, data); err != nil {
		return nil, err
	}
	slog.WarnContext(ctx, "a lost shard was made again", "key", ref.Key(), "lost", lost)
	return data, nil
}

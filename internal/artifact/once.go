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

// manifest names the shard that was made for a task.
type manifest struct {
	Object store.Ref `json:"object"`
}

// Once returns the shard that is kept under a task and the numeric kernels of this process. It makes the shard if there
// is none, or if it is lost. The kernels are part of the key because other kernels make other shards of the same task:
// with those, a run would have other results than its seed gives.
//
// kind is the folder for tasks of one type. recipe is all that Remake needs to make the same shard again; it is stored
// beside the shard.
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
	data, err := json.Marshal(manifest{ref})
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

// putRecipe stores the data from which a shard was made, for remake.
func (s *Store) putRecipe(ctx context.Context, shard store.Ref, recipe any) error {
	data, err := json.Marshal(recipe)
	if err != nil {
		return err
	}
	return s.PutKey(ctx, recipeKey(shard), data)
}

// remake makes a lost shard again, and stores it at its old key. It returns lost, or an error that wraps it, if no
// recipe is known or if the new shard differs.
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

package artifact

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
)

// Shard returns a rollout shard. If it is lost and has a recipe, it is made again.
func (s *Store) Shard(ctx context.Context, ref store.Ref) (*rollout.Shard, error) {
	return through(ctx, s.memory, "shard/"+ref.Hash, func() (*rollout.Shard, int64, error) {
		data, err := s.Get(ctx, ref)
		if store.IsLost(err) {
			data, err = s.remake(ctx, ref, err)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("shard: %w", err)
		}
		sh, err := rollout.Unmarshal(data)
		if err != nil {
			return nil, 0, fmt.Errorf("shard %s: %w: %w", ref.Key(), err, ErrUnreadable)
		}
		return sh, int64(6*len(sh.Candidates) + 24*sh.States() + 8*sh.Instances()*sh.N), nil
	})
}

// Shards returns shards, in the order of their references.
func (s *Store) Shards(ctx context.Context, refs []store.Ref) ([]*rollout.Shard, error) {
	shards := make([]*rollout.Shard, len(refs))
	for i, ref := range refs {
		var err error
		if shards[i], err = s.Shard(ctx, ref); err != nil {
			return nil, err
		}
	}
	return shards, nil
}

// PutShard stores a shard.
func (s *Store) PutShard(ctx context.Context, sh *rollout.Shard) (store.Ref, error) {
	data, err := sh.Marshal()
	if err != nil {
		return store.Ref{}, err
	}
	return s.Put(ctx, data)
}

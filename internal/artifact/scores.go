package artifact

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
)

// Scores returns c_m(s) for every state of a shard, float32 [C] over its candidates: from memory, from the store, or
// computed and stored. If the program cannot score a state, the error is a *runtime.Crash.
func (s *Store) Scores(ctx context.Context, h bank.Heuristic, shard store.Ref) (*tensor.Dense, error) {
	p, giveBack, err := s.program(ctx, h)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	return s.Tensor(ctx, p.scoresKey(shard), func() (*tensor.Dense, error) {
		sh, err := s.Shard(ctx, shard)
		if err != nil {
			return nil, err
		}
		return p.ScoreShard(ctx, sh)
	})
}

// ForgetScores removes from the store the scores that the programs of old have on the shards, except those that the
// programs of now share. They are derived: whoever asks for them again has them computed again.
func (s *Store) ForgetScores(ctx context.Context, old, now []bank.Heuristic, shards []store.Ref) error {
	if len(old) == 0 {
		return nil
	}
	needed, err := s.scoresFolders(ctx, now)
	if err != nil {
		return err
	}
	left, err := s.scoresFolders(ctx, old)
	if err != nil {
		return err
	}
	var keys []string
	for _, folder := range left {
		if slices.Contains(needed, folder) {
			continue
		}
		for _, shard := range shards {
			keys = append(keys, folder+shard.Hash)
		}
	}
	return s.Delete(ctx, keys)
}

// scoresFolders returns the folders of the scores of programs.
func (s *Store) scoresFolders(ctx context.Context, hs []bank.Heuristic) ([]string, error) {
	folders := make([]string, len(hs))
	for m, h := range hs {
		p, giveBack, err := s.program(ctx, h)
		if err != nil {
			return nil, err
		}
		folders[m] = p.scoresFolder()
		giveBack()
	}
	return folders, nil
}

// Scored returns a shard with the scores of hs.
func (s *Store) Scored(ctx context.Context, hs []bank.Heuristic, shard store.Ref) (student.Dataset, error) {
	sh, err := s.Shard(ctx, shard)
	if err != nil {
		return student.Dataset{}, err
	}
	set := student.Dataset{Shard: sh, Scores: make([]*tensor.Dense, len(hs))}
	for m, h := range hs {
		if set.Scores[m], err = s.Scores(ctx, h, shard); err != nil {
			return student.Dataset{}, err
		}
	}
	return set, nil
}

// ScoredAsOne returns the shards as one data set, with the scores of hs.
func (s *Store) ScoredAsOne(ctx context.Context, hs []bank.Heuristic, shards []store.Ref) (student.Dataset, error) {
	parts, scores := make([]*rollout.Shard, len(shards)), make([][]float32, len(hs))
	for i, ref := range shards {
		part, err := s.Scored(ctx, hs, ref)
		if err != nil {
			return student.Dataset{}, err
		}
		parts[i] = part.Shard
		for m, c := range part.Scores {
			scores[m] = append(scores[m], dense.Must[float32]("scores", c, dense.Any)...)
		}
	}
	whole, err := rollout.Concat(parts...)
	all := student.Dataset{Shard: whole}
	for _, c := range scores {
		all.Scores = append(all.Scores, dense.Vector(c))
	}
	return all, err
}

// Tensor returns the float32 vector under key: from memory, from the store, or made and stored.
func (s *Store) Tensor(ctx context.Context, key string, make func() (*tensor.Dense, error)) (*tensor.Dense, error) {
	return through(ctx, s.memory, key, func() (*tensor.Dense, int64, error) {
		x, err := s.storedTensor(ctx, key)
		if err == nil {
			return x, int64(len(x.Raw)), nil
		}
		if !store.IsLost(err) {
			return nil, 0, err
		}
		store.LogDamage(ctx, key, err, "made again")
		if x, err = make(); err != nil {
			return nil, 0, err
		}
		data, err := safetensors.Encode([]safetensors.Tensor{{Name: "values", Dense: x}}, nil)
		if err != nil {
			return nil, 0, err
		}
		return x, int64(len(x.Raw)), s.PutKey(ctx, key, data)
	})
}

func (s *Store) storedTensor(ctx context.Context, key string) (*tensor.Dense, error) {
	data, err := s.GetDerived(ctx, key)
	if err != nil {
		return nil, err
	}
	tensors, _, err := safetensors.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", key, store.ErrDamaged, err)
	}
	if len(tensors) != 1 {
		return nil, fmt.Errorf("%s: %w: %d tensors, want 1", key, store.ErrDamaged, len(tensors))
	}
	return tensors[0].Dense, dense.Check[float32](key, tensors[0].Dense, dense.Any)
}

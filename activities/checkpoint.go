package activities

import (
	"context"
	"log/slog"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// lastCheckpoint returns the result that an earlier attempt of this activity checkpointed, if it can still be read.
// Otherwise the segment begins anew.
func lastCheckpoint(ctx context.Context, s *artifact.Store) (workflows.TrainOutput, bool, error) {
	before := told(ctx).Train
	if before == nil {
		return workflows.TrainOutput{}, false, nil
	}
	last := *before
	if ok, err := intact(ctx, s, last.Model.Bank, last.Model.Student); !ok {
		return workflows.TrainOutput{}, false, err
	}
	return last, true, nil
}

// lastSketch is lastCheckpoint for a sketch: nil if there is none.
func lastSketch(ctx context.Context, s *artifact.Store) (*sketch.Checkpoint, error) {
	before := told(ctx).Sketch
	if before == nil {
		return nil, nil
	}
	if ok, err := intact(ctx, s, before.Model); !ok {
		return nil, err
	}
	m, err := s.Model(ctx, before.Model)
	if err != nil {
		return nil, err
	}
	return &sketch.Checkpoint{Stages: before.Stages, Model: m}, nil
}

// intact reports whether the objects of a checkpoint can still be read. The error is of a store that does not answer.
func intact(ctx context.Context, s *artifact.Store, refs ...store.Ref) (bool, error) {
	for _, ref := range refs {
		if _, err := s.Get(ctx, ref); store.IsLost(err) {
			slog.WarnContext(ctx, "a checkpoint is lost: its activity begins anew", "key", ref.Key(), "lost", err)
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return true, nil
}

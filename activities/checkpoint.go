package activities

import (
	"context"
	"log/slog"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// lastCheckpoint returns the result that an earlier attempt of this activity checkpointed, if it can still be read.
// Otherwise the segment begins anew.
func (a *Activities) lastCheckpoint(ctx context.Context) (workflows.TrainOutput, bool, error) {
	before := told(ctx).Train
	if before == nil {
		return workflows.TrainOutput{}, false, nil
	}
	last := *before
	if ok, err := a.intact(ctx, last.Model.Bank, last.Model.Student); !ok {
		return workflows.TrainOutput{}, false, err
	}
	return last, true, nil
}

// lastSketch is lastCheckpoint for a sketch: nil if there is none.
func (a *Activities) lastSketch(ctx context.Context) (*sketch.Checkpoint, error) {
	before := told(ctx).Sketch
	if before == nil {
		return nil, nil
	}
	if ok, err := a.intact(ctx, before.Model); !ok {
		return nil, err
	}
	m, err := a.Store.Model(ctx, before.Model)
	if err != nil {
		return nil, err
	}
	return &sketch.Checkpoint{Stages: before.Stages, Model: m}, nil
}

// goOn restores the training of weights from the checkpoint of an earlier attempt. It reports false if there is none or
// it is lost.
func (w *tuningRun) goOn(ctx context.Context) (bool, error) {
	before := told(ctx).Weights
	if before == nil {
		return false, nil
	}
	if ok, err := w.intact(ctx, before.State, before.Student); !ok {
		return false, err
	}
	var err error
	if w.model, err = w.Store.Model(ctx, before.Student); err != nil {
		return false, err
	}
	return true, w.Store.GetJSON(ctx, before.State, &w.tuningState)
}

// keep checkpoints a training of weights.
func (w *tuningRun) keep(ctx context.Context) error {
	state, err := w.Store.PutJSON(ctx, w.tuningState)
	if err != nil {
		return err
	}
	router, err := w.putRouter(ctx, w.model, w.in.Train, w.in.Seed)
	if err != nil {
		return err
	}
	w.hb.weights(workflows.WeightsCheckpoint{State: state, Student: router})
	return nil
}

// putRouter stores a router as a segment of training takes it: with a trainer that has made no step.
func (a *Activities) putRouter(
	ctx context.Context, m *student.Model, train config.Train, seed uint64,
) (store.Ref, error) {
	return a.Store.PutTrainer(ctx, student.NewTrainer(m, schedule(train), seed))
}

// intact reports whether the objects of a checkpoint can still be read. The error is of a store that does not answer.
func (a *Activities) intact(ctx context.Context, refs ...store.Ref) (bool, error) {
	for _, ref := range refs {
		if _, err := a.Store.Get(ctx, ref); store.IsLost(err) {
			slog.WarnContext(ctx, "a checkpoint is lost: its activity begins anew", "key", ref.Key(), "lost", err)
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return true, nil
}

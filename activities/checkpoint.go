package activities

import (
	"context"
	"log/slog"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// lastCheckpoint returns the result that an earlier attempt of this activity checkpointed, if it can still be read.
// Otherwise the segment starts again.
func lastCheckpoint(ctx context.Context, s *artifact.Store) (workflows.TrainOutput, bool, error) {
	before := told(ctx).Train
	if before == nil {
		return workflows.TrainOutput{}, false, nil
	}
	last := *before
	for _, ref := range []store.Ref{last.Model.Bank, last.Model.Student} {
		if _, err := s.Get(ctx, ref); store.IsLost(err) {
			slog.WarnContext(ctx, "a checkpoint is lost: its segment begins anew", "key", ref.Key(), "lost", err)
			return workflows.TrainOutput{}, false, nil
		} else if err != nil {
			return last, false, err
		}
	}
	return last, true, nil
}

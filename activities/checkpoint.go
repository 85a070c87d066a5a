package activities

import (
	"context"
	"log/slog"

	"go.temporal.io/sdk/activity"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// lastCheckpoint returns the result that an earlier attempt of this activity checkpointed, if it can still be read.
// Otherwise the segment starts again.
func lastCheckpoint(ctx context.Context, s *artifact.Store) (workflows.TrainOutput, bool, error) {
	last, ok := lastHeartbeat(ctx)
	if !ok {
		return last, false, nil
	}
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

// lastHeartbeat returns the checkpoint in the last heartbeat of an earlier attempt.
func lastHeartbeat(ctx context.Context) (workflows.TrainOutput, bool) {
	var p workflows.Progress
	if !activity.IsActivity(ctx) || !activity.HasHeartbeatDetails(ctx) {
		return workflows.TrainOutput{}, false
	}
	if err := activity.GetHeartbeatDetails(ctx, &p); err != nil || p.Train == nil {
		return workflows.TrainOutput{}, false
	}
	return *p.Train, true
}

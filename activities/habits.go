package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/workflows"
)

// teacherHabits measures what the teacher usually does on the validation shards. These hold its own solutions only,
// while training shards may hold the student's (Dagger).
func teacherHabits(ctx context.Context, s *artifact.Store, data workflows.Dataset) (habits.Profile, error) {
	shards, err := s.Shards(ctx, refs(data.Val))
	if err != nil {
		return habits.Profile{}, err
	}
	return habits.Measure(shards, habits.GapSample)
}

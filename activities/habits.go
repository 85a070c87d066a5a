package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/workflows"
)

// teacherHabits measures what the teacher usually does on the validation shards. These hold its own solutions only,
// while training shards may hold the student's (Dagger).
func (a *Activities) teacherHabits(ctx context.Context, data workflows.Dataset) (habits.Profile, error) {
	shards, err := a.Store.Shards(ctx, refs(data.Val))
	if err != nil {
		return habits.Profile{}, err
	}
	return habits.Measure(shards, habits.GapSample)
}

// promptHabits returns what prompts tell of the teacher's habits: nothing if noHabits.
func (a *Activities) promptHabits(ctx context.Context, data workflows.Dataset, noHabits bool) ([]string, error) {
	if noHabits {
		return nil, nil
	}
	profile, err := a.teacherHabits(ctx, data)
	return profile.Sentences(), err
}

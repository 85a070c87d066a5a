package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// Dagger labels the student's own trajectories: on the instances of a training shard, from the first nodes the
// teacher's trajectories have there, the student decides and the teacher's distributions are recorded.
func (a *Activities) Dagger(ctx context.Context, in workflows.DaggerInput) (workflows.Shard, error) {
	hb := startHeartbeat(ctx, "student rollout")
	defer hb.stop()
	source := in.Data.Train[in.Shard]
	task := struct {
		Teacher, Bank, Student, Shard store.Ref
	}{in.Teacher, in.Model.Bank, in.Model.Student, source.Object}
	in.Data, in.Shard = workflows.Dataset{Train: []workflows.Shard{source}}, 0 // all that the shard is made from
	return a.once(ctx, "dagger", task, recipe{Dagger: &in}, func() (*rollout.Shard, error) {
		return a.label(ctx, in, hb)
	})
}

// label makes the shard of the student's own trajectories on a training shard.
func (a *Activities) label(ctx context.Context, in workflows.DaggerInput, hb *heartbeat) (*rollout.Shard, error) {
	sh, err := a.Store.Shard(ctx, in.Data.Train[in.Shard].Object)
	if err != nil {
		return nil, err
	}
	policy, giveBack, err := a.policyOf(ctx, in.Model, startrule.None)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	progress := func(done int) { hb.at(done, sh.Instances()) }
	paths, err := rollout.Follow(ctx, policy, sh, progress)
	if err != nil {
		return nil, err
	}
	hb.step("teacher labels")
	t, err := a.Store.Teacher(ctx, in.Teacher, in.Name)
	if err != nil {
		return nil, err
	}
	return paths.Record(ctx, t.ViaDepot(sh.ViaDepot), progress)
}

package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/workflows"
)

// Rollout makes one shard of teacher trajectories, or finds it: equal tasks give equal shards, in any run on the same
// numeric kernels.
func (a *Activities) Rollout(ctx context.Context, task workflows.RolloutTask) (workflows.Shard, error) {
	hb := startHeartbeat(ctx, "teacher rollout")
	defer hb.stop()
	return a.once(ctx, "rollouts", task, recipe{Rollout: &task}, func() (*rollout.Shard, error) {
		return a.roll(ctx, task, hb)
	})
}

// roll makes the shard of a task.
func (a *Activities) roll(ctx context.Context, task workflows.RolloutTask, hb *heartbeat) (*rollout.Shard, error) {
	problem, err := problems.Of(task.Problem)
	if err != nil {
		return nil, badInput(err)
	}
	t, err := a.Store.Teacher(ctx, task.Teacher, task.Name)
	if err != nil {
		return nil, err
	}
	insts := problem.Generate(task.Nodes, task.Count, task.Seed)
	starts := rollout.Starts(problem.Traits().Depots(), task.Nodes, task.Starts, task.Seed)
	progress := func(done int) { hb.at(done, task.Count) }
	return rollout.Record(ctx, t.ViaDepot(task.ViaDepot), insts, starts, progress)
}

// once returns the shard kept under a task. If there is none, or it is lost, it is made.
func (a *Activities) once(
	ctx context.Context, kind string, task any, r recipe, make func() (*rollout.Shard, error),
) (workflows.Shard, error) {
	ref, sh, err := a.Store.Once(ctx, kind, task, r, func() (*rollout.Shard, error) {
		sh, err := make()
		if err != nil {
			return nil, err
		}
		if err := sh.Validate(); err != nil {
			return nil, badInput(err)
		}
		return sh, nil
	})
	if err != nil {
		return workflows.Shard{}, err
	}
	return shardOf(ref, sh), nil
}

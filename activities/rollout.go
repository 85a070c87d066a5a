package activities

import (
	"context"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// Rollout makes one shard of teacher trajectories, or finds it: equal tasks give equal shards, in any run on the same
// numeric kernels.
func (a *Activities) Rollout(ctx context.Context, task workflows.RolloutTask) (workflows.Shard, error) {
	h := beat(ctx, "teacher rollout")
	defer h.still()
	return a.once(ctx, "rollouts", task, recipe{Rollout: &task}, func() (*rollout.Shard, error) {
		return a.roll(ctx, task, h)
	})
}

// roll makes the shard of a task.
func (a *Activities) roll(ctx context.Context, task workflows.RolloutTask, h *heart) (*rollout.Shard, error) {
	t, err := a.Store.Teacher(ctx, task.Teacher, task.Name)
	if err != nil {
		return nil, err
	}
	insts := generate(task.Problem, task.Nodes, task.Count, task.Seed)
	return rollout.Record(ctx, t.ViaDepot(task.ViaDepot), insts, starts(task), func(done int) { h.at(done, task.Count) })
}

// starts returns the runs of a task: the teacher's own start, or distinct random first nodes per instance.
func starts(task workflows.RolloutTask) func(i int) []routing.Run {
	if task.Starts == 0 {
		return func(int) []routing.Run { return []routing.Run{{Start: routing.OwnStart, Record: true}} }
	}
	return func(i int) []routing.Run {
		rng := rand.New(rand.NewPCG(task.Seed, uint64(i)))
		runs := make([]routing.Run, task.Starts)
		first := 0
		if task.Problem == routing.CVRP {
			first = 1 // a start is a customer
		}
		for r, node := range rng.Perm(task.Nodes)[:task.Starts] {
			runs[r] = routing.Run{Start: first + node, Record: true}
		}
		return runs
	}
}

// Dagger labels the student's own trajectories: on the instances of a training shard, from the first nodes the
// teacher's trajectories have there, the student decides and the teacher's distributions are recorded.
func (a *Activities) Dagger(ctx context.Context, in workflows.DaggerInput) (workflows.Shard, error) {
	h := beat(ctx, "student rollout")
	defer h.still()
	source := in.Data.Train[in.Shard]
	task := struct {
		Teacher, Bank, Student, Shard store.Ref
	}{in.Teacher, in.Model.Bank, in.Model.Student, source.Object}
	in.Data, in.Shard = workflows.Dataset{Train: []workflows.Shard{source}}, 0 // all that the shard is made from
	return a.once(ctx, "dagger", task, recipe{Dagger: &in}, func() (*rollout.Shard, error) {
		return a.label(ctx, in, h)
	})
}

// label makes the shard of the student's own trajectories on a training shard.
func (a *Activities) label(ctx context.Context, in workflows.DaggerInput, h *heart) (*rollout.Shard, error) {
	sh, err := a.Store.Shard(ctx, in.Data.Train[in.Shard].Object)
	if err != nil {
		return nil, err
	}
	insts := make([]routing.Instance, sh.Instances())
	runs := make([][]routing.Run, len(insts))
	for i := range insts {
		insts[i] = sh.Instance(i)
	}
	for r, i := range sh.InstanceOf {
		runs[i] = append(runs[i], routing.Run{Start: int(sh.Tour(r)[0])})
	}
	student, giveBack, err := a.student(ctx, in.Model, startrule.None)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	tours, err := routing.Solve(ctx, student, insts, func(i int) []routing.Run { return runs[i] }, func(done int) { h.at(done, len(insts)) })
	if err != nil {
		return nil, err
	}
	for i := range runs {
		for r := range runs[i] {
			runs[i][r].Force, runs[i][r].Record = tours[i][r].Actions, true
		}
	}
	h.step("teacher labels")
	t, err := a.Store.Teacher(ctx, in.Teacher, in.Name)
	if err != nil {
		return nil, err
	}
	return rollout.Record(ctx, t.ViaDepot(sh.ViaDepot), insts, func(i int) []routing.Run { return runs[i] }, func(done int) { h.at(done, len(insts)) })
}

// once returns the shard kept under a task, making it first if there is none, or a lost one.
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

// Score makes sure that the scores of one heuristic on the shards are in the store.
func (a *Activities) Score(ctx context.Context, in workflows.ScoreInput) (struct{}, error) {
	b, err := a.Store.Bank(ctx, in.Bank)
	if err != nil {
		return struct{}{}, err
	}
	heuristic := b.Heuristics[in.Index]
	h := beat(ctx, "scoring "+heuristic.Name)
	defer h.still()
	for i, s := range in.Shards {
		if _, err := a.Store.Scores(ctx, heuristic, s.Object); err != nil {
			return struct{}{}, err
		}
		h.at(i+1, len(in.Shards))
	}
	return struct{}{}, nil
}

package rollout

import (
	"context"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/routing"
)

// Starts returns the runs to record on each instance of a seed: from k distinct random first nodes, or if k is 0 from
// the policy's own. first is the lowest node that can be a start and nodes how many can, at least k.
func Starts(first, nodes, k int, seed uint64) func(i int) []routing.Run {
	if k == 0 {
		return routing.SingleRun
	}
	return func(i int) []routing.Run {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		runs := make([]routing.Run, k)
		for r, node := range rng.Perm(nodes)[:k] {
			runs[r] = routing.Run{Start: first + node}
		}
		return runs
	}
}

// Paths has p solve the instances of a shard from the first nodes that the shard's trajectories have there. It returns
// the instances and for each the runs that follow p's paths: recording another policy on them gives its distributions
// in p's states. Paths calls progress, unless nil, with the number of instances done.
func Paths(ctx context.Context, p routing.Policy, sh *Shard, progress func(done int)) (
	[]routing.Instance, [][]routing.Run, error,
) {
	insts := make([]routing.Instance, sh.Instances())
	for i := range insts {
		insts[i] = sh.Instance(i)
	}
	runs := make([][]routing.Run, len(insts))
	for r, i := range sh.InstanceOf {
		runs[i] = append(runs[i], routing.Run{Start: int(sh.Tour(r)[0])})
	}
	paths, err := routing.Solve(ctx, p, insts, func(i int) []routing.Run { return runs[i] }, progress)
	if err != nil {
		return nil, nil, err
	}
	for i := range runs {
		for r := range runs[i] {
			runs[i][r].Force, runs[i][r].Record = paths[i][r].Actions, true
		}
	}
	return insts, runs, nil
}

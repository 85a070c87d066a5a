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

// Paths are the solutions that a policy made of the instances of a shard.
type Paths struct {
	insts []routing.Instance
	runs  [][]routing.Run // that follow them, of each instance
}

// Follow has p solve the instances of a shard from the first nodes that the shard's trajectories have there. It calls
// progress, unless nil, with the number of instances done.
func Follow(ctx context.Context, p routing.Policy, sh *Shard, progress func(done int)) (Paths, error) {
	all := Paths{make([]routing.Instance, sh.Instances()), make([][]routing.Run, sh.Instances())}
	for i := range all.insts {
		all.insts[i] = sh.Instance(i)
	}
	for r, i := range sh.InstanceOf {
		all.runs[i] = append(all.runs[i], routing.Run{Start: int(sh.Tour(r)[0])})
	}
	solved, err := routing.Solve(ctx, p, all.insts, all.of, progress)
	if err != nil {
		return Paths{}, err
	}
	for i, runs := range all.runs {
		for r := range runs {
			runs[r].Force = solved[i][r].Actions
		}
	}
	return all, nil
}

func (p Paths) of(i int) []routing.Run { return p.runs[i] }

// Record records another policy in the states of the paths: its distributions there. progress is as Record's.
func (p Paths) Record(ctx context.Context, of routing.Policy, progress func(done int)) (*Shard, error) {
	return Record(ctx, of, p.insts, p.of, progress)
}

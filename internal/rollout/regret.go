package rollout

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
)

// Regret returns, for every state of the shard (float32 [S]), how much longer p's solution gets when its second choice
// is taken there instead of its first and p itself completes both: the price of a wrong step, in length units, never
// below 0, and 0 where there is no choice. p is the policy the shard was recorded from.
func Regret(ctx context.Context, p routing.Policy, sh *Shard) (*tensor.Dense, error) {
	insts := make([]routing.Instance, sh.Instances())
	states := make([][]int, len(insts)) // with a choice
	for i := range insts {
		insts[i] = sh.Instance(i)
	}
	for s := range sh.States() {
		if st := sh.State(s); len(st.Candidates) >= 2 {
			i := sh.InstanceOf[st.Traj]
			states[i] = append(states[i], s)
		}
	}
	choices := func(i int) []routing.Run { // the first and the second choice of each state
		var runs []routing.Run
		for _, s := range states[i] {
			st := sh.State(s)
			first, second := routing.TopTwo(st.Probs)
			for _, k := range []int{first, second} {
				force := append(slices.Clone(sh.Tour(st.Traj)[:st.Step]), sh.actions(st.Candidates[k])...)
				runs = append(runs, routing.Run{Start: int(force[0]), Force: force})
			}
		}
		return runs
	}
	regret := make([]float32, sh.States())
	err := routing.Each(ctx, p, insts, choices,
		func(i int, trs []routing.Trajectory) error {
			for k, s := range states[i] {
				regret[s] = float32(max(trs[2*k+1].Cost-trs[2*k].Cost, 0))
			}
			return nil
		}, nil)
	if err != nil {
		return nil, fmt.Errorf("regret of %s: %w", p.Name(), err)
	}
	return dense.Vector(regret), nil
}

// Weights returns the weights of the states of some shards by their regrets, 1 + β·regret/mean regret: 1 + β in the
// mean. regrets and weights are float32 [S], one of each shard. If all regrets are 0, it returns no weights.
func Weights(regrets []*tensor.Dense, beta float64) []*tensor.Dense {
	sum, states := 0.0, 0
	for _, regret := range regrets {
		values := dense.Must[float32]("regret", regret, dense.Any)
		for _, r := range values {
			sum += float64(r)
		}
		states += len(values)
	}
	if sum == 0 {
		return nil
	}
	scale := beta * float64(states) / sum
	weights := make([]*tensor.Dense, len(regrets))
	for i, regret := range regrets {
		values := dense.Must[float32]("regret", regret, dense.Any)
		weight := make([]float32, len(values))
		for s, r := range values {
			weight[s] = float32(1 + scale*float64(r))
		}
		weights[i] = dense.Vector(weight)
	}
	return weights
}

// actions returns what a candidate stands for in a trajectory: a node, or the depot and then a node.
func (sh *Shard) actions(candidate uint16) []int32 {
	node, via := routing.Via(int(candidate), sh.N)
	if via {
		return []int32{0, int32(node)}
	}
	return []int32{int32(node)}
}

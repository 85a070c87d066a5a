package rollout

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
)

// Regret returns, for every state of the shard, how much longer p's tour gets when its second choice is taken there instead
// of its first and p itself completes both: the price of a wrong step, in length units, never below 0. p is the policy the
// shard was recorded from; TSP only. progress, unless nil, is told how many instances are done; its calls do not overlap.
func Regret(ctx context.Context, p routing.Policy, sh *Shard, progress func(done int)) ([]float32, error) {
	if sh.Problem != routing.TSP {
		return nil, fmt.Errorf("regret of a shard of %s: only %s is supported", sh.Problem, routing.TSP)
	}
	insts := make([]routing.Instance, sh.Instances())
	runs := make([][]routing.Run, len(insts))
	states := make([][]int, len(insts)) // of each run
	for i := range insts {
		insts[i] = sh.Instance(i)
	}
	for s := range sh.States() {
		st := sh.State(s)
		i := sh.InstanceOf[st.Traj]
		for _, node := range topTwo(st) {
			force := append([]int32(nil), sh.Actions[st.Traj*sh.N:st.Traj*sh.N+st.Step]...)
			runs[i] = append(runs[i], routing.Run{Start: int(force[0]), Force: append(force, node)})
		}
		states[i] = append(states[i], s)
	}
	regret := make([]float32, sh.States())
	err := routing.Each(ctx, p, insts, func(i int) []routing.Run { return runs[i] }, func(i int, trs []routing.Trajectory) error {
		for k, s := range states[i] {
			regret[s] = float32(max(trs[2*k+1].Cost-trs[2*k].Cost, 0))
		}
		return nil
	}, progress)
	if err != nil {
		return nil, fmt.Errorf("regret of %s: %w", p.Name(), err)
	}
	return regret, nil
}

// topTwo returns the teacher's first and second choice; ties go to the lower node.
func topTwo(st State) [2]int32 {
	first, second := 0, -1
	for k, v := range st.Probs {
		switch {
		case v > st.Probs[first]:
			first, second = k, first
		case k != first && (second < 0 || v > st.Probs[second]):
			second = k
		}
	}
	return [2]int32{int32(st.Candidates[first]), int32(st.Candidates[second])}
}

package contrast

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// common returns the ways that some policies take through instances. Recording any policy along these ways gives its
// distributions in the states of all of them. Each policy begins where it wants to or, where starts [I] is given, at
// these first nodes. A first customer that a policy chose is a decision, a first node of a tour is not.
func common(
	ctx context.Context, policies []routing.Policy, insts []routing.Instance, starts []int,
) (ways [][]routing.Run, err error) {
	ways = make([][]routing.Run, len(insts))
	for _, p := range policies {
		solved, err := routing.Solve(ctx, p, insts, func(i int) []routing.Run {
			if starts != nil {
				return []routing.Run{{Start: starts[i]}}
			}
			return []routing.Run{{Start: routing.OwnStart}}
		}, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name(), err)
		}
		for i := range insts {
			way := solved[i][0].Actions
			run := routing.Run{Start: int(way[0]), Force: way, Record: true}
			if starts == nil && problems.Must(insts[i].Problem).Traits().Depot {
				run.Start = routing.OwnStart
			}
			ways[i] = append(ways[i], run)
		}
	}
	return ways, nil
}

// ask records a policy along ways.
func ask(
	ctx context.Context, p routing.Policy, insts []routing.Instance, ways [][]routing.Run,
) (*rollout.Shard, error) {
	return rollout.Record(ctx, p, insts, func(i int) []routing.Run { return ways[i] }, nil)
}

// pair is a state that two shards of the same ways share: its index in each.
type pair struct{ a, b int }

// paired returns the states that both shards have with the same candidates, in order. One of the policies may refuse a
// candidate that the other may take, so that the candidates differ, or the step is forced for one of them and no state.
// Such states are left out and counted.
func paired(a, b *rollout.Shard) (pairs []pair, leftOut int) {
	type place struct{ traj, step int32 }
	at := make(map[place]int, b.States())
	for s := range b.States() {
		at[place{b.Traj[s], b.Step[s]}] = s
	}
	for s := range a.States() {
		here := place{a.Traj[s], a.Step[s]}
		other, ok := at[here]
		delete(at, here)
		if ok && slices.Equal(candidates(a, s), candidates(b, other)) {
			pairs = append(pairs, pair{s, other})
		} else {
			leftOut++
		}
	}
	return pairs, leftOut + len(at)
}

func candidates(sh *rollout.Shard, s int) []uint16 { return sh.Candidates[sh.Offset[s]:sh.Offset[s+1]] }

// alike says whether two shards have the same states and candidates, so that scores of one are scores of the other.
func alike(a, b *rollout.Shard) bool {
	return slices.Equal(a.Traj, b.Traj) && slices.Equal(a.Step, b.Step) && slices.Equal(a.Candidates, b.Candidates)
}

// labels returns the recorded policy's first choice in every state.
func labels(sh *rollout.Shard) []int32 {
	return agreement.FirstChoices(sh.Offset, dense.Must[float32]("π", sh.Probs, len(sh.Candidates)))
}

// fifths returns the fifth of the way, 0 to 4, of every state, by routing.Definition.Progress.
func fifths(sh *rollout.Shard) []int {
	problem := problems.Must(sh.Problem)
	out := make([]int, sh.States())
	for s := range out {
		st := sh.State(s)
		in := sh.Instance(int(sh.InstanceOf[st.Traj]))
		out[s] = habits.Fifth(problem.Progress(&in, st.Row()))
	}
	return out
}

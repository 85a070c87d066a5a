package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/workflows"
)

// tuneToFaults returns a candidate of Add with its weights and τ_h trained, by itself, on the faults that refine it, if
// weights.judge is set: the numbers that its writer guessed should not decide whether it is admitted. It keeps what
// lowers the mean KL there with the rounded weights, and ends once these stay as they are. Terms that come to a weight
// of 0 go.
//
// A round costs one scoring of the shards with these faults for every weight, and one more to check: with 6 weights and
// 500 trajectories of TSP-20 about a second.
func (a *Activities) tuneToFaults(ctx context.Context, h bank.Heuristic, f faultSet) (bank.Heuristic, error) {
	if f.Weights == nil || f.Weights.Judge == 0 {
		return h, nil
	}
	var shards []workflows.Shard
	var states [][]int32
	for i, s := range f.Shards {
		if len(f.Refine[i]) > 0 {
			shards, states = append(shards, s), append(states, f.Refine[i])
		}
	}
	shards = someShards(shards, f.Weights.States, 0)
	states = states[:len(shards)]
	tried := []bank.Heuristic{h}
	loss, err := a.meanKL(ctx, h, shards, states)
	for round := 0; round < f.Weights.Rounds && err == nil; round++ {
		var tuned bank.Heuristic
		if tuned, err = a.alone(ctx, h, shards, states); err != nil || tuned.Source == h.Source {
			break
		}
		tried = append(tried, tuned)
		var after float64
		if after, err = a.meanKL(ctx, tuned, shards, states); err != nil || !(after < loss) {
			break
		}
		h, loss = tuned, after
	}
	a.forget(ctx, tried, []bank.Heuristic{h}, workflows.Dataset{Train: shards})
	// A program that crashes on these states stays as it is: Assign and Admit find it out.
	if problem, err := asProblem(err); err != nil || problem != "" {
		return h, err
	}
	return tune.WithoutZeroTerms(h)
}

// alone returns a program with its weights and τ_h trained by itself on some states of shards.
func (a *Activities) alone(
	ctx context.Context, h bank.Heuristic, shards []workflows.Shard, states [][]int32,
) (bank.Heuristic, error) {
	sets, err := a.unscoredSets(ctx, shards)
	if err != nil {
		return h, err
	}
	p, err := tune.Of(h)
	if err != nil || len(p.Weights) == 0 {
		return h, err
	}
	if err := a.measure(ctx, h, shards, &p, sets); err != nil || len(p.Weights) == 0 {
		return h, err
	}
	values, tauH, err := tune.Alone(p, h.TauH, sets, states)
	if err != nil {
		return h, err
	}
	h.TauH = tauH
	return reweighted(h, values)
}

// meanKL returns the mean KL(π_T‖V_m) of a program over some states of shards.
func (a *Activities) meanKL(
	ctx context.Context, h bank.Heuristic, shards []workflows.Shard, states [][]int32,
) (float64, error) {
	sum, count := 0.0, 0
	for i, s := range shards {
		scores, err := a.Store.Scores(ctx, h, s.Object)
		if err != nil {
			return 0, err
		}
		sh, err := a.Store.Shard(ctx, s.Object)
		if err != nil {
			return 0, err
		}
		kl := agreement.Of(sh, scores, h.TauH).KL
		for _, at := range states[i] {
			sum += float64(kl[at])
		}
		count += len(states[i])
	}
	return sum / float64(max(count, 1)), nil
}

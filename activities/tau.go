package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/workflows"
)

// fittedTauH returns the τ_h that fits a heuristic to the teacher on states of a shard, or on all where none are given,
// and whether the heuristic has a scale there: see agreement.FitScale.
func (a *Activities) fittedTauH(
	ctx context.Context, h bank.Heuristic, shard workflows.Shard, states []int32,
) (tauH float64, hasScale bool, err error) {
	c, err := a.Store.Scores(ctx, h, shard.Object)
	if err != nil {
		return 0, false, err
	}
	sh, err := a.Store.Shard(ctx, shard.Object)
	if err != nil {
		return 0, false, err
	}
	tauH, hasScale = agreement.FitScale(sh, c, states)
	return tauH, hasScale, nil
}

// rescale gives a candidate the τ_h of the heuristic it would replace, on the candidate's own scale: times the ratio of
// the τ_h that would fit either alone on a shard of training states. It returns what is wrong with a candidate that
// crashes there.
//
// For example, if the heuristic fits best at 0.1 and a candidate that scores the same in thrice the units at 0.3, a
// learned τ_h of 0.05 becomes 0.15.
//
// Where a program has no scale, the ratio means nothing. A candidate without a scale gets the heuristic's τ_h as it is.
// Where only the heuristic has none, the candidate gets its own fit.
func (a *Activities) rescale(
	ctx context.Context, candidate *bank.Heuristic, old bank.Heuristic, shard workflows.Shard,
) (problem string, err error) {
	tauOld, oldHasScale, err := a.fittedTauH(ctx, old, shard, nil)
	if err != nil {
		return "", err
	}
	tau, hasScale, err := a.fittedTauH(ctx, *candidate, shard, nil)
	if err != nil {
		return asProblem(err)
	}
	switch {
	case !hasScale:
		candidate.TauH = old.TauH
	case !oldHasScale:
		candidate.TauH = tau
	default:
		candidate.TauH = agreement.ClampTauH(old.TauH * tau / tauOld)
	}
	return "", nil
}

// fitToFaults fits a candidate's τ_h to the faults that refine it in the first shard that has some, and its weights,
// where the config says so, to those of all shards: elsewhere it need not know what to do. A candidate that crashes
// there has a problem from then on.
func (a *Activities) fitToFaults(ctx context.Context, c *workflows.Candidate, f faultSet) error {
	i := slices.IndexFunc(f.Refine, func(states []int32) bool { return len(states) > 0 })
	if i < 0 || c.Problem != "" {
		return nil
	}
	h, err := a.Store.Heuristic(ctx, c.Heuristic)
	if err != nil {
		return err
	}
	h.TauH, _, err = a.fittedTauH(ctx, h, f.Shards[i], f.Refine[i])
	if c.Problem, err = asProblem(err); err != nil {
		return err
	}
	if c.Problem != "" {
		return a.logRefusal(ctx, h, c.Problem)
	}
	tuned, err := a.tuneToFaults(ctx, h, f)
	if err != nil {
		return err
	}
	if err := a.logTuned(ctx, h, tuned); err != nil {
		return err
	}
	c.Heuristic, err = a.Store.PutJSON(ctx, tuned)
	return err
}

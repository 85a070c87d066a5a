package rollout

import (
	"fmt"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// Walk follows the trajectories of a shard from state to state. It takes the actions before a state to compute what
// the shard does not store, such as the waiting nodes. It is not safe for concurrent use.
type Walk struct {
	sh      *Shard
	problem routing.Definition
	inst    routing.Instance
	at      routing.State // of trajectory traj; nil before the first
	traj    int
	step    int
	waiting []uint16 // of the last decision
}

// Walk returns a walk on sh.
func (sh *Shard) Walk() (*Walk, error) {
	w := new(Walk)
	if err := w.begin(sh); err != nil {
		return nil, err
	}
	return w, nil
}

// begin moves the walk to another shard.
func (w *Walk) begin(sh *Shard) error {
	problem, err := problems.Of(sh.Problem)
	if err != nil {
		return fmt.Errorf("shard of %.80s: %w", sh.Teacher, err)
	}
	*w = Walk{sh: sh, problem: problem, waiting: w.waiting}
	return nil
}

// To returns the solution under construction at state s, valid until the next call. Walking to states in their order
// costs one step each. The error names an action that is not feasible.
func (w *Walk) To(s int) (routing.State, error) {
	r, step := int(w.sh.Traj[s]), int(w.sh.Step[s])
	if w.at == nil || r != w.traj || step < w.step {
		w.inst = w.sh.Instance(int(w.sh.InstanceOf[r]))
		w.at, w.traj, w.step = w.problem.NewState(&w.inst, w.sh.ViaDepot), r, 0
	}
	for _, a := range w.sh.Tour(r)[w.step:step] {
		if err := w.at.Step(a); err != nil {
			return nil, fmt.Errorf("shard of %.80s: trajectory %d: %w", w.sh.Teacher, r, err)
		}
	}
	w.step = step
	return w.at, nil
}

// Decision returns state s as the named features read it, valid until the next call. Its cost and its errors are those
// of To.
func (w *Walk) Decision(s int) (features.Decision, error) {
	at, err := w.To(s)
	if err != nil {
		return features.Decision{}, err
	}
	row := at.Row()
	w.waiting = at.Waiting(w.waiting[:0])
	return features.Decision{
		Step: row.Step, First: row.First, Current: row.Current, Remaining: row.Remaining,
		Candidates: w.sh.Candidates[w.sh.Offset[s]:w.sh.Offset[s+1]], Waiting: w.waiting,
	}, nil
}

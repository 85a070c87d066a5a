package rollout

import (
	"fmt"

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
}

// Walk returns a walk on sh.
func (sh *Shard) Walk() (*Walk, error) {
	problem, err := problems.Of(sh.Problem)
	if err != nil {
		return nil, fmt.Errorf("shard of %.80s: %w", sh.Teacher, err)
	}
	return &Walk{sh: sh, problem: problem}, nil
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

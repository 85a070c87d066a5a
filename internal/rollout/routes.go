package rollout

import (
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// strayMass is the largest total probability of infeasible actions. It allows for rounding, not for another rule of
// feasibility.
const strayMass = 1e-6

// The layout of problems with a depot: trajectories differ in length, and the first action is a state like any other.

// newRoutes returns a shard of one instance and no trajectories.
func newRoutes(teacher string, inst *routing.Instance) *Shard {
	sh := empty(inst.Problem, teacher, inst.N(), false)
	sh.Coords = inst.Coords
	if problems.Must(inst.Problem).Traits().Load {
		sh.Demand, sh.Capacity = inst.Demand, []int32{inst.Capacity}
	}
	return sh
}

// addRoutes appends a trajectory on instance i with its decision states. All trajectories of a shard decide in the same
// way, by way of the depot or not.
func (sh *Shard) addRoutes(i int, tr *routing.Trajectory) error {
	n, T := sh.N, len(tr.Actions)
	width := n
	if len(tr.Probs) == 2*n*T {
		width = 2 * n
	}
	if T == 0 || len(tr.Probs) != width*T {
		return fmt.Errorf("%d actions and %d probabilities, want %d or %d of each action", T, len(tr.Probs), n, 2*n)
	}
	sh.ViaDepot = width == 2*n
	inst := sh.Instance(i)
	problem := problems.Must(sh.Problem)
	s, r := problem.NewState(&inst, sh.ViaDepot), int32(sh.Trajectories())
	refused := tr.Refused
	for t, a := range tr.Actions {
		row := tr.Probs[t*width : (t+1)*width]
		if !allZero(row) {
			if err := sh.addCandidates(s, row, refused); err != nil {
				return fmt.Errorf("step %d: %w", t, err)
			}
			if end := int64(len(sh.Candidates)); end-sh.Offset[len(sh.Offset)-1] > 1 {
				sh.Traj, sh.Step = append(sh.Traj, r), append(sh.Step, int32(t))
				sh.Offset = append(sh.Offset, end)
				if problem.Traits().Load {
					sh.Remaining = append(sh.Remaining, s.Row().Remaining)
				}
			} else {
				sh.dropCandidates()
			}
		}
		for len(refused) > 0 && refused[0].Step <= t {
			refused = refused[1:]
		}
		if err := s.Step(a); err != nil {
			return err
		}
	}
	if !s.Done() {
		return errors.New("the solution is not complete")
	}
	sh.InstanceOf = append(sh.InstanceOf, int32(i))
	sh.Actions = append(sh.Actions, tr.Actions...)
	sh.ActionOffset = append(sh.ActionOffset, int64(len(sh.Actions)))
	return nil
}

// addCandidates appends the feasible actions of s that are not refused, with their probabilities, and reports
// probability elsewhere.
func (sh *Shard) addCandidates(s routing.State, row []float32, refused []routing.Refusal) error {
	var stray float64
	for a, p := range row {
		if !isProbability(p) {
			return fmt.Errorf("probability %v of action %d", p, a)
		}
		err := s.Infeasible(a)
		if err == nil && isRefused(refused, len(s.Actions()), a) {
			err = errors.New("the policy refuses it")
		}
		if err != nil {
			if stray += float64(p); stray > strayMass {
				return fmt.Errorf("probability %v on action %d, which is infeasible: %w", p, a, err)
			}
			continue
		}
		sh.Candidates, sh.Probs = append(sh.Candidates, uint16(a)), append(sh.Probs, p)
	}
	return nil
}

// dropCandidates takes back the candidates of a step that turned out to be forced.
func (sh *Shard) dropCandidates() {
	end := sh.Offset[len(sh.Offset)-1]
	sh.Candidates, sh.Probs = sh.Candidates[:end], sh.Probs[:end]
}

func isRefused(refused []routing.Refusal, step, a int) bool {
	for _, r := range refused {
		if r.Step == step && int(r.Action) == a {
			return true
		}
	}
	return false
}

// validateRoutes replays trajectory r, whose first state is *k, and moves *k past its states.
func (sh *Shard) validateRoutes(r int, k *int) error {
	if i := sh.InstanceOf[r]; i < 0 || int(i) >= sh.Instances() {
		return fmt.Errorf("instance %d, want 0..%d", i, sh.Instances()-1)
	}
	inst := sh.Instance(int(sh.InstanceOf[r]))
	inst.Name = fmt.Sprint(sh.InstanceOf[r])
	s := problems.Must(sh.Problem).NewState(&inst, sh.ViaDepot)
	afterDepot := false
	for t, a := range sh.Tour(r) {
		if *k < sh.States() && int(sh.Traj[*k]) == r && int(sh.Step[*k]) == t {
			if sh.ViaDepot && afterDepot {
				return fmt.Errorf("state %d (step %d): with via_depot there is no state after the depot", *k, t)
			}
			if err := sh.validateRouteState(*k, s); err != nil {
				return fmt.Errorf("state %d (step %d): %w", *k, t, err)
			}
			*k++
		}
		if err := s.Step(a); err != nil {
			return err
		}
		afterDepot = a == 0
	}
	if !s.Done() {
		return fmt.Errorf("instance %s: the solution ends with %d customers left, at node %d; want none, at the depot",
			inst.Name, len(s.Waiting(nil)), s.Row().Current)
	}
	if *k < sh.States() && int(sh.Traj[*k]) == r {
		return fmt.Errorf("state %d: step %d is out of order", *k, sh.Step[*k])
	}
	return nil
}

func (sh *Shard) validateRouteState(k int, s routing.State) error {
	if want := s.Row().Remaining; len(sh.Remaining) > 0 && sh.Remaining[k] != want {
		return fmt.Errorf("%d remain in the vehicle, want %d", sh.Remaining[k], want)
	}
	candidates := sh.Candidates[sh.Offset[k]:sh.Offset[k+1]]
	if len(candidates) < 2 {
		return fmt.Errorf("%d candidates, want a choice", len(candidates))
	}
	for i, a := range candidates {
		if i > 0 && a <= candidates[i-1] {
			return fmt.Errorf("candidates %v, want increasing order", candidates)
		}
		if err := s.Infeasible(int(a)); err != nil {
			return fmt.Errorf("candidate %d is infeasible: %w", a, err)
		}
	}
	return validateDistribution(sh.Probs[sh.Offset[k]:sh.Offset[k+1]])
}

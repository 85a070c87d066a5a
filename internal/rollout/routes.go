package rollout

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// strayMass is the largest total probability of infeasible actions. It allows for rounding, not for another rule of
// feasibility.
const strayMass = 1e-6

// The layout of problems with a depot: trajectories differ in length, and the first action is a state like any other.

// newRoutes returns a shard of one instance and no trajectories.
func newRoutes(teacher string, inst *routing.Instance, viaDepot bool) *flat {
	f := newFlat(inst.Problem, teacher, inst.N(), viaDepot)
	f.coords = inst.Coords
	if problems.Must(inst.Problem).Traits().Load {
		f.demand, f.Capacity = inst.Demand, []int32{inst.Capacity}
	}
	return f
}

// byDepot reports whether a policy decides by way of the depot on instances of n nodes, as its trajectories show.
func byDepot(trs []routing.Trajectory, n int) bool {
	return len(trs) > 0 && len(trs[0].Probs) == 2*n*len(trs[0].Actions)
}

// fillIn says of instances without trajectories that the policy decides there as it does on the others.
func fillIn(parts []*flat) {
	shows := func(f *flat) bool { return len(f.InstanceOf) > 0 }
	first := slices.IndexFunc(parts, shows)
	for _, f := range parts {
		if first >= 0 && !shows(f) {
			f.ViaDepot = parts[first].ViaDepot
		}
	}
}

// addRoutes appends a trajectory on the one instance of newRoutes with its decision states. All trajectories of a shard
// decide in the same way, by way of the depot or not.
func (f *flat) addRoutes(tr *routing.Trajectory) error {
	T, width := len(tr.Actions), f.N
	if f.ViaDepot {
		width = 2 * f.N
	}
	if T == 0 || len(tr.Probs) != width*T {
		return fmt.Errorf("%d actions and %d probabilities, want %d of each action", T, len(tr.Probs), width)
	}
	inst := routing.Instance{Problem: f.Problem, Coords: f.coords, Demand: f.demand}
	problem := problems.Must(f.Problem)
	if problem.Traits().Load {
		inst.Capacity = f.Capacity[0]
	}
	s, r := problem.NewState(&inst, f.ViaDepot), int32(len(f.InstanceOf))
	refused := tr.Refused
	for t, a := range tr.Actions {
		row := tr.Probs[t*width : (t+1)*width]
		if !allZero(row) {
			if err := f.addCandidates(s, row, refused); err != nil {
				return fmt.Errorf("step %d: %w", t, err)
			}
			if end := int64(len(f.Candidates)); end-f.Offset[len(f.Offset)-1] > 1 {
				f.Traj, f.Step = append(f.Traj, r), append(f.Step, int32(t))
				f.Offset = append(f.Offset, end)
				if problem.Traits().Load {
					f.Remaining = append(f.Remaining, s.Row().Remaining)
				}
			} else {
				f.dropCandidates()
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
	f.InstanceOf = append(f.InstanceOf, 0)
	f.Actions = append(f.Actions, tr.Actions...)
	f.ActionOffset = append(f.ActionOffset, int64(len(f.Actions)))
	return nil
}

// addCandidates appends the feasible actions of s that are not refused, with their probabilities, and reports
// probability elsewhere.
func (f *flat) addCandidates(s routing.State, row []float32, refused []routing.Refusal) error {
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
		f.Candidates, f.probs = append(f.Candidates, uint16(a)), append(f.probs, p)
	}
	return nil
}

// dropCandidates takes back the candidates of a step that turned out to be forced.
func (f *flat) dropCandidates() {
	end := f.Offset[len(f.Offset)-1]
	f.Candidates, f.probs = f.Candidates[:end], f.probs[:end]
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
	return validateDistribution(sh.State(k).Probs)
}

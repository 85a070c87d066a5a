package rollout

import (
	"errors"
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// sumTolerance is how far a distribution's sum may be from 1: float32 rounding over 1,000 candidates stays well below.
const sumTolerance = 1e-3

// Validate checks every array, trajectory and state of the shard, and names the first that is wrong: a shape, an instance, an
// infeasible action, a solution that is not complete, candidates that are not feasible or out of order, a distribution that is not finite or
// does not sum to 1 within 1e-3. TSP candidates must be all unvisited nodes; of a CVRP state some may be missing.
func (sh *Shard) Validate() error {
	if err := sh.validateShapes(); err != nil {
		return fmt.Errorf("shard of %.80s: %w", sh.Teacher, err)
	}
	for i := range sh.Instances() {
		inst := sh.Instance(i)
		inst.Name = fmt.Sprint(i)
		if err := problems.Validate(&inst); err != nil {
			return fmt.Errorf("shard of %.80s: %w", sh.Teacher, err)
		}
	}
	s := 0
	for r := range sh.Trajectories() {
		validate := sh.validateTrajectory
		if sh.Problem == routing.CVRP {
			validate = sh.validateCVRP
		}
		if err := validate(r, &s); err != nil {
			return fmt.Errorf("shard of %.80s: trajectory %d: %w", sh.Teacher, r, err)
		}
	}
	if s != sh.States() {
		return fmt.Errorf("shard of %.80s: state %d: trajectory %d is out of order", sh.Teacher, s, sh.Traj[s])
	}
	return nil
}

func (sh *Shard) validateShapes() error {
	if sh.Problem != routing.TSP && sh.Problem != routing.CVRP {
		return fmt.Errorf("problem %.80q, want %s or %s", sh.Problem, routing.TSP, routing.CVRP)
	}
	n, I, R, S, least := sh.N, 0, len(sh.InstanceOf), len(sh.Traj), 3
	tsp, cvrp := 1, 0
	if sh.Problem == routing.CVRP {
		tsp, cvrp, least = 0, 1, 2
	}
	if n < least || n > routing.MaxNodes {
		return fmt.Errorf("%d nodes, want %d..%d", n, least, routing.MaxNodes)
	}
	I = sh.Instances()
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"coords modulo 2N", len(sh.Coords) % (2 * n), 0},
		{"demand", len(sh.Demand), cvrp * I * n},
		{"capacity", len(sh.Capacity), cvrp * I},
		{"action_offset", len(sh.ActionOffset), cvrp * (R + 1)},
		{"remaining", len(sh.Remaining), cvrp * S},
		{"start_probs", len(sh.StartProbs), tsp * R * n},
		{"step", len(sh.Step), S},
		{"offset", len(sh.Offset), S + 1},
		{"probs", len(sh.Probs), len(sh.Candidates)},
	} {
		if c.got != c.want {
			return fmt.Errorf("array %s has %d elements, want %d", c.name, c.got, c.want)
		}
	}
	if sh.Problem == routing.TSP {
		if len(sh.Actions) != R*n {
			return fmt.Errorf("array actions has %d elements, want %d", len(sh.Actions), R*n)
		}
		if sh.ViaDepot {
			return errors.New("via_depot is for cvrp only")
		}
	} else if err := validateOffset("trajectory", "action_offset", sh.ActionOffset, len(sh.Actions)); err != nil {
		return err
	}
	return validateOffset("state", "offset", sh.Offset, len(sh.Candidates))
}

// validateOffset wants offset to rise from 0 to total.
func validateOffset(of, name string, offset []int64, total int) error {
	last := len(offset) - 1
	if offset[0] != 0 || offset[last] != int64(total) {
		return fmt.Errorf("%s runs from %d to %d, want 0 to %d", name, offset[0], offset[last], total)
	}
	for i := range last {
		if offset[i] > offset[i+1] {
			return fmt.Errorf("%s %d: %s falls from %d to %d", of, i, name, offset[i], offset[i+1])
		}
	}
	return nil
}

// validateTrajectory replays trajectory r, whose first state is *s, and moves *s past its states.
func (sh *Shard) validateTrajectory(r int, s *int) error {
	n := sh.N
	if i := sh.InstanceOf[r]; i < 0 || int(i) >= sh.Instances() {
		return fmt.Errorf("instance %d, want 0..%d", i, sh.Instances()-1)
	}
	if start := sh.StartProbs[r*n : (r+1)*n]; !allZero(start) {
		if err := validateDistribution(start); err != nil {
			return fmt.Errorf("start: %w", err)
		}
	}
	visited := make([]bool, n)
	for t, a := range sh.Actions[r*n : (r+1)*n] {
		if *s < sh.States() && int(sh.Traj[*s]) == r && int(sh.Step[*s]) == t {
			if err := sh.validateState(*s, visited); err != nil {
				return fmt.Errorf("state %d (step %d): %w", *s, t, err)
			}
			*s++
		}
		if a < 0 || int(a) >= n {
			return fmt.Errorf("step %d: action %d, want 0..%d", t, a, n-1)
		}
		if visited[a] {
			return fmt.Errorf("step %d: action %d is infeasible, the node is visited already", t, a)
		}
		visited[a] = true
	}
	if *s < sh.States() && int(sh.Traj[*s]) == r {
		return fmt.Errorf("state %d: step %d is out of order", *s, sh.Step[*s])
	}
	return nil
}

func (sh *Shard) validateState(s int, visited []bool) error {
	if sh.Step[s] < 1 {
		return fmt.Errorf("a state before the first action")
	}
	candidates := sh.Candidates[sh.Offset[s]:sh.Offset[s+1]]
	if len(candidates) < 2 {
		return fmt.Errorf("%d candidates, want a choice", len(candidates))
	}
	k := 0
	for j, v := range visited {
		if v {
			continue
		}
		if k >= len(candidates) || int(candidates[k]) != j {
			return fmt.Errorf("candidates %v, want the unvisited nodes in increasing index: node %d is missing at place %d", candidates, j, k)
		}
		k++
	}
	if k != len(candidates) {
		return fmt.Errorf("candidate %d is infeasible", candidates[k])
	}
	return validateDistribution(sh.Probs[sh.Offset[s]:sh.Offset[s+1]])
}

func validateDistribution(p []float32) error {
	for k, v := range p {
		if !isProbability(v) {
			return fmt.Errorf("probability %d is %v", k, v)
		}
	}
	if total := sum(p); math.Abs(total-1) > sumTolerance {
		return fmt.Errorf("probabilities sum to %v, want 1", total)
	}
	return nil
}

// isProbability is false for NaN and infinities as well.
func isProbability(p float32) bool { return p >= 0 && p <= 1+sumTolerance }

func sum(p []float32) float64 {
	var total float64
	for _, v := range p {
		total += float64(v)
	}
	return total
}

func allZero(p []float32) bool {
	for _, v := range p {
		if v != 0 {
			return false
		}
	}
	return true
}

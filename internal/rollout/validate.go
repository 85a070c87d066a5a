package rollout

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// sumTolerance is how far a distribution's sum may be from 1: float32 rounding over 1,000 candidates stays well below.
const sumTolerance = 1e-3

// Validate checks every array, trajectory and state of the shard, and names the first that is wrong: a shape, an
// instance, an infeasible action, a solution that is not complete, candidates that are not feasible or out of order, a
// distribution that is not finite or does not sum to 1 within 1e-3. The candidates of a tour's state must be all
// unvisited nodes; some of a route's state may be missing.
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
		validate := sh.validateTour
		if sh.ragged() {
			validate = sh.validateRoutes
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
	problem, err := problems.Of(sh.Problem)
	if err != nil {
		return err
	}
	n, least := sh.N, problem.Traits().LeastNodes
	if n < least || n > routing.MaxNodes {
		return fmt.Errorf("%d nodes, want %d..%d", n, least, routing.MaxNodes)
	}
	if rest := len(sh.Coords) % (2 * n); rest != 0 {
		return fmt.Errorf("array coords modulo 2N has %d elements, want 0", rest)
	}
	for _, a := range sh.arrays() {
		if err := check(a, sh.Size()); err != nil {
			return err
		}
	}
	if sh.ragged() {
		if err := validateOffset("trajectory", "action_offset", sh.ActionOffset, len(sh.Actions)); err != nil {
			return err
		}
	} else if sh.ViaDepot {
		return fmt.Errorf("via_depot is for problems with a depot, not for %s", sh.Problem)
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

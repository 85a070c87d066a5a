package rollout

import (
	"cmp"
	"fmt"
	"math"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
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

// validateShapes checks the tensors' types, then the numbers of elements of all arrays, then the tensors' shapes. A
// tensor that is missing has no elements.
func (sh *Shard) validateShapes() error {
	types := []error{
		validateType[float32]("coords", sh.Coords), validateType[int32]("demand", sh.Demand),
		validateType[float32]("start_probs", sh.StartProbs), validateType[float32]("probs", sh.Probs),
	}
	if err := cmp.Or(types...); err != nil {
		return err
	}
	f := sh.flat()
	if err := f.validateShapes(); err != nil {
		return err
	}
	s, t := f.size(), problems.Must(sh.Problem).Traits()
	shapes := []error{
		dense.Check[float32]("array coords", sh.Coords, s.Instances, sh.N, 2),
		dense.Check[float32]("array probs", sh.Probs, s.Candidates),
	}
	if t.Load {
		shapes = append(shapes, dense.Check[int32]("array demand", sh.Demand, s.Instances, sh.N))
	}
	if !t.Depot {
		shapes = append(shapes, dense.Check[float32]("array start_probs", sh.StartProbs, s.Trajectories, sh.N))
	}
	return cmp.Or(shapes...)
}

// validateType returns an error if t holds numbers of another type or is no plain tensor, whatever its shape.
func validateType[T any](name string, t *tensor.Dense) error {
	if t == nil {
		return nil
	}
	return dense.Check[T]("array "+name, t, t.Shape()...)
}

// validateShapes checks the numbers of elements of all arrays, and that the offsets bound what they should.
func (f *flat) validateShapes() error {
	problem, err := problems.Of(f.Problem)
	if err != nil {
		return err
	}
	n, least := f.N, problem.Traits().LeastNodes
	if n < least || n > routing.MaxNodes {
		return fmt.Errorf("%d nodes, want %d..%d", n, least, routing.MaxNodes)
	}
	if rest := len(f.coords) % (2 * n); rest != 0 {
		return fmt.Errorf("array coords modulo 2N has %d elements, want 0", rest)
	}
	for _, a := range f.arrays() {
		if err := check(a, f.size()); err != nil {
			return err
		}
	}
	if f.ActionOffset != nil {
		if err := validateOffset("trajectory", "action_offset", f.ActionOffset, len(f.Actions)); err != nil {
			return err
		}
	} else if f.ViaDepot {
		return fmt.Errorf("via_depot is for problems with a depot, not for %s", f.Problem)
	}
	return validateOffset("state", "offset", f.Offset, len(f.Candidates))
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

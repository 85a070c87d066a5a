package routing

import (
	"fmt"
	"math"
)

// NearestNeighbour is the policy that always visits the nearest unvisited node; in CVRP the nearest customer that fits, and the
// depot when none does. Its own start is node 0 in TSP.
type NearestNeighbour struct{}

// Name implements Policy.
func (NearestNeighbour) Name() string { return "nearest-neighbour" }

// Decoder implements Policy.
func (NearestNeighbour) Decoder() (Decoder, error) { return nearestNeighbour{}, nil }

type nearestNeighbour struct{}

func (nearestNeighbour) Close() error { return nil }

func (nearestNeighbour) Decode(inst *Instance, runs []Run) ([]Trajectory, error) {
	if inst.Problem == CVRP {
		return nearestNeighbour{}.decodeCVRP(inst, runs)
	}
	trs := make([]Trajectory, len(runs))
	for r, run := range runs {
		if err := run.Validate(inst); err != nil {
			return nil, err
		}
		n, s := inst.N(), NewState(inst)
		if run.Record {
			trs[r].Probs = make([]float32, n*n)
		}
		for t := range n {
			a := int32(max(run.Start, 0))
			if t > 0 {
				a = nearest(inst, s)
				if run.Record {
					trs[r].Probs[t*n+int(a)] = 1
				}
			}
			if t < len(run.Force) {
				a = run.Force[t]
			}
			if err := s.Step(a); err != nil {
				return nil, err
			}
		}
		trs[r].Actions, trs[r].Cost = s.Actions(), s.Cost()
	}
	return trs, nil
}

// nearest returns the unvisited node nearest to the last one.
func nearest(inst *Instance, s *State) int32 {
	current, best, dist := int(s.actions[len(s.actions)-1]), int32(-1), math.Inf(1)
	for j, visited := range s.visited {
		if d := inst.Dist(current, j); !visited && d < dist {
			best, dist = int32(j), d
		}
	}
	return best
}

// FarthestInsertion returns the tour that starts from the node farthest from any other and inserts, again and again, the node
// farthest from the tour where it lengthens it least (Rosenkrantz, Stearns, Lewis 1977). O(N²).
func FarthestInsertion(inst *Instance) []int32 {
	n := inst.N()
	first, far := 0, -1.0
	for i := range n {
		for j := range n {
			if d := inst.Dist(i, j); d > far {
				first, far = i, d
			}
		}
	}
	succ := make([]int, n)    // successor in the cycle
	gap := make([]float64, n) // distance to the tour, -1 for nodes on it
	for j := range gap {
		gap[j] = inst.Dist(first, j)
	}
	succ[first], gap[first] = first, -1
	for range n - 1 {
		v := 0
		for j := range gap {
			if gap[j] > gap[v] {
				v = j
			}
		}
		at, least := first, math.Inf(1)
		for i := first; ; {
			if d := inst.Dist(i, v) + inst.Dist(v, succ[i]) - inst.Dist(i, succ[i]); d < least {
				at, least = i, d
			}
			if i = succ[i]; i == first {
				break
			}
		}
		succ[v], succ[at], gap[v] = succ[at], v, -1
		for j := range gap {
			if gap[j] >= 0 {
				gap[j] = min(gap[j], inst.Dist(v, j))
			}
		}
	}
	tour := make([]int32, 0, n)
	for i := first; len(tour) < n; i = succ[i] {
		tour = append(tour, int32(i))
	}
	return tour
}

// Construction turns a method that builds a whole solution, such as FarthestInsertion or Savings, into a Policy, so that it
// can stand in the same tables. The start only rotates a tour, and says nothing in CVRP; nothing can be forced or recorded.
type Construction struct {
	Label string
	Build func(inst *Instance) []int32
}

// Name implements Policy.
func (c Construction) Name() string { return c.Label }

// Decoder implements Policy.
func (c Construction) Decoder() (Decoder, error) { return construction{c}, nil }

type construction struct{ Construction }

func (construction) Close() error { return nil }

func (c construction) Decode(inst *Instance, runs []Run) ([]Trajectory, error) {
	tour := c.Build(inst)
	cost, err := Cost(inst, tour)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Label, err)
	}
	trs := make([]Trajectory, len(runs))
	for r, run := range runs {
		if len(run.Force) > 0 || run.Record {
			return nil, fmt.Errorf("%s builds whole tours: it has no steps to force or record", c.Label)
		}
		if err := run.Validate(inst); err != nil {
			return nil, err
		}
		at := 0
		for i, a := range tour {
			if int(a) == run.Start && inst.Problem != CVRP {
				at = i
			}
		}
		trs[r] = Trajectory{Actions: append(append(make([]int32, 0, len(tour)), tour[at:]...), tour[:at]...), Cost: cost}
	}
	return trs, nil
}

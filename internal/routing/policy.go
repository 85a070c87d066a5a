package routing

import "fmt"

// Policy is anything that constructs solutions step by step: a teacher, a student, one heuristic, a baseline.
type Policy interface {
	Name() string
	// Decoder returns a decoder with buffers of its own: one goroutine each. Close it after use.
	Decoder() (Decoder, error)
}

// Decoder constructs solutions. It is not safe for concurrent use.
type Decoder interface {
	// Decode constructs one trajectory per run on inst, greedily (ties to the lowest node index)
	// except where a run forces its actions. Runs on one instance share what is computed per instance.
	Decode(inst *Instance, runs []Run) ([]Trajectory, error)
	Close() error
}

// OwnStart asks the policy to choose its first node itself.
const OwnStart = -1

// Run asks for one trajectory.
type Run struct {
	Start  int     // first node, or OwnStart
	Force  []int32 // actions to take instead of the argmax, from the first on; may be shorter than the solution
	Record bool    // keep the distributions
	Sample uint64  // unless 0, draw actions from the policy's distribution, with this seed: see Draw
}

// Validate returns an error if the run cannot be made on inst, an instance of p: its start is not a node, its forced
// actions begin at another node, or there are too many of them. Decoders report forced actions that are infeasible
// when they reach them.
func (r Run) Validate(p Definition, inst *Instance) error {
	first, most := p.Traits().Depots(), p.MostActions(inst.N())
	if r.Start != OwnStart && (r.Start < first || r.Start >= inst.N()) {
		return fmt.Errorf("instance %s: start node %d, want %d..%d", inst.Name, r.Start, first, inst.N()-1)
	}
	if len(r.Force) > most {
		return fmt.Errorf("instance %s: %d forced actions, want at most %d", inst.Name, len(r.Force), most)
	}
	if r.Start != OwnStart && len(r.Force) > 0 && int(r.Force[0]) != r.Start {
		return fmt.Errorf("instance %s: the first forced action is %d but the start is %d",
			inst.Name, r.Force[0], r.Start)
	}
	return nil
}

// Trajectory is one constructed solution.
type Trajectory struct {
	Actions []int32 // [T] nodes in visiting order; TSP: T = N; CVRP: as JoinRoutes, T up to 2(N-1)
	// Probs is [T,N], π(·|s) before each action, 0 where infeasible; a row is 0 where nothing was decided: at a given
	// start. It is nil unless recorded. A CVRP policy that decides on the next customer and on the way there at once
	// (LEHD) has rows [T,2N]: j is node j directly, N+j is customer j by way of the depot, two actions, of which the
	// second has a row of zeros.
	Probs   []float32
	Refused []Refusal // feasible actions that the policy's own arithmetic rules out; noted if recorded
	Cost    float64   // closed length; CVRP: all routes, depot to depot
}

// Refusal is a feasible action that a policy does not consider: AM's float32 capacity refuses some customers that fit
// exactly.
type Refusal struct {
	Step   int // actions taken before
	Action int32
}

package rollout

import (
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
)

// Shard is a set of decision states with the teacher's distribution on each.
//
// It holds I instances of N nodes, R trajectories on them and S decision states of those trajectories. Only states with
// a choice are kept: forced steps (one feasible action, or a start that was given) are executed by the trajectory but
// are no states. States are ordered by trajectory, then step. The candidates of a state are its feasible actions in
// increasing order; ragged arrays are aligned with Candidates throughout the project: a heuristic's scores for a shard
// are one float32 [C], C = len(Candidates).
//
// Coordinates, demands and probabilities are tensors, plain as package dense wants them, and nil where the problem has
// none. Their shapes are checked once: when a shard is read from a file, or by Validate. Indices and counts are slices.
// Goroutines may share a shard, since nothing here writes to one that is complete.
//
// Tours (problems without a depot, such as TSP): the first action is no state; its distribution is in StartProbs. The
// candidates are the unvisited nodes.
//
// Routes (problems with a depot, such as CVRP): the first action is a state like any other. The candidates are the
// customers that fit, and 0, the depot, unless the vehicle is there. Customers that fit exactly but that the teacher's
// own arithmetic refuses (AM) are left out. With ViaDepot (LEHD) a state is a decision about the next customer and the
// way there: candidate c is customer c directly, N+c is customer c by way of the depot, which is two actions of the
// trajectory. After a return to the depot there is then no state.
type Shard struct {
	Problem      routing.Problem
	Teacher      string        // name of the policy, for reports
	N            int           // nodes of every instance, the depot included
	Coords       *tensor.Dense // float32 [I,N,2]
	Demand       *tensor.Dense // int32 [I,N], with Traits.Load only
	Capacity     []int32       // [I], with Traits.Load only
	InstanceOf   []int32       // [R] instance of each trajectory
	Actions      []int32       // tours: [R,N]; routes: ragged, see Tour
	ActionOffset []int64       // [R+1], routes only
	StartProbs   *tensor.Dense // float32 [R,N] π_T of the first action; zero where the start was given; tours only
	ViaDepot     bool          // routes: candidates may be N+c

	Traj       []int32       // [S] trajectory of each state
	Step       []int32       // [S] actions taken before the state
	Remaining  []int32       // [S] room in the vehicle, in demand units, with Traits.Load only
	Offset     []int64       // [S+1] candidates of state s are Candidates[Offset[s]:Offset[s+1]]
	Candidates []uint16      // [C] ragged, feasible actions in increasing order
	Probs      *tensor.Dense // float32 [C] ragged, π_T(a|s)
}

// State is a view of one decision state; its slices alias the shard.
type State struct {
	Traj, Step      int
	Anchor, Current int       // nodes, see routing.Row
	Remaining       int       // CVRP: room in the vehicle, in demand units
	Candidates      []uint16  // [K] feasible actions, increasing
	Probs           []float32 // [K] π_T(·|s)
}

// Row returns what the state shows beside its candidates. Its First is not known without the actions before it: see
// Walk.
func (st State) Row() routing.Row {
	return routing.Row{
		Anchor: int32(st.Anchor), Current: int32(st.Current), Step: int32(st.Step), Remaining: int32(st.Remaining),
	}
}

// Instances returns I.
func (sh *Shard) Instances() int {
	if sh.Coords == nil {
		return 0
	}
	return sh.Coords.Shape()[0]
}

// Trajectories returns R.
func (sh *Shard) Trajectories() int { return len(sh.InstanceOf) }

// States returns S.
func (sh *Shard) States() int { return len(sh.Traj) }

// Size counts what a shard holds.
type Size struct {
	Instances, Trajectories, States int
	Actions, Candidates             int // of all trajectories; of all states
}

// Size counts what the shard holds.
func (sh *Shard) Size() Size {
	return Size{sh.Instances(), sh.Trajectories(), sh.States(), len(sh.Actions), len(sh.Candidates)}
}

func (s Size) plus(o Size) Size {
	return Size{s.Instances + o.Instances, s.Trajectories + o.Trajectories, s.States + o.States, s.Actions + o.Actions,
		s.Candidates + o.Candidates}
}

// Instance returns instance i; its slices alias the shard.
func (sh *Shard) Instance(i int) routing.Instance {
	in := routing.Instance{Problem: sh.Problem, Coords: dense.Open[float32](sh.Coords)[2*sh.N*i : 2*sh.N*(i+1)]}
	if len(sh.Capacity) > 0 {
		in.Demand, in.Capacity = dense.Open[int32](sh.Demand)[sh.N*i:sh.N*(i+1)], sh.Capacity[i]
	}
	return in
}

// Tour returns the actions of trajectory r: the nodes in visiting order, for CVRP in the canonical form of
// routing.JoinRoutes.
func (sh *Shard) Tour(r int) []int32 {
	if sh.ragged() {
		return sh.Actions[sh.ActionOffset[r]:sh.ActionOffset[r+1]]
	}
	return sh.Actions[r*sh.N : (r+1)*sh.N]
}

// StartRow returns the row of trajectory r in StartProbs, [N]. It aliases the shard.
func (sh *Shard) StartRow(r int) []float32 {
	return dense.Open[float32](sh.StartProbs)[r*sh.N : (r+1)*sh.N]
}

// State returns state s.
func (sh *Shard) State(s int) State {
	r, t := int(sh.Traj[s]), int(sh.Step[s])
	a, b := sh.Offset[s], sh.Offset[s+1]
	tour := sh.Tour(r)
	st := State{Traj: r, Step: t, Candidates: sh.Candidates[a:b], Probs: dense.Open[float32](sh.Probs)[a:b]}
	if len(sh.Remaining) > 0 {
		st.Remaining = int(sh.Remaining[s])
	}
	if !sh.ragged() {
		st.Anchor = int(tour[0])
	}
	if t > 0 {
		st.Current = int(tour[t-1])
	}
	return st
}

// Taken returns which candidate the trajectory took at state s, or -1 for none of them: a forced trajectory may take
// an action that the teacher refuses.
func (sh *Shard) Taken(s int) int {
	c := routing.Taken(sh.Tour(int(sh.Traj[s])), int(sh.Step[s]), sh.N, sh.ViaDepot)
	return slices.Index(sh.Candidates[sh.Offset[s]:sh.Offset[s+1]], uint16(c))
}

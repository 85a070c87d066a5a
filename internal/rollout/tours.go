package rollout

import (
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
)

// The layout of problems without a depot: every trajectory is a tour of N actions, and its first action is no state.
// The numbers of states and candidates are known from the start.

// statesPerTour returns how many states of a tour of n nodes have a choice, and how many candidates these have
// together: steps 1 .. n-2 with n-1 .. 2 candidates. With n = 5, that is 3 states with 4+3+2 = 9 candidates.
func statesPerTour(n int) (states, candidates int) { return n - 2, n*(n-1)/2 - 1 }

// newTours returns a shard with room for all trajectories, which fill writes, and the first trajectory of every
// instance.
func newTours(teacher string, insts []routing.Instance, runs [][]routing.Run) (*flat, []int) {
	n, R := insts[0].N(), 0
	first := make([]int, len(insts))
	for i := range runs {
		first[i] = R
		R += len(runs[i])
	}
	perTour, candidates := statesPerTour(n)
	S := R * perTour
	f := &flat{
		fields: fields{
			Problem: insts[0].Problem, Teacher: teacher, N: n,
			InstanceOf: make([]int32, 0, R),
			Actions:    make([]int32, R*n),
			Traj:       make([]int32, 0, S),
			Step:       make([]int32, 0, S),
			Offset:     make([]int64, 1, S+1),
			Candidates: make([]uint16, R*candidates),
		},
		coords:     make([]float32, 0, len(insts)*2*n),
		startProbs: make([]float32, R*n),
		probs:      make([]float32, R*candidates),
	}
	for i := range insts {
		f.coords = append(f.coords, insts[i].Coords...)
		for range runs[i] {
			r := int32(len(f.InstanceOf))
			f.InstanceOf = append(f.InstanceOf, int32(i))
			for t := 1; t <= perTour; t++ {
				f.Traj = append(f.Traj, r)
				f.Step = append(f.Step, int32(t))
				f.Offset = append(f.Offset, f.Offset[len(f.Offset)-1]+int64(n-t))
			}
		}
	}
	return f, first
}

// fill writes trajectory r into the place laid out for it.
func (f *flat) fill(r int, tr *routing.Trajectory) error {
	n := f.N
	if len(tr.Actions) != n || len(tr.Probs) != n*n {
		return fmt.Errorf("%d actions and %d probabilities, want %d and %d", len(tr.Actions), len(tr.Probs), n, n*n)
	}
	copy(f.Actions[r*n:], tr.Actions)
	copy(f.startProbs[r*n:(r+1)*n], tr.Probs[:n])
	perTour, _ := statesPerTour(n)
	visited := make([]bool, n)
	for t := 1; t <= perTour; t++ {
		visited[tr.Actions[t-1]] = true
		at := f.Offset[r*perTour+t-1]
		for j, p := range tr.Probs[t*n : (t+1)*n] {
			if visited[j] {
				continue
			}
			if !isProbability(p) {
				return fmt.Errorf("step %d: probability %v of node %d", t, p, j)
			}
			f.Candidates[at], f.probs[at] = uint16(j), p
			at++
		}
	}
	return nil
}

// validateTour replays trajectory r, whose first state is *s, and moves *s past its states.
func (sh *Shard) validateTour(r int, s *int) error {
	n := sh.N
	if i := sh.InstanceOf[r]; i < 0 || int(i) >= sh.Instances() {
		return fmt.Errorf("instance %d, want 0..%d", i, sh.Instances()-1)
	}
	if start := sh.StartRow(r); !allZero(start) {
		if err := validateDistribution(start); err != nil {
			return fmt.Errorf("start: %w", err)
		}
	}
	visited := make([]bool, n)
	for t, a := range sh.Actions[r*n : (r+1)*n] {
		if *s < sh.States() && int(sh.Traj[*s]) == r && int(sh.Step[*s]) == t {
			if err := sh.validateTourState(*s, visited); err != nil {
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

func (sh *Shard) validateTourState(s int, visited []bool) error {
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
			return fmt.Errorf("candidates %v, want the unvisited nodes in increasing index: "+
				"node %d is missing at place %d", candidates, j, k)
		}
		k++
	}
	if k != len(candidates) {
		return fmt.Errorf("candidate %d is infeasible", candidates[k])
	}
	return validateDistribution(sh.State(s).Probs)
}

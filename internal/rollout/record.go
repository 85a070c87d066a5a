package rollout

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// Record lets p solve every instance with runs(i) on instance i, and keeps all decision states with p's distribution on them.
//
// All instances must be of one problem and size. The result does not depend on the number of cores, and beside it only the trajectories in
// flight are in memory. progress, unless nil, is told how many instances are done; its calls do not overlap.
func Record(ctx context.Context, p routing.Policy, insts []routing.Instance, runs func(i int) []routing.Run, progress func(done int)) (*Shard, error) {
	var sh *Shard
	err := alike(insts)
	if err == nil {
		sh, err = recordRange(ctx, p, insts, 0, len(insts), runs, progress)
	}
	if err != nil {
		return nil, fmt.Errorf("record rollouts of %s: %w", p.Name(), err)
	}
	return sh, nil
}

// pieceBytes is about how much memory a piece takes.
const pieceBytes = 32 << 20

// RecordPieces is Record for any number of instances: it hands visit the shard in pieces of consecutive instances, one by one, and holds no
// more than one in memory.
func RecordPieces(ctx context.Context, p routing.Policy, insts []routing.Instance, runs func(i int) []routing.Run, progress func(done int),
	visit func(piece *Shard) error) error {
	return recordPieces(ctx, p, insts, runs, progress, visit, pieceBytes)
}

func recordPieces(ctx context.Context, p routing.Policy, insts []routing.Instance, runs func(i int) []routing.Run, progress func(done int),
	visit func(piece *Shard) error, size int) error {
	if err := alike(insts); err != nil {
		return fmt.Errorf("record rollouts of %s: %w", p.Name(), err)
	}
	for from := 0; from < len(insts); {
		const perCandidate = 2 + 4
		n := insts[from].N()
		each := perCandidate * n * n / 2 * max(1, len(runs(from)))
		to := min(len(insts), from+max(size/each, runtime.GOMAXPROCS(0)))
		var counted func(int)
		if progress != nil {
			counted = func(done int) { progress(from + done) }
		}
		piece, err := recordRange(ctx, p, insts, from, to, runs, counted)
		if err != nil {
			return fmt.Errorf("record rollouts of %s: %w", p.Name(), err)
		}
		if err := visit(piece); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// recordRange records instances from .. to-1 of all, which are alike.
func recordRange(ctx context.Context, p routing.Policy, all []routing.Instance, from, to int, runs func(i int) []routing.Run, progress func(done int)) (*Shard, error) {
	insts := all[from:to]
	recorded := make([][]routing.Run, len(insts))
	for i := range insts {
		recorded[i] = append(recorded[i], runs(from+i)...)
		for k := range recorded[i] {
			recorded[i][k].Record = true
		}
	}
	place, finish := recorder(p.Name(), insts, recorded)
	err := routing.Each(ctx, p, insts, func(i int) []routing.Run { return recorded[i] }, func(i int, trs []routing.Trajectory) error {
		if err := place(i, trs); err != nil {
			return fmt.Errorf("instance %d (%s), %w", from+i, insts[i].Name, err)
		}
		return nil
	}, progress)
	if err != nil {
		return nil, err
	}
	return finish()
}

// recorder returns how the trajectories of an instance find their place in a shard, concurrently with those of others, and
// how the shard is got once all have. Those of TSP have their place from the start. Those of CVRP, whose length is not known before, wait in a
// shard for each instance.
func recorder(teacher string, insts []routing.Instance, runs [][]routing.Run) (place func(i int, trs []routing.Trajectory) error, finish func() (*Shard, error)) {
	if insts[0].Problem == routing.TSP {
		sh, first := newShard(teacher, insts, runs)
		place = func(i int, trs []routing.Trajectory) error {
			for k := range trs {
				if err := sh.fill(first[i]+k, &trs[k]); err != nil {
					return fmt.Errorf("run %d: %w", k, err)
				}
			}
			return nil
		}
		return place, func() (*Shard, error) { return sh, nil }
	}
	parts := make([]*Shard, len(insts))
	place = func(i int, trs []routing.Trajectory) error {
		parts[i] = newCVRP(teacher, &insts[i])
		for k := range trs {
			if err := parts[i].addCVRP(0, &trs[k]); err != nil {
				return fmt.Errorf("run %d: %w", k, err)
			}
		}
		return nil
	}
	return place, func() (*Shard, error) { return Concat(parts...) }
}

// alike refuses instances that are not valid, or not of one problem and size.
func alike(insts []routing.Instance) error {
	if len(insts) == 0 {
		return errors.New("no instances")
	}
	for i := range insts {
		if insts[i].Problem != insts[0].Problem {
			return fmt.Errorf("instance %s: this is %s, the first instance is %s", insts[i].Name, insts[i].Problem, insts[0].Problem)
		}
		if err := problems.Validate(&insts[i]); err != nil {
			return err
		}
		if n := insts[0].N(); insts[i].N() != n {
			return fmt.Errorf("instance %s: %d nodes, but the first instance has %d: a shard holds one size", insts[i].Name, insts[i].N(), n)
		}
	}
	return nil
}

// statesPerTour returns how many states of a TSP tour of n nodes have a choice, and how many candidates these have together:
// steps 1 .. n-2 with n-1 .. 2 candidates.
func statesPerTour(n int) (states, candidates int) { return n - 2, n*(n-1)/2 - 1 }

// newShard returns a shard whose shape is settled and whose trajectories are still to be filled in, and the first trajectory of
// every instance.
func newShard(teacher string, insts []routing.Instance, runs [][]routing.Run) (*Shard, []int) {
	n, R := insts[0].N(), 0
	first := make([]int, len(insts))
	for i := range runs {
		first[i] = R
		R += len(runs[i])
	}
	perTour, candidates := statesPerTour(n)
	S := R * perTour
	sh := &Shard{
		Problem: routing.TSP, Teacher: teacher, N: n,
		Coords:     make([]float32, 0, len(insts)*2*n),
		InstanceOf: make([]int32, 0, R),
		Actions:    make([]int32, R*n),
		StartProbs: make([]float32, R*n),
		Traj:       make([]int32, 0, S),
		Step:       make([]int32, 0, S),
		Offset:     make([]int64, 1, S+1),
		Candidates: make([]uint16, R*candidates),
		Probs:      make([]float32, R*candidates),
	}
	for i := range insts {
		sh.Coords = append(sh.Coords, insts[i].Coords...)
		for range runs[i] {
			r := int32(len(sh.InstanceOf))
			sh.InstanceOf = append(sh.InstanceOf, int32(i))
			for t := 1; t <= perTour; t++ {
				sh.Traj = append(sh.Traj, r)
				sh.Step = append(sh.Step, int32(t))
				sh.Offset = append(sh.Offset, sh.Offset[len(sh.Offset)-1]+int64(n-t))
			}
		}
	}
	return sh, first
}

// fill writes trajectory r into the place laid out for it.
func (sh *Shard) fill(r int, tr *routing.Trajectory) error {
	n := sh.N
	if len(tr.Actions) != n || len(tr.Probs) != n*n {
		return fmt.Errorf("%d actions and %d probabilities, want %d and %d", len(tr.Actions), len(tr.Probs), n, n*n)
	}
	copy(sh.Actions[r*n:], tr.Actions)
	copy(sh.StartProbs[r*n:(r+1)*n], tr.Probs[:n])
	perTour, _ := statesPerTour(n)
	visited := make([]bool, n)
	for t := 1; t <= perTour; t++ {
		visited[tr.Actions[t-1]] = true
		at := sh.Offset[r*perTour+t-1]
		for j, p := range tr.Probs[t*n : (t+1)*n] {
			if visited[j] {
				continue
			}
			if !isProbability(p) {
				return fmt.Errorf("step %d: probability %v of node %d", t, p, j)
			}
			sh.Candidates[at], sh.Probs[at] = uint16(j), p
			at++
		}
	}
	return nil
}

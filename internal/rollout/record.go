package rollout

import (
	"context"
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// Record lets p solve every instance with runs(i) on instance i, and keeps all decision states with p's distribution on
// them.
//
// All instances must be of one problem and size. The result does not depend on the number of cores. Besides the
// result, only the trajectories in flight are in memory. Record calls progress, unless nil, with the number of
// instances done; these calls do not overlap.
func Record(ctx context.Context, p routing.Policy, insts []routing.Instance, runs func(i int) []routing.Run,
	progress func(done int)) (*Shard, error) {
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

// pieceBytes is about how much memory a piece takes, unless fewest instances take more. Sums over pieces depend on how
// large these are, so neither may depend on the machine.
const (
	pieceBytes = 32 << 20
	fewest     = 16
)

// RecordPieces is Record for any number of instances: it hands visit the shard in pieces of consecutive instances, one
// by one, and holds no more than one in memory.
func RecordPieces(ctx context.Context, p routing.Policy, insts []routing.Instance, runs func(i int) []routing.Run,
	progress func(done int), visit func(piece *Shard) error) error {
	return recordPieces(ctx, p, insts, runs, progress, visit, pieceBytes)
}

func recordPieces(ctx context.Context, p routing.Policy, insts []routing.Instance, runs func(i int) []routing.Run,
	progress func(done int), visit func(piece *Shard) error, size int) error {
	if err := alike(insts); err != nil {
		return fmt.Errorf("record rollouts of %s: %w", p.Name(), err)
	}
	for from := 0; from < len(insts); {
		const perCandidate = 2 + 4
		n := insts[from].N()
		each := perCandidate * n * n / 2 * max(1, len(runs(from)))
		to := min(len(insts), from+max(size/each, fewest))
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

// recordRange records instances from .. to-1. All are of one problem and size.
func recordRange(ctx context.Context, p routing.Policy, all []routing.Instance, from, to int,
	runs func(i int) []routing.Run, progress func(done int)) (*Shard, error) {
	insts := all[from:to]
	recorded := make([][]routing.Run, len(insts))
	for i := range insts {
		recorded[i] = append(recorded[i], runs(from+i)...)
		for k := range recorded[i] {
			recorded[i][k].Record = true
		}
	}
	place, finish := recorder(p.Name(), insts, recorded)
	err := routing.Each(ctx, p, insts, func(i int) []routing.Run { return recorded[i] },
		func(i int, trs []routing.Trajectory) error {
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

// recorder returns two functions. place puts the trajectories of instance i into a shard; calls for different instances
// may run concurrently. finish returns the shard after the last of them. Tours have their place from the start. Routes,
// whose length is not known before, wait in a shard for each instance.
func recorder(teacher string, insts []routing.Instance, runs [][]routing.Run) (
	place func(i int, trs []routing.Trajectory) error, finish func() (*Shard, error)) {
	if problem := problems.Must(insts[0].Problem); !problem.Traits().Depot {
		f, first := newTours(teacher, insts, runs)
		place = func(i int, trs []routing.Trajectory) error {
			for k := range trs {
				if err := f.fill(first[i]+k, &trs[k]); err != nil {
					return fmt.Errorf("run %d: %w", k, err)
				}
			}
			return nil
		}
		return place, func() (*Shard, error) { return f.shard(), nil }
	}
	parts := make([]*flat, len(insts))
	place = func(i int, trs []routing.Trajectory) error {
		parts[i] = newRoutes(teacher, &insts[i], byDepot(trs, insts[i].N()))
		for k := range trs {
			if err := parts[i].addRoutes(&trs[k]); err != nil {
				return fmt.Errorf("run %d: %w", k, err)
			}
		}
		return nil
	}
	return place, func() (*Shard, error) {
		fillIn(parts)
		return concat(parts)
	}
}

// alike refuses instances that are not valid, or not of one problem and size.
func alike(insts []routing.Instance) error {
	if len(insts) == 0 {
		return errors.New("no instances")
	}
	for i := range insts {
		if insts[i].Problem != insts[0].Problem {
			return fmt.Errorf("instance %s: this is %s, the first instance is %s",
				insts[i].Name, insts[i].Problem, insts[0].Problem)
		}
		if err := problems.Validate(&insts[i]); err != nil {
			return err
		}
		if n := insts[0].N(); insts[i].N() != n {
			return fmt.Errorf("instance %s: %d nodes, but the first instance has %d: a shard holds one size",
				insts[i].Name, insts[i].N(), n)
		}
	}
	return nil
}

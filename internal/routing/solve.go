package routing

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// BatchDecoder is a Decoder that is faster on several instances at once, because it stacks their work.
type BatchDecoder interface {
	Decoder
	// BatchSize is the number of instances of n nodes worth passing together.
	BatchSize(n int) int
	// DecodeBatch is Decode for each of insts, all of the same size, with runs[i] on insts[i]. Results
	// do not depend on how instances are batched.
	DecodeBatch(insts []Instance, runs [][]Run) ([][]Trajectory, error)
}

// Each decodes every instance with p, on all cores, and hands the trajectories of instance i to visit. Visits of
// different instances run concurrently and in no particular order. Only trajectories in flight are in memory. Each
// calls progress, unless nil, with the number of instances done; these calls do not overlap.
func Each(ctx context.Context, p Policy, insts []Instance, runs func(i int) []Run,
	visit func(i int, trs []Trajectory) error, progress func(done int)) error {
	var mu sync.Mutex
	done := 0
	counted := func(i int, trs []Trajectory) error {
		if err := visit(i, trs); err != nil || progress == nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		progress(done)
		return nil
	}
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), len(insts)) {
		g.Go(func() error {
			d, err := p.Decoder()
			if err != nil {
				return fmt.Errorf("policy %s: %w", p.Name(), err)
			}
			defer d.Close()
			return eachWorker(ctx, p.Name(), d, &next, insts, runs, counted)
		})
	}
	return g.Wait()
}

// eachWorker takes runs of consecutive instances of one size until none is left.
func eachWorker(ctx context.Context, name string, d Decoder, next *atomic.Int64, insts []Instance,
	runs func(i int) []Run, visit func(i int, trs []Trajectory) error) error {
	batch, _ := d.(BatchDecoder)
	for ctx.Err() == nil {
		from := int(next.Load())
		if from >= len(insts) {
			return nil
		}
		size := 1
		if batch != nil {
			size = max(1, batch.BatchSize(insts[from].N()))
		}
		to := from + 1
		for to < len(insts) && to-from < size && insts[to].N() == insts[from].N() {
			to++
		}
		if !next.CompareAndSwap(int64(from), int64(to)) {
			continue
		}
		trs := make([][]Trajectory, 1)
		var err error
		if to-from == 1 {
			trs[0], err = d.Decode(&insts[from], runs(from))
		} else {
			rs := make([][]Run, to-from)
			for i := range rs {
				rs[i] = runs(from + i)
			}
			trs, err = batch.DecodeBatch(insts[from:to], rs)
		}
		if err != nil {
			return fmt.Errorf("policy %s: %w", name, err)
		}
		for i := range trs {
			if err := visit(from+i, trs[i]); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// Solve decodes every instance with p, on all cores, and returns the trajectories of runs(i) on instance i at
// position i, whatever the number of cores. progress is as for Each.
func Solve(ctx context.Context, p Policy, insts []Instance, runs func(i int) []Run,
	progress func(done int)) ([][]Trajectory, error) {
	out := make([][]Trajectory, len(insts))
	err := Each(ctx, p, insts, runs, func(i int, trs []Trajectory) error {
		out[i] = trs
		return nil
	}, progress)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// SingleRun asks for one trajectory per instance from the policy's own start, the shape of runs that Solve wants.
func SingleRun(int) []Run { return []Run{{Start: OwnStart}} }

// EveryStart asks for one trajectory from each of n start nodes.
func EveryStart(n int) []Run {
	runs := make([]Run, n)
	for i := range runs {
		runs[i].Start = i
	}
	return runs
}

// EveryCustomer asks for one CVRP trajectory from each customer of an instance of n nodes, the depot included.
func EveryCustomer(n int) []Run { return EveryStart(n)[1:] }

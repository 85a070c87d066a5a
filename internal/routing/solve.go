package routing

import (
	"context"
	"fmt"
	"sync"

	"github.com/epb-nco/epb/internal/parallel"
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
// calls progress, unless nil, with the number of instances done; these calls do not overlap. The error is that of the
// first instances that fail, whatever the number of cores.
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
	if len(insts) == 0 {
		return nil
	}
	workers := parallel.Workers(len(insts)) // asked once: the number of cores may change
	decoders := DecodersOf(p, workers)
	defer decoders.Close()
	first, err := decoders.Get(0)
	if err != nil {
		return err
	}
	parts := batches(first, insts)
	return parallel.Try(min(workers, len(parts)), len(parts), func(worker, k int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := decoders.Get(worker)
		if err != nil {
			return err
		}
		from, to := parts[k][0], parts[k][1]
		trs, err := decode(d, insts[from:to], func(i int) []Run { return runs(from + i) })
		if err != nil {
			return fmt.Errorf("policy %s: %w", p.Name(), err)
		}
		for i := range trs {
			if err := counted(from+i, trs[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Decoders holds a policy's decoders, one for each of several goroutines.
type Decoders struct {
	policy Policy
	open   []Decoder // nil where none was asked for
}

// DecodersOf returns the decoders of a policy for n goroutines. Close them.
func DecodersOf(p Policy, n int) *Decoders { return &Decoders{p, make([]Decoder, n)} }

// Get returns the decoder of a goroutine, and opens it if need be.
func (d *Decoders) Get(worker int) (Decoder, error) {
	if d.open[worker] == nil {
		opened, err := d.policy.Decoder()
		if err != nil {
			return nil, fmt.Errorf("policy %s: %w", d.policy.Name(), err)
		}
		d.open[worker] = opened
	}
	return d.open[worker], nil
}

// Close closes the decoders that were opened.
func (d *Decoders) Close() {
	for _, opened := range d.open {
		if opened != nil {
			opened.Close()
		}
	}
}

// batches cuts instances into runs of consecutive ones of one size that are worth passing together: [from, to).
func batches(d Decoder, insts []Instance) (parts [][2]int) {
	batch, _ := d.(BatchDecoder)
	for from := 0; from < len(insts); {
		size := 1
		if batch != nil {
			size = max(1, batch.BatchSize(insts[from].N()))
		}
		to := from + 1
		for to < len(insts) && to-from < size && insts[to].N() == insts[from].N() {
			to++
		}
		parts = append(parts, [2]int{from, to})
		from = to
	}
	return parts
}

// decode decodes a batch.
func decode(d Decoder, insts []Instance, runs func(i int) []Run) ([][]Trajectory, error) {
	if len(insts) == 1 {
		trs, err := d.Decode(&insts[0], runs(0))
		return [][]Trajectory{trs}, err
	}
	all := make([][]Run, len(insts))
	for i := range all {
		all[i] = runs(i)
	}
	return d.(BatchDecoder).DecodeBatch(insts, all)
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

// EveryFirst asks for one trajectory from every node of an instance of n nodes or, where one of them is a depot, from
// every customer.
func EveryFirst(t Traits, n int) []Run { return EveryStart(n)[t.Depots():] }

package evaluate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/epb-nco/epb/internal/routing"
)

// A search is a series of rounds on one instance: each constructs solutions of some instance, in whose terms those of the original
// can be told.
type round struct {
	inst      *routing.Instance
	runs      []routing.Run
	translate func(actions []int32) []int32
}

// plan returns round k, given the best solution so far, and false after the last.
type plan func(k int, best *incumbent) (round, bool)

// roundRuns bounds the runs of a round, so that a time limit is kept.
const roundRuns = 128

// rounds decodes every instance on its own, one core each.
func (s Search) rounds(ctx context.Context, p routing.Policy, insts []routing.Instance, d *Decoded) error {
	var next atomic.Int64
	var mu sync.Mutex
	done := 0
	g, ctx := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), len(insts)) {
		g.Go(func() error {
			dec, err := p.Decoder()
			if err != nil {
				return fmt.Errorf("policy %s: %w", p.Name(), err)
			}
			defer dec.Close()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(insts) {
					return ctx.Err()
				}
				best, cut, err := s.search(ctx, dec, &insts[i], s.plan(i, &insts[i]))
				if err != nil {
					return fmt.Errorf("policy %s: %w", p.Name(), err)
				}
				d.Tours[i], d.Costs[i] = best.actions, best.cost
				mu.Lock()
				done++
				if cut {
					d.Cut++
				}
				if s.Progress != nil {
					s.Progress(done)
				}
				mu.Unlock()
			}
		})
	}
	return g.Wait()
}

// search runs the rounds of a plan; cut says that the limit ended it.
func (s Search) search(ctx context.Context, dec routing.Decoder, in *routing.Instance, next plan) (best incumbent, cut bool, err error) {
	best, began := incumbent{inst: in}, time.Now()
	for k := 0; ; k++ {
		if err := ctx.Err(); err != nil {
			return best, false, err
		}
		r, ok := next(k, &best)
		if !ok {
			return best, false, nil
		}
		if k > 0 && s.Limit > 0 && time.Since(began) >= s.Limit {
			return best, true, nil
		}
		trs, err := dec.Decode(r.inst, r.runs)
		if err != nil {
			return best, false, err
		}
		if err := best.improve(trs, r.translate); err != nil {
			return best, false, err
		}
	}
}

// plan returns the rounds of the mode on instance i. It panics on a mode that UnmarshalText refuses.
func (s Search) plan(i int, in *routing.Instance) plan {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	switch name, n := s.Mode.split(); {
	case name == string(Greedy):
		return chunks(in, []routing.Run{{Start: s.start(i)}})
	case name == string(MultiStart):
		return chunks(in, everyFirst(in))
	case name == string(Aug8):
		return augmented(in)
	case name == sampling && n > 0:
		runs := make([]routing.Run, n)
		for k := range runs {
			runs[k] = routing.Run{Start: s.start(i), Sample: max(1, rng.Uint64())}
		}
		return chunks(in, runs)
	case name == rebuilding && n > 0:
		return reconstruct(in, s.start(i), n, rng)
	}
	panic(fmt.Sprintf("evaluate: decode mode %q", s.Mode))
}

// chunks divides runs on the instance itself into rounds.
func chunks(in *routing.Instance, runs []routing.Run) plan {
	return func(k int, _ *incumbent) (round, bool) {
		from := k * roundRuns
		if from >= len(runs) {
			return round{}, false
		}
		return round{in, runs[from:min(from+roundRuns, len(runs))], asIs}, true
	}
}

// augmented is multi-start on all eight images of an instance, itself first.
func augmented(in *routing.Instance) plan {
	runs := everyFirst(in)
	per := (len(runs) + roundRuns - 1) / roundRuns
	return func(k int, _ *incumbent) (round, bool) {
		if k >= 8*per {
			return round{}, false
		}
		img := image(in, k/per)
		from := k % per * roundRuns
		return round{&img, runs[from:min(from+roundRuns, len(runs))], asIs}, true
	}
}

// image returns one of the eight images of an instance under the symmetries of the unit square; image 0 is the instance.
func image(in *routing.Instance, k int) routing.Instance {
	img := *in
	img.Coords = make([]float32, len(in.Coords))
	for i := range in.N() {
		x, y := in.XY(i)
		if k&1 != 0 {
			x = 1 - x
		}
		if k&2 != 0 {
			y = 1 - y
		}
		if k&4 != 0 {
			x, y = y, x
		}
		img.Coords[2*i], img.Coords[2*i+1] = x, y
	}
	return img
}

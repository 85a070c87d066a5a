package evaluate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// A search is a series of rounds on one instance. Each round constructs solutions of some instance, and translate turns
// them into solutions of the original one.
type round struct {
	inst      *routing.Instance
	runs      []routing.Run
	translate func(actions []int32) []int32
}

// plan returns round k, given the best solution so far, and false after the last.
type plan func(k int, best *incumbent) (round, bool)

// mostRuns bounds the runs that are decoded together, and so the memory of a search.
const mostRuns = 128

// rounds decodes every instance on its own, one core each.
func (s Search) rounds(ctx context.Context, p routing.Policy, insts []routing.Instance, d *Decoded) error {
	var mu sync.Mutex
	done := 0
	workers := parallel.Workers(len(insts))
	decoders := routing.DecodersOf(p, workers)
	defer decoders.Close()
	return parallel.Try(workers, len(insts), func(worker, i int) error {
		dec, err := decoders.Get(worker)
		if err != nil {
			return err
		}
		best, cut, err := s.search(ctx, dec, s.incumbent(i, &insts[i]), s.plan(i, &insts[i]))
		if err != nil {
			return fmt.Errorf("policy %s: %w", p.Name(), err)
		}
		d.Tours[i], d.Costs[i] = best.actions, best.cost
		mu.Lock()
		defer mu.Unlock()
		done++
		if cut {
			d.Cut++
		}
		if s.Progress != nil {
			s.Progress(done)
		}
		return nil
	})
}

// search runs the rounds of a plan and returns the best solution, first that of none. cut is true if the time limit
// ended it.
func (s Search) search(
	ctx context.Context, dec routing.Decoder, best incumbent, next plan,
) (_ incumbent, cut bool, err error) {
	w := s.watch()
	for k := 0; ; k++ {
		r, ok := next(k, &best)
		if !ok {
			return best, false, nil
		}
		for len(r.runs) > 0 {
			if err := ctx.Err(); err != nil {
				return best, false, err
			}
			n := min(w.affords(), len(r.runs))
			if n == 0 {
				return best, true, nil
			}
			trs, err := dec.Decode(r.inst, r.runs[:n])
			if err != nil {
				return best, false, err
			}
			if err := best.improve(trs, r.translate); err != nil {
				return best, false, err
			}
			r.runs = r.runs[n:]
			w.spent(n)
		}
	}
}

// stopwatch divides the time of a search on one instance into runs.
type stopwatch struct {
	now   func() time.Time
	limit time.Duration
	began time.Time
	runs  int // decoded so far
}

func (s Search) watch() stopwatch {
	w := stopwatch{now: s.now, limit: s.Limit}
	if w.now == nil {
		w.now = time.Now
	}
	w.began = w.now()
	return w
}

func (w *stopwatch) spent(runs int) { w.runs += runs }

// affords returns how many runs to decode together next, 0 for none. Under a limit that is one run at first, and then
// at most as many as have been made so far, as long as the time that is left is enough for them by the mean of those.
// The search overruns its limit only where the first run is too long, or later runs take longer than earlier ones.
func (w *stopwatch) affords() int {
	switch {
	case w.limit == 0:
		return mostRuns
	case w.runs == 0:
		return 1
	}
	gone := w.now().Sub(w.began)
	each := max(1, gone/time.Duration(w.runs))
	return int(max(0, min(int64((w.limit-gone)/each), int64(w.runs), mostRuns)))
}

// plan returns the rounds of the mode on instance i. It panics on a mode that UnmarshalText refuses.
func (s Search) plan(i int, in *routing.Instance) plan {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	switch name, n := s.Mode.split(); {
	case name == string(Greedy):
		return once(in, []routing.Run{{Start: s.start(i)}})
	case name == string(MultiStart):
		return once(in, routing.EveryFirst(problems.Must(in.Problem).Traits(), in.N()))
	case name == string(Aug8):
		return augmented(in)
	case name == sampling && n > 0:
		runs := make([]routing.Run, n)
		for k := range runs {
			runs[k] = routing.Run{Start: s.start(i), Sample: max(1, rng.Uint64())}
		}
		return once(in, runs)
	case name == rebuilding && n > 0:
		return reconstruct(in, s.start(i), n, rng)
	}
	panic(fmt.Sprintf("evaluate: decode mode %q", s.Mode))
}

// once is a single round on the instance itself.
func once(in *routing.Instance, runs []routing.Run) plan {
	return func(k int, _ *incumbent) (round, bool) { return round{in, runs, routing.Whole}, k == 0 }
}

// augmented is multi-start on all eight images of an instance, itself first.
func augmented(in *routing.Instance) plan {
	every := routing.EveryFirst(problems.Must(in.Problem).Traits(), in.N())
	return func(k int, _ *incumbent) (round, bool) {
		if k == 8 {
			return round{}, false
		}
		img := image(in, k)
		return round{&img, every, routing.Whole}, true
	}
}

// image returns one of the eight images of an instance under the symmetries of the unit square; image 0 is the
// instance.
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

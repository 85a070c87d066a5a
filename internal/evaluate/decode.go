package evaluate

import (
	"context"
	"fmt"
	"time"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// Decoded holds one solution per instance.
type Decoded struct {
	Tours   [][]int32
	Costs   []float64
	Cut     int           // instances on which the time limit ended the search
	Elapsed time.Duration // wall time of all instances together
}

// Starts returns the first node of each tour.
func (d Decoded) Starts() []int {
	starts := make([]int, len(d.Tours))
	for i, tour := range d.Tours {
		starts[i] = int(tour[0])
	}
	return starts
}

// Search says how to decode.
type Search struct {
	Mode Mode
	// Starts holds the first node of each instance; routing.OwnStart lets the policy choose. With nil the policy
	// chooses everywhere. MultiStart and Aug8 ignore it.
	Starts []int
	Seed   uint64 // of what is drawn
	// Limit, unless 0, bounds the time of the search on one instance. The search always completes one solution. It
	// begins another only if the time that is left is enough, by the mean of those before. The result then depends on
	// the machine.
	Limit time.Duration
	// Price, unless nil, is the cost of a solution of instance i by which the search chooses, such as that by a file's
	// rounding rule. It otherwise chooses by the cost in the unit square.
	Price    func(i int, actions []int32) (float64, error)
	Progress func(done int) // called with the number of instances done, unless nil

	now func() time.Time // time.Now, unless a test sets it
}

// Run constructs one solution per instance with p, on all cores. Among equals the first found is kept. Costs are
// measured anew from the finished solutions, without the mask that guided them. Without a limit, the result depends on
// the policy, the instances, mode, starts and seed alone.
func (s Search) Run(ctx context.Context, p routing.Policy, insts []routing.Instance) (Decoded, error) {
	d := Decoded{Tours: make([][]int32, len(insts)), Costs: make([]float64, len(insts))}
	began := time.Now()
	var err error
	if s.Mode == Greedy || s.Mode == MultiStart && s.Limit == 0 {
		err = s.single(ctx, p, insts, &d)
	} else {
		err = s.rounds(ctx, p, insts, &d)
	}
	if err != nil {
		return Decoded{}, err
	}
	d.Elapsed = time.Since(began)
	return d, nil
}

// single decodes the modes that take one round. It decodes instances in batches.
func (s Search) single(ctx context.Context, p routing.Policy, insts []routing.Instance, d *Decoded) error {
	runs := func(i int) []routing.Run {
		if s.Mode == MultiStart {
			return routing.EveryFirst(problems.Must(insts[i].Problem).Traits(), insts[i].N())
		}
		return []routing.Run{{Start: s.start(i)}}
	}
	return routing.Each(ctx, p, insts, runs, func(i int, trs []routing.Trajectory) error {
		best := s.incumbent(i, &insts[i])
		if err := best.improve(trs, routing.Whole); err != nil {
			return fmt.Errorf("policy %s: %w", p.Name(), err)
		}
		d.Tours[i], d.Costs[i] = best.actions, best.cost
		return nil
	}, s.Progress)
}

func (s Search) start(i int) int {
	if s.Starts == nil {
		return routing.OwnStart
	}
	return s.Starts[i]
}

// incumbent is the best solution of an instance so far.
type incumbent struct {
	inst    *routing.Instance
	actions []int32 // nil before the first
	cost    float64

	price func(actions []int32) (float64, error) // Search.Price of the instance, or nil
	least float64                                // price of the actions; their cost without price
}

// incumbent returns that of instance i before its first solution.
func (s Search) incumbent(i int, in *routing.Instance) incumbent {
	b := incumbent{inst: in}
	if s.Price != nil {
		b.price = func(actions []int32) (float64, error) { return s.Price(i, actions) }
	}
	return b
}

// improve takes the best of the trajectories, which translate turns into solutions of the instance, if it is better.
func (b *incumbent) improve(trs []routing.Trajectory, translate func([]int32) []int32) error {
	for r := range trs {
		actions := translate(trs[r].Actions)
		cost, err := problems.Cost(b.inst, actions)
		if err != nil {
			return err
		}
		price := cost
		if b.price != nil {
			if price, err = b.price(actions); err != nil {
				return err
			}
		}
		if b.actions == nil || price < b.least {
			b.actions, b.cost, b.least = actions, cost, price
		}
	}
	return nil
}

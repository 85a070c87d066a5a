package evaluate

import (
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// partial is one run's solution under construction, as the states of a shard see it (rollout.Shard): candidates are nodes,
// and N+c where customer c may be reached by way of the depot.
type partial interface {
	done() bool
	actions() []int32
	// candidates appends the feasible candidates in increasing order.
	candidates(dst []uint16) []uint16
	// show appends the state, without its candidates, to f.
	show(f *frontier)
	// take steps to a candidate.
	take(c int32) error
}

// tour is a partial for TSP.
type tour struct {
	*tsp.State
}

func (p tour) done() bool         { return p.Done() }
func (p tour) actions() []int32   { return p.Actions() }
func (p tour) take(c int32) error { return p.Step(c) }

func (p tour) candidates(dst []uint16) []uint16 {
	for j, visited := range p.Visited() {
		if !visited {
			dst = append(dst, uint16(j))
		}
	}
	return dst
}

func (p tour) show(f *frontier) {
	a := p.Actions()
	f.First, f.Current, f.Step = append(f.First, a[0]), append(f.Current, a[len(a)-1]), append(f.Step, int32(len(a)))
}

// routes is a partial for CVRP.
type routes struct {
	*cvrp.State
	viaDepot bool
}

func (p routes) done() bool       { return p.Done() }
func (p routes) actions() []int32 { return p.Actions() }

func (p routes) candidates(dst []uint16) []uint16 {
	n := len(p.Visited())
	for j := range int32(n) {
		if p.CanVisit(j) && (j > 0 || !p.viaDepot || p.Left() == 0) {
			dst = append(dst, uint16(j))
		}
	}
	if p.viaDepot && p.Current() != 0 {
		for j, visited := range p.Visited()[1:] {
			if !visited {
				dst = append(dst, uint16(n+j+1))
			}
		}
	}
	return dst
}

func (p routes) show(f *frontier) {
	f.First, f.Current, f.Step = append(f.First, p.First()), append(f.Current, p.Current()), append(f.Step, int32(len(p.Actions())))
	f.Remaining = append(f.Remaining, p.Remaining())
	for j, visited := range p.Visited()[1:] {
		if !visited {
			f.Waiting = append(f.Waiting, uint16(j+1))
		}
	}
	f.WaitingOffset = append(f.WaitingOffset, len(f.Waiting))
}

func (p routes) take(c int32) error {
	if n := int32(len(p.Visited())); c >= n && p.viaDepot {
		if err := p.Step(0); err != nil {
			return err
		}
		c -= n
	}
	return p.Step(c)
}

// forced returns the candidate that a run's forced actions ask for at the next step, and whether they do. An action 0 of a
// policy that decides by way of the depot stands for the candidate that the action after it completes, or the preferred one.
func forced(run routing.Run, p partial, cand []uint16, preference []float32) (c int32, ok bool, err error) {
	step := len(p.actions())
	if step >= len(run.Force) {
		return 0, false, nil
	}
	c = run.Force[step]
	via, isRoutes := p.(routes)
	if !isRoutes || !via.viaDepot || c != 0 || via.Left() == 0 {
		return c, true, nil
	}
	n := int32(len(via.Visited()))
	if step+1 < len(run.Force) {
		return n + run.Force[step+1], true, nil
	}
	from, _ := slices.BinarySearch(cand, uint16(n))
	if from == len(cand) {
		return 0, true, fmt.Errorf("step %d: forced to the depot, where the vehicle is", step)
	}
	best := from
	for k := from; preference != nil && k < len(cand); k++ {
		if preference[k] > preference[best] {
			best = k
		}
	}
	return int32(cand[best]), true, nil
}

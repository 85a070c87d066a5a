package cvrp

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/problems/localsearch"
	"github.com/epb-nco/epb/internal/routing"
)

// Ruin and recreate by string removals, with the parameters of Christiaens and Vanden Berghe (2020).
const (
	meanRemoved   = 10   // customers taken out in a round, on average
	longestString = 10   // of consecutive customers
	blink         = 0.01 // chance of overlooking a place when putting one back
	ruinNear      = 50   // neighbours among which strings begin
)

// IteratedRoutes is ImproveRoutes followed by rounds of ruin and recreate: strings of consecutive customers are taken
// out of neighbouring routes and put back one by one where they cost least, and simulated annealing decides what is
// kept. It returns the best solution met. The same seed gives the same solution.
func IteratedRoutes(inst *routing.Instance, actions []int32, rounds int, seed uint64) []int32 {
	best := ImproveRoutes(inst, actions)
	if inst.N() < 3 || rounds == 0 {
		return best
	}
	r := newRuin(inst, best, rand.New(rand.NewPCG(seed, 0x2f0f)))
	cost := pathCost(inst, best)
	least := cost
	// From moves as long as an edge to moves that are next to nothing.
	hot := cost / float64(inst.N())
	cooling := math.Pow(0.01, 1/float64(rounds))
	for t := hot; rounds > 0; rounds-- {
		t *= cooling
		r.ruin()
		r.recreate()
		change := r.change()
		if change >= -t*math.Log(1-r.rng.Float64()) {
			r.restore()
			continue
		}
		if cost += change; cost < least-localsearch.MinGain {
			least, best = cost, routing.JoinRoutes(r.routes)
		}
	}
	return ImproveRoutes(inst, best)
}

// ruin is a CVRP solution that remembers what a round has changed.
type ruin struct {
	*routeSearch
	rng     *rand.Rand
	round   int
	changed []int     // by route: the round that changed it last
	touched []int32   // routes changed in this round
	before  [][]int32 // as they were
	removed []int32
	rank    []float64 // by customer: its turn to be put back, lowest first
}

func newRuin(inst *routing.Instance, actions []int32, rng *rand.Rand) *ruin {
	s := newRouteSearch(inst, ruinNear)
	for _, route := range routing.Routes(actions) {
		s.set(s.open(), route)
	}
	return &ruin{routeSearch: s, rng: rng, rank: make([]float64, inst.N())}
}

// touch saves route k before its first change of the round.
func (r *ruin) touch(k int32) {
	for len(r.changed) <= int(k) {
		r.changed = append(r.changed, 0)
	}
	if r.changed[k] == r.round {
		return
	}
	r.changed[k] = r.round
	at := len(r.touched)
	r.touched = append(r.touched, k)
	if at == len(r.before) {
		r.before = append(r.before, nil)
	}
	r.before[at] = append(r.before[at][:0], r.routes[k]...)
}

// ruin takes a string of customers out of each of a few routes near a random customer.
func (r *ruin) ruin() {
	r.round++
	r.touched, r.removed = r.touched[:0], r.removed[:0]
	full := 0
	for _, route := range r.routes {
		if len(route) > 0 {
			full++
		}
	}
	longest := min(longestString, float64(len(r.of)-1)/float64(full))
	strings := int(1 + r.rng.Float64()*(4*meanRemoved/(1+longest)-1))
	seed := int32(1 + r.rng.IntN(len(r.of)-1))
	r.takeString(seed, longest)
	for _, c := range r.Near[seed] {
		if len(r.touched) >= strings {
			return
		}
		if k := int(r.of[c]); k >= len(r.changed) || r.changed[k] != r.round {
			r.takeString(c, longest)
		}
	}
}

// takeString removes a random string that holds c from its route.
func (r *ruin) takeString(c int32, longest float64) {
	k := r.of[c]
	route := r.routes[k]
	length := 1 + r.rng.IntN(min(len(route), max(1, int(longest))))
	lo, hi := max(0, int(r.at[c])-length+1), min(int(r.at[c]), len(route)-length)
	from := lo + r.rng.IntN(hi-lo+1)
	r.touch(k)
	r.removed = append(r.removed, route[from:from+length]...)
	r.one = append(append(r.one[:0], route[:from]...), route[from+length:]...)
	r.set(k, r.one)
}

// recreate puts the removed customers back, in one of four orders: at random, by demand, the farthest from the depot
// first, or the nearest.
func (r *ruin) recreate() {
	order := r.rng.IntN(11)
	for _, c := range r.removed {
		switch {
		case order < 4:
			r.rank[c] = r.rng.Float64()
		case order < 8:
			r.rank[c] = -float64(r.demand[c])
		case order < 10:
			r.rank[c] = -r.Dist(0, c)
		default:
			r.rank[c] = r.Dist(0, c)
		}
	}
	slices.SortFunc(r.removed,
		func(a, b int32) int { return cmp.Or(cmp.Compare(r.rank[a], r.rank[b]), cmp.Compare(a, b)) })
	for _, c := range r.removed {
		k, at := r.place(c)
		r.touch(k)
		r.one = append(append(append(r.one[:0], r.routes[k][:at]...), c), r.routes[k][at:]...)
		r.set(k, r.one)
	}
}

// place returns the cheapest route and position for c. A new route is one of the choices.
func (r *ruin) place(c int32) (route int32, at int) {
	alone := r.Dist(0, c)
	route, at = r.open(), 0
	least := 2 * alone
	for k, customers := range r.routes {
		if len(customers) == 0 || r.load[k]+r.demand[c] > r.capacity {
			continue
		}
		last, toLast := int32(0), alone
		for i := 0; i <= len(customers); i++ {
			next, toNext := int32(0), alone
			if i < len(customers) {
				next = customers[i]
				toNext = r.Dist(c, next)
			}
			if d := toLast + toNext - r.Dist(last, next); d < least && r.rng.Float64() >= blink {
				least, route, at = d, int32(k), i
			}
			last, toLast = next, toNext
		}
	}
	return route, at
}

// change returns the increase in the solution's length in this round.
func (r *ruin) change() float64 {
	var sum float64
	for i, k := range r.touched {
		sum += r.length(r.routes[k]) - r.length(r.before[i])
	}
	return sum
}

func (r *ruin) length(route []int32) float64 {
	var sum float64
	last := int32(0)
	for _, c := range route {
		sum += r.Dist(last, c)
		last = c
	}
	return sum + r.Dist(last, 0)
}

// restore undoes the changes of the round.
func (r *ruin) restore() {
	for i, k := range r.touched {
		r.set(k, r.before[i])
	}
}

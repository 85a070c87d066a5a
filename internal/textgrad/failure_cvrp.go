package textgrad

import (
	"math"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Vehicle holds the fields of a failure that only CVRP has.
type Vehicle struct {
	Served, Waiting int     // customers
	Remaining       float64 // room left, as a share of the capacity
	Home            bool    // the vehicle is at the depot
}

// Delivery holds the fields of a choice that only CVRP has.
type Delivery struct {
	Where     string  // "customer", "depot" or "customer via depot"
	Demand    float64 // as a share of the capacity
	RoomAfter float64 // room left after serving it; 1 at the depot
	Saving    float64 // what driving on saves over going home and out again; 0 by way of the depot
	Detour    float64 // extra length of the way home through it; 0 for the depot
	Bearing   float64 // polar angle around the depot, -π to π, counter-clockwise; 0 for the depot
	Turn      float64 // angle between it and the vehicle as seen from the depot, 0 to π; 0 where one of them is there
}

// deliveries measures the candidates of one CVRP state.
type deliveries struct {
	current, depot, centroid Point
	waiting                  []Point
	cand                     []Point
	via                      []bool // by way of the depot
	home                     []bool // is the depot
	demand, left             []float64
	served                   int
	remaining                float64
	atHome                   bool
}

// newDeliveries looks at a state after the given actions. Candidate N+c is customer c by way of the depot.
func newDeliveries(in *routing.Instance, st rollout.State, done []int32) measure {
	n, capacity := in.N(), float64(in.Capacity)
	d := deliveries{
		current: place(in, st.Current), depot: place(in, 0),
		remaining: float64(st.Remaining) / capacity, atHome: st.Current == 0,
	}
	visited := make([]bool, n)
	for _, a := range done {
		visited[a] = true
	}
	for c := 1; c < n; c++ {
		if visited[c] {
			d.served++
		} else {
			d.waiting = append(d.waiting, place(in, c))
		}
	}
	d.centroid = centre(d.waiting)
	if len(d.waiting) == 0 {
		d.centroid = d.depot
	}
	for _, a := range st.Candidates {
		node, via := routing.Via(int(a), n)
		d.cand = append(d.cand, place(in, node))
		d.via, d.home = append(d.via, via), append(d.home, a == 0)
		d.demand = append(d.demand, float64(in.Demand[node])/capacity)
		d.left = append(d.left, float64(st.Remaining-int(in.Demand[node]))/capacity)
	}
	return d
}

func (d deliveries) describe(f *Failure) {
	f.Current, f.Start = d.current, d.depot
	f.Vehicle = &Vehicle{Served: d.served, Waiting: len(d.waiting), Remaining: d.remaining, Home: d.atHome}
}

func (d deliveries) choice(k int) Choice {
	p := d.cand[k]
	there := &Delivery{Where: "customer", Demand: d.demand[k], RoomAfter: d.left[k]}
	c := Choice{
		Pos: p, Distance: d.way(k), ToStart: p.dist(d.depot), ToCentroid: p.dist(d.centroid),
		Isolation: d.isolation(p), Delivery: there,
	}
	if !d.home[k] {
		there.Detour = c.Distance + c.ToStart - d.current.dist(d.depot)
		there.Bearing = p.bearing(d.depot)
		if !d.atHome {
			a := math.Abs(there.Bearing - d.current.bearing(d.depot))
			there.Turn = min(a, 2*math.Pi-a)
		}
	}
	switch {
	case d.home[k]:
		there.Where, there.RoomAfter = "depot", 1
	case d.via[k]:
		there.Where, there.RoomAfter = "customer via depot", 1-d.demand[k]
	default:
		there.Saving = d.current.dist(d.depot) + p.dist(d.depot) - p.dist(d.current)
	}
	return c
}

// way is what the vehicle drives to candidate k.
func (d deliveries) way(k int) float64 {
	if d.via[k] {
		return d.current.dist(d.depot) + d.depot.dist(d.cand[k])
	}
	return d.current.dist(d.cand[k])
}

// isolation is the distance from p to the nearest waiting customer elsewhere; 0 if there is none.
func (d deliveries) isolation(p Point) float64 {
	best := math.Inf(1)
	for _, q := range d.waiting {
		if q != p {
			best = min(best, p.dist(q))
		}
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

package textgrad

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// nearest is how many of the closest candidates a prompt lists.
const nearest = 5

// Point is a place in the unit square.
type Point struct{ X, Y float64 }

func (p Point) String() string { return fmt.Sprintf("(%.3f, %.3f)", p.X, p.Y) }

func (p Point) dist(q Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// bearing is the polar angle of p around q, -π to π, counter-clockwise.
func (p Point) bearing(q Point) float64 { return math.Atan2(p.Y-q.Y, p.X-q.X) }

// Choice is one candidate in geometric terms. Lengths are in units of the square's side.
type Choice struct {
	Pos        Point
	PHeuristic float64 // V_m
	PTeacher   float64 // π_T
	Distance   float64 // from the current city
	Isolation  float64 // to the nearest other candidate; 0 if there is none
	ToStart    float64
	ToCentroid float64 // to the mean of the candidates
	Closing    float64 // current → it → start
	TwoStep    float64 // current → it → the candidate that makes this cheapest → start
	Completion float64 // current → it → nearest neighbour through all candidates → start

	*Delivery // CVRP only; the last four lengths are TSP's
}

// Failure is one state a heuristic got wrong, without any node's name.
type Failure struct {
	Step, N, K int // actions taken, nodes, candidates
	KL         float64
	Rank       int // of the teacher's pick in the heuristic's order, from 1
	Current    Point
	Start      Point     // the depot in CVRP
	Centroid   Point     // of the candidates, in CVRP of the waiting customers
	Spread     float64   // mean distance of the candidates to their centroid
	Nearest    []Choice  // at most five, closest first
	Heuristic  [2]Choice // its top two; equal where there is but one
	Teacher    [2]Choice // the teacher's

	*Round // CVRP only
}

// Done is the share of the solution already built, in percent.
func (f Failure) Done() int {
	if f.Round != nil {
		return 100 * f.Served / max(f.Served+f.Waiting, 1)
	}
	return 100 * f.Step / f.N
}

// measure describes candidate k of a state, its probabilities left out.
type measure interface {
	choice(k int) Choice
	closest(n int) []int // candidates, nearest first
}

// NewFailure describes state s of a shard for a heuristic whose distribution there is Vm [K].
func NewFailure(sh *rollout.Shard, s int, Vm []float32) Failure {
	st := sh.State(s)
	in := sh.Instance(int(sh.InstanceOf[st.Traj]))

	f := Failure{Step: st.Step, N: sh.N, K: len(st.Candidates)}
	var g measure
	if sh.Problem == routing.CVRP {
		d := newDeliveries(&in, st, sh.Tour(st.Traj)[:st.Step])
		f.Current, f.Start, f.Centroid, f.Spread, f.Round = d.current, d.depot, d.centroid, d.spread, d.round()
		g = d
	} else {
		t := newGeometry(&in, st)
		f.Current, f.Start, f.Centroid, f.Spread = t.current, t.start, t.centroid, t.spread
		g = t
	}
	for k, p := range st.Probs {
		if p > 0 {
			f.KL += float64(p) * (math.Log(float64(p)) - math.Log(max(float64(Vm[k]), math.SmallestNonzeroFloat32)))
		}
	}
	choice := func(k int) Choice {
		c := g.choice(k)
		c.PHeuristic, c.PTeacher = float64(Vm[k]), float64(st.Probs[k])
		return c
	}
	for i, k := range topTwo(Vm) {
		f.Heuristic[i] = choice(k)
	}
	pick := topTwo(st.Probs)
	for i, k := range pick {
		f.Teacher[i] = choice(k)
	}
	f.Rank = 1
	for k, v := range Vm {
		if v > Vm[pick[0]] || v == Vm[pick[0]] && k < pick[0] {
			f.Rank++
		}
	}
	for _, k := range g.closest(nearest) {
		f.Nearest = append(f.Nearest, choice(k))
	}
	return f
}

// topTwo returns the indices of the two largest values, the first ones on a tie; both are 0 if there is but one.
func topTwo(x []float32) [2]int {
	first := agreement.Argmax(x)
	second := -1
	for k, v := range x {
		if k != first && (second < 0 || v > x[second]) {
			second = k
		}
	}
	return [2]int{first, max(second, 0)}
}

// geometry measures the candidates of one state.
type geometry struct {
	cand                     []Point
	current, start, centroid Point
	spread                   float64
}

func newGeometry(in *routing.Instance, st rollout.State) geometry {
	at := func(node int) Point {
		x, y := in.XY(node)
		return Point{float64(x), float64(y)}
	}
	g := geometry{current: at(st.Current), start: at(st.First)}
	for _, c := range st.Candidates {
		p := at(int(c))
		g.cand = append(g.cand, p)
		g.centroid.X += p.X / float64(len(st.Candidates))
		g.centroid.Y += p.Y / float64(len(st.Candidates))
	}
	for _, p := range g.cand {
		g.spread += p.dist(g.centroid) / float64(len(g.cand))
	}
	return g
}

func (g geometry) choice(k int) Choice {
	p := g.cand[k]
	c := Choice{Pos: p, Distance: p.dist(g.current), ToStart: p.dist(g.start), ToCentroid: p.dist(g.centroid)}
	c.Closing = c.Distance + c.ToStart
	c.TwoStep = c.Closing
	if len(g.cand) > 1 {
		c.Isolation, c.TwoStep = math.Inf(1), math.Inf(1)
		for l, q := range g.cand {
			if l != k {
				c.Isolation = min(c.Isolation, p.dist(q))
				c.TwoStep = min(c.TwoStep, c.Distance+p.dist(q)+q.dist(g.start))
			}
		}
	}
	c.Completion = c.Distance + g.greedyChain(k)
	return c
}

// greedyChain is the length of candidate k → nearest neighbour through all candidates → start.
func (g geometry) greedyChain(k int) float64 {
	visited := make([]bool, len(g.cand))
	length := 0.0
	for {
		visited[k] = true
		next := -1
		for l, q := range g.cand {
			if !visited[l] && (next < 0 || q.dist(g.cand[k]) < g.cand[next].dist(g.cand[k])) {
				next = l
			}
		}
		if next < 0 {
			return length + g.cand[k].dist(g.start)
		}
		length += g.cand[k].dist(g.cand[next])
		k = next
	}
}

// closest returns the n candidates nearest to the current city, nearest first.
func (g geometry) closest(n int) []int {
	var order []int
	for range min(n, len(g.cand)) {
		best := -1
		for k, p := range g.cand {
			taken := false
			for _, o := range order {
				taken = taken || o == k
			}
			if !taken && (best < 0 || p.dist(g.current) < g.cand[best].dist(g.current)) {
				best = k
			}
		}
		order = append(order, best)
	}
	return order
}

package textgrad

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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

	*Delivery // CVRP only, in place of the last three lengths
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
	Heuristic  [2]Choice // its top two; equal if there is only one candidate
	Teacher    [2]Choice // the teacher's top two

	*Round // CVRP only
}

// Done is the share of the solution already built, in percent.
func (f Failure) Done() int {
	if f.Round != nil {
		return 100 * f.Served / max(f.Served+f.Waiting, 1)
	}
	return 100 * f.Step / f.N
}

// measure describes a state and its candidates, their probabilities left out.
type measure interface {
	describe(f *Failure) // the places around, and what the problem adds
	choice(k int) Choice
	way(k int) float64 // to candidate k: Choice.Distance
}

// measures holds for every problem how to measure a state of an instance, after the actions done. Lengths are float64,
// computed from the coordinates alone. They do not depend on the SDK, which computes in float32.
var measures = map[routing.Problem]func(in *routing.Instance, st rollout.State, done []int32) measure{
	routing.TSP:  newGeometry,
	routing.CVRP: newDeliveries,
}

// NewFailure describes state s of a shard for a heuristic whose distribution there is Vm [K].
func NewFailure(sh *rollout.Shard, s int, Vm []float32) Failure {
	st := sh.State(s)
	in := sh.Instance(int(sh.InstanceOf[st.Traj]))

	newMeasure := measures[sh.Problem]
	if newMeasure == nil {
		panic(fmt.Sprintf("textgrad: states of %s cannot be described: measures has no entry for it", sh.Problem))
	}
	f := Failure{Step: st.Step, N: sh.N, K: len(st.Candidates)}
	g := newMeasure(&in, st, sh.Tour(st.Traj)[:st.Step])
	g.describe(&f)
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
	first, second := routing.TopTwo(Vm)
	f.Heuristic = [2]Choice{choice(first), choice(second)}
	pick, second := routing.TopTwo(st.Probs)
	f.Teacher = [2]Choice{choice(pick), choice(second)}
	f.Rank = 1
	for k, v := range Vm {
		if v > Vm[pick] || v == Vm[pick] && k < pick {
			f.Rank++
		}
	}
	for _, k := range closest(g, f.K) {
		f.Nearest = append(f.Nearest, choice(k))
	}
	return f
}

// closest returns the nearest of K candidates, nearest first, and of equals the first.
func closest(g measure, K int) []int {
	order := make([]int, K)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(g.way(i), g.way(j)) })
	return order[:min(nearest, K)]
}

// place returns the coordinates of a node.
func place(in *routing.Instance, node int) Point {
	x, y := in.XY(node)
	return Point{float64(x), float64(y)}
}

// centre returns the mean of some places and their mean distance to it; without places both are zero.
func centre(places []Point) (centroid Point, spread float64) {
	for _, p := range places {
		centroid.X += p.X / float64(len(places))
		centroid.Y += p.Y / float64(len(places))
	}
	for _, p := range places {
		spread += p.dist(centroid) / float64(len(places))
	}
	return centroid, spread
}

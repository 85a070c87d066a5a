package textgrad

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// How many candidates a prompt lists: all of them up to the first number. Of more, the second number of nearest ones,
// and those that the program, the teacher or the teacher's next choices take.
const (
	listed  = 60
	nearest = 40
)

// ahead is how many of the teacher's next choices a prompt shows.
const ahead = 5

// contrasts is how many features a failure has in which the two picks differ.
const contrasts = 6

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
	Isolation  float64 // to the nearest other candidate, or waiting customer for the CVRP; 0 if there is none
	ToStart    float64
	ToCentroid float64 // to the mean of the candidates, or of the waiting customers
	TwoStep    float64 // current → it → the candidate that makes this cheapest → start

	*Delivery // CVRP only, in place of the last length
}

// Listed is a candidate in the list of a state's candidates.
type Listed struct {
	Choice
	Mark string // whose choice a choice is, "program 1, teacher 2"; when the teacher goes to a candidate, "then 3"
}

// same reports whether two are the same candidate: the same place by the same way.
func (l Listed) same(o Listed) bool {
	return l.Pos == o.Pos && (l.Delivery == nil || l.Where == o.Where)
}

// Cloud is a set of places in short.
type Cloud struct {
	Count    int
	Centroid Point
}

// Failure is one state a heuristic got wrong, without any node's name.
type Failure struct {
	Step, N, K int // actions taken, nodes, candidates
	Rank       int // of the teacher's pick in the heuristic's order, from 1
	Current    Point
	Start      Point     // the depot in CVRP
	Nearest    []Listed  // the candidates, closest first; of many the nearest, and the marked ones
	Visited    Cloud     // the nodes that are no longer candidates, the start and the current one included; TSP only
	Path       []Point   // the teacher's next choices after its pick, where the recorded solution takes that
	Heuristic  [2]Choice // its top two; equal if there is only one candidate
	Teacher    [2]Choice // the teacher's top two

	Features []evidence.Contrast // in which the two first choices differ most; empty where the view has no features
	Terms    []evidence.Term     // what the program's weights contribute to the two; empty where it has none
	Score    *evidence.Score     `json:",omitempty"` // the two scores, of which Terms are parts; nil where it has none

	// Program is whose choices these are, where a prompt shows states of several programs.
	Program string `json:",omitempty"`

	*Vehicle // CVRP only
}

// Unlisted is how many candidates the list leaves out.
func (f Failure) Unlisted() int { return f.K - len(f.Nearest) }

// negligible is below which probability a second choice is no choice.
const negligible = 0.01

// strongest is how many features a diagnosis of one state is shown.
const strongest = 4

// Strongest are the features in which the two first choices differ most.
func (f Failure) Strongest() []evidence.Contrast { return f.Features[:min(strongest, len(f.Features))] }

// Choices are the first two of the program and the first two of the teacher, each place once, marked with whose choices
// it is: "program 2, teacher 1". Beside features, which tell the first choices apart, negligible second ones are left
// out.
func (f Failure) Choices() []Listed {
	var all []Listed
	for _, choice := range []Listed{
		{f.Heuristic[0], "program 1"}, {f.Heuristic[1], "program 2"},
		{f.Teacher[0], "teacher 1"}, {f.Teacher[1], "teacher 2"},
	} {
		idle := choice.Mark == "program 2" && choice.PHeuristic < negligible ||
			choice.Mark == "teacher 2" && choice.PTeacher < negligible
		if idle && len(f.Features) > 0 {
			continue
		}
		if at := slices.IndexFunc(all, choice.same); at >= 0 {
			all[at].Mark += ", " + choice.Mark
		} else {
			all = append(all, choice)
		}
	}
	return all
}

// Spots is the list of candidates in a line: ".35 .01 (teacher 1); .49 .32 (then 1); …". It says whose choice a
// candidate is, and the demand of customers.
func (f Failure) Spots() string {
	var b strings.Builder
	choices := f.Choices()
	for i, c := range f.Nearest {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s %s", hundredths(c.Pos.X), hundredths(c.Pos.Y))
		if c.Delivery != nil {
			b.WriteString(strings.TrimPrefix(" "+c.Where, " customer")) // all are customers but the depot
			fmt.Fprintf(&b, " %.0f %%", 100*c.Demand)
		}
		marks := c.Mark
		if at := slices.IndexFunc(choices, c.same); at >= 0 {
			marks = strings.TrimSuffix(choices[at].Mark+", "+marks, ", ")
		}
		if marks != "" {
			fmt.Fprintf(&b, " (%s)", marks)
		}
	}
	if n := f.Unlisted(); n > 0 {
		fmt.Fprintf(&b, "; and %d farther ones", n)
	}
	return b.String()
}

// hundredths prints a coordinate in the square: ".35", and "1.00" at its far side.
func hundredths(x float64) string { return strings.TrimPrefix(fmt.Sprintf("%.2f", x), "0") }

// Way is the teacher's next choices in words.
func (f Failure) Way() string {
	var stops []string
	for _, p := range f.Path {
		if f.Vehicle != nil && p == f.Start {
			stops = append(stops, "the depot")
			continue
		}
		stops = append(stops, p.String())
	}
	return strings.Join(stops, ", ")
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
	choice := func(k int) Choice {
		c := g.choice(k)
		c.PHeuristic, c.PTeacher = float64(Vm[k]), float64(st.Probs[k])
		return c
	}
	first, second := routing.TopTwo(Vm)
	pick, other := routing.TopTwo(st.Probs)
	f.Heuristic, f.Teacher = [2]Choice{choice(first), choice(second)}, [2]Choice{choice(pick), choice(other)}
	f.Rank = 1
	for k, v := range Vm {
		if v > Vm[pick] || v == Vm[pick] && k < pick {
			f.Rank++
		}
	}
	then := map[int]string{} // by candidate: when the teacher takes it after its pick
	for i, node := range next(sh, s, pick) {
		f.Path = append(f.Path, place(&in, int(node)))
		depot := f.Vehicle != nil && node == 0
		if k := slices.Index(st.Candidates, uint16(node)); k >= 0 && !depot {
			then[k] = fmt.Sprintf("then %d", i+1)
		}
	}
	choices := f.Choices()
	for i, k := range byDistance(g, f.K) {
		c := Listed{choice(k), then[k]}
		if f.K <= listed || i < nearest || c.Mark != "" || slices.ContainsFunc(choices, c.same) {
			f.Nearest = append(f.Nearest, c)
		}
	}
	return f
}

// WithFeatures adds the features in which the two picks of a failure differ most. s is the state that NewFailure
// described with Vm.
func (f Failure) WithFeatures(set *features.Set, sh *rollout.Shard, s int, Vm []float32) (Failure, error) {
	program, teacher := firstChoices(sh, s, Vm)
	var err error
	f.Features, err = evidence.Contrasts(set, sh, int32(s), program, teacher, contrasts)
	return f, err
}

// firstChoices returns the first choices of a program and of the teacher at state s, as indices into its candidates.
func firstChoices(sh *rollout.Shard, s int, Vm []float32) (program, teacher int) {
	program, _ = routing.TopTwo(Vm)
	teacher, _ = routing.TopTwo(sh.State(s).Probs)
	return program, teacher
}

// next returns the nodes that the recorded solution visits after the teacher's pick at state s, at most ahead of them;
// none where the solution takes another candidate there, as those of Dagger may.
func next(sh *rollout.Shard, s, pick int) []int32 {
	if sh.Taken(s) != pick {
		return nil
	}
	st := sh.State(s)
	rest := sh.Tour(st.Traj)[st.Step+1:]
	if _, via := routing.Via(int(st.Candidates[pick]), sh.N); via { // two actions: the depot, then the node
		rest = rest[1:]
	}
	return rest[:min(ahead, len(rest))]
}

// byDistance returns K candidates, the nearest first, and of equals the first.
func byDistance(g measure, K int) []int {
	order := make([]int, K)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(g.way(i), g.way(j)) })
	return order
}

// place returns the coordinates of a node.
func place(in *routing.Instance, node int) Point {
	x, y := in.XY(node)
	return Point{float64(x), float64(y)}
}

// centre returns the mean of some places, the origin without any.
func centre(places []Point) (centroid Point) {
	for _, p := range places {
		centroid.X += p.X / float64(len(places))
		centroid.Y += p.Y / float64(len(places))
	}
	return centroid
}

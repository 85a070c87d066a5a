package habits_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
)

// tourShard holds one tour around the unit square, counterclockwise from the origin, with a node in the middle, which
// is visited last. The tour has three decisions: at the origin, at (1, 0) and at (1, 1). The fourth step is forced.
func tourShard() *rollout.Shard {
	return &rollout.Shard{
		Problem: routing.TSP, Teacher: "by hand", N: 5,
		Coords:     dense.Of([]float32{0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5}, 1, 5, 2),
		InstanceOf: []int32{0}, Actions: []int32{0, 1, 2, 3, 4},
		StartProbs: dense.Of([]float32{0.6, 0.1, 0.1, 0.1, 0.1}, 1, 5),
		Traj:       []int32{0, 0, 0}, Step: []int32{1, 2, 3}, Offset: []int64{0, 4, 7, 9},
		Candidates: []uint16{1, 2, 3, 4, 2, 3, 4, 3, 4},
		Probs:      dense.Vector([]float32{0.7, 0, 0.1, 0.2, 0.9, 0.05, 0.05, 0.52, 0.48}),
	}
}

func TestTour(t *testing.T) {
	p, err := habits.Measure([]*rollout.Shard{tourShard()}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what      string
		got, want any
	}{
		{"solutions", p.Solutions, 1},
		{"states", p.States, 3},
		{"counterclockwise", p.Counterclockwise, habits.Share{Count: 1, Of: 1}},
		{"hull order", p.HullOrder, habits.Share{Count: 1, Of: 1}},
		{"uncrossed", p.Uncrossed, habits.Share{Count: 1, Of: 1}},
		{"start", *p.Start, habits.Place{Of: 1}},
		// Each decision passes the middle by for a corner, which is the second nearest; the last decision, a near-tie,
		// too.
		{"ranks after one node", p.Stages[1].Rank, [4]int{0, 1, 0, 0}},
		{"ranks after two", p.Stages[2].Rank, [4]int{0, 1, 0, 0}},
		{"ranks after three", p.Stages[3].Rank, [4]int{0, 1, 0, 0}},
		{"near-ties after two", p.Stages[2].NearTies, 0},
		{"near-ties after three", p.Stages[3].NearTies, 1},
		{"a tour has no routes", p.Routes == nil, true},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", tt.what, tt.got, tt.want)
		}
	}
	if s := p.Stages[1]; math.Abs(s.Top1-0.7) > 1e-6 || math.Abs(s.Top2-0.2) > 1e-6 {
		t.Errorf("first and second probability %v and %v, want 0.7 and 0.2", s.Top1, s.Top2)
	}
}

// threeCustomers returns a shard of one solution, without its states. The depot is in the middle, customers 1 and 2 on
// the right, of demand 3 and 4 of 10, and customer 3 is above, of the demand given.
func threeCustomers(third int32, actions ...int32) *rollout.Shard {
	return &rollout.Shard{
		Problem: routing.CVRP, Teacher: "by hand", N: 4,
		Coords: dense.Of([]float32{0.5, 0.5, 0.9, 0.4, 0.9, 0.6, 0.5, 0.9}, 1, 4, 2),
		Demand: dense.Of([]int32{0, 3, 4, third}, 1, 4), Capacity: []int32{10},
		InstanceOf: []int32{0}, Actions: actions, ActionOffset: []int64{0, int64(len(actions))},
	}
}

// Two routes: customers 1 and 2, then 3. The vehicle comes home after customer 2 although customer 3 would not fit, and
// is sent out again.
func TestRoutes(t *testing.T) {
	sh := threeCustomers(5, 1, 2, 0, 3, 0)
	sh.Traj, sh.Step, sh.Remaining, sh.Offset = []int32{0, 0}, []int32{0, 1}, []int32{10, 7}, []int64{0, 3, 6}
	sh.Candidates, sh.Probs = []uint16{1, 2, 3, 0, 2, 3}, dense.Vector([]float32{0.5, 0.3, 0.2, 0.2, 0.5, 0.3})
	p, err := habits.Measure([]*rollout.Shard{sh}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if p.Counterclockwise != (habits.Share{Count: 1, Of: 1}) { // the route to customer 3 and back encloses nothing
		t.Errorf("counterclockwise %v", p.Counterclockwise)
	}
	r := p.Routes
	if r.PerTour != 2 || math.Abs(r.Load-0.6) > 1e-9 {
		t.Errorf("%v routes with %v of the capacity in use, want 2 with (0.7 + 0.5)/2", r.PerTour, r.Load)
	}
	if r.NextLeft != (habits.Share{Count: 1, Of: 1}) {
		t.Errorf("the second route is up, the first right: counterclockwise of it, not %v", r.NextLeft)
	}
	if r.Voluntary != (habits.Share{Count: 0, Of: 1}) {
		t.Errorf("voluntary returns %v, want 0 of 1 decision away from the depot at which a customer fits", r.Voluntary)
	}
	if p.Start != nil || p.HullOrder.Of != 0 {
		t.Errorf("a vehicle starts at the depot: start %v, hull order %v", p.Start, p.HullOrder)
	}
}

// A decision for the depot has no rank, and where a customer fits it is an early return. That it is a near-tie counts
// among all decisions.
func TestReturnToTheDepot(t *testing.T) {
	sh := threeCustomers(5, 1, 0, 2, 3, 0)
	sh.Traj, sh.Step, sh.Remaining, sh.Offset = []int32{0}, []int32{1}, []int32{7}, []int64{0, 3}
	sh.Candidates, sh.Probs = []uint16{0, 2, 3}, dense.Vector([]float32{0.4, 0.35, 0.25})
	p, err := habits.Measure([]*rollout.Shard{sh}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := p.Stages[1]
	if s.Decisions != 1 || s.Rank != [4]int{} || s.NearTies != 1 {
		t.Errorf("%+v, want one decision without a rank, a near-tie", s)
	}
	if p.Routes.Voluntary != (habits.Share{Count: 1, Of: 1}) {
		t.Errorf("voluntary returns %v, want 1 of 1", p.Routes.Voluntary)
	}
	var text strings.Builder
	if err := p.Fprint(&text); err != nil {
		t.Fatal(err)
	}
	const want = "20–40 % 1 – – – – 0.400 0.350 100.0 %"
	if got := strings.Join(strings.Fields(text.String()), " "); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant its last line to be %q", text.String(), want)
	}
	if !strings.Contains(text.String(), "cvrp of 3 customers: ") {
		t.Errorf("got\n%s\nwant 3 customers, the depot not counted", text.String())
	}
}

// A customer that can be reached directly and by way of the depot is one customer, not two that are nearer.
func TestRankByWayOfTheDepot(t *testing.T) {
	sh := threeCustomers(3, 1, 0, 3, 2, 0)
	sh.ViaDepot = true
	sh.Traj, sh.Step, sh.Remaining, sh.Offset = []int32{0}, []int32{1}, []int32{7}, []int64{0, 4}
	sh.Candidates, sh.Probs = []uint16{2, 3, 4 + 2, 4 + 3}, dense.Vector([]float32{0.1, 0.1, 0.1, 0.7})
	p, err := habits.Measure([]*rollout.Shard{sh}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Stages[1].Rank; got != [4]int{0, 1, 0, 0} {
		t.Errorf("ranks %v, want the second nearest: only customer 2 is nearer", got)
	}
}

// A single candidate is no tie, whatever its probability.
func TestNearTie(t *testing.T) {
	for want, all := range map[bool][][]float32{
		true: {{0.52, 0.48}, {0.2, 0.4, 0.4}}, false: {{1}, {0.6, 0.4}, {0.1, 0.7, 0.2}},
	} {
		for _, probs := range all {
			if got := habits.IsNearTie(probs); got != want {
				t.Errorf("%v is a near-tie: %v, want %v", probs, got, want)
			}
		}
	}
}

// A return to the depot has no rank: a person is told of which steps the nearness is, and that crossings are those of
// edges of one route. Prompts keep their words.
func TestToldOfVehicles(t *testing.T) {
	p := habits.Profile{Routes: &habits.Routes{}, Uncrossed: habits.Share{Count: 1, Of: 1}}
	p.Stages[1].Rank = [4]int{3, 1, 0, 0}
	const told = "Nearness: it takes the nearest in 75.0 % of its steps to a customer, "
	if got := p.Told()[0]; !strings.HasPrefix(got, told) {
		t.Errorf("told %q, want %q", got, told)
	}
	const quoted = "Nearness: it takes the nearest in 75.0 % of its decisions, "
	if got := p.Sentences()[0]; !strings.HasPrefix(got, quoted) {
		t.Errorf("prompts quote %q, want %q", got, quoted)
	}
	const within, across = "edges within a route cross in a solution.", "edges cross in a solution."
	if told, quoted := p.Told()[1], p.Sentences()[1]; !strings.HasSuffix(told, within) ||
		!strings.HasSuffix(quoted, across) {
		t.Errorf("crossings: told %q, prompts quote %q", told, quoted)
	}
	p.Routes = nil
	if !slices.Equal(p.Told(), p.Sentences()) {
		t.Errorf("of tours it tells %q, prompts quote %q", p.Told(), p.Sentences())
	}
}

func TestFprint(t *testing.T) {
	p, err := habits.Measure([]*rollout.Shard{tourShard()}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := p.Fprint(&got); err != nil {
		t.Fatal(err)
	}
	const want = `by hand, tsp of 5 nodes: 1 solutions, 3 decisions

Direction: 1 of 1 tours run counterclockwise.
Start: near (0.00, 0.00), 0.00 from there on average, in 1 tours.
Nearness: it takes the nearest in 0.0 % of its decisions, the second nearest in 100.0 %, the third in 0.0 %.
Sureness: the first choice has 0.707 of the probability on average, ` +
		"least at 60–80 % of the way (0.520); in 33.3 % of the decisions the first two are less than 0.1 apart, " +
		`a near-tie.
Hull: 1 of 1 tours meet the corners of the convex hull in order, as every optimal tour does.
Crossings: 1 of 1 tours have none; 0.00 pairs of edges cross in a solution.

       way   decisions   nearest    second   third   farther   first choice   second choice   near-ties
   20–40 %           1     0.0 %   100.0 %   0.0 %     0.0 %          0.700           0.200       0.0 %
   40–60 %           1     0.0 %   100.0 %   0.0 %     0.0 %          0.900           0.050       0.0 %
   60–80 %           1     0.0 %   100.0 %   0.0 %     0.0 %          0.520           0.480     100.0 %
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// A direction is a fixed habit, a preference or none; of few tours nothing is said.
func TestSentencesTellHabitFromChance(t *testing.T) {
	for _, tt := range []struct {
		share habits.Share
		want  string
	}{
		{habits.Share{Count: 1000, Of: 1000}, "Direction: 1000 of 1000 tours run counterclockwise, a fixed habit."},
		{habits.Share{Count: 0, Of: 30}, "Direction: 30 of 30 tours run clockwise, a fixed habit."},
		{habits.Share{Count: 70, Of: 100}, "Direction: 70 of 100 tours run counterclockwise."},
		{habits.Share{Count: 5900, Of: 10000}, "Direction: 5900 of 10000 tours run counterclockwise."},
		{
			habits.Share{Count: 51, Of: 100},
			"Direction: 51 of 100 tours run counterclockwise, which shows no preference.",
		},
		{habits.Share{Count: 2, Of: 2}, "Direction: 2 of 2 tours run counterclockwise."},
	} {
		if got := (habits.Profile{Counterclockwise: tt.share}).Sentences(); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%v: %q, want %q", tt.share, got, tt.want)
		}
	}
}

// The tour around a square is optimal; the one along both diagonals is (2 + 2√2)/4 of it.
func TestGap(t *testing.T) {
	sh := &rollout.Shard{
		Problem: routing.TSP, N: 4,
		Coords:     dense.Of([]float32{0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1}, 2, 4, 2),
		InstanceOf: []int32{0, 1}, Actions: []int32{0, 1, 2, 3, 0, 2, 1, 3},
		StartProbs: dense.Of(make([]float32, 8), 2, 4),
	}
	p, err := habits.Measure([]*rollout.Shard{sh}, habits.GapSample)
	if err != nil {
		t.Fatal(err)
	}
	g := p.Gap
	want := 100 * ((2+2*math.Sqrt2)/4 - 1) / 2
	if math.Abs(g.Percent-want) > 1e-4 || g.Within1 != (habits.Share{Count: 1, Of: 2}) {
		t.Errorf("gap %+v, want %v %% and 1 of 2", *g, want)
	}
	level := habits.Profile{Gap: &habits.Gap{Percent: -0.04}}
	if said := level.Sentences()[0]; !strings.HasPrefix(said, "Length: 0.0 %") {
		t.Errorf("a gap that rounds to 0 has a minus: %q", said)
	}
	said := habits.Profile{Gap: g}.Sentences()
	const length = "Length: 10.4 % above local search on average; 1 of 2 solutions are at most 1 % above it."
	if len(said) != 1 || said[0] != length {
		t.Errorf("%q, want %q", said, length)
	}
	if p, err := habits.Measure([]*rollout.Shard{sh}, 0); p.Gap != nil || err != nil {
		t.Errorf("the gap of no solutions is %v, %v", p.Gap, err)
	}
}

// around returns a shard of tours of 5 nodes: the corners of the unit square from the origin, counterclockwise, and a
// node beside the origin.
func around(tours ...[]int32) *rollout.Shard {
	sh := &rollout.Shard{Problem: routing.TSP, N: 5}
	var coords, starts []float32
	for i, tour := range tours {
		coords = append(coords, 0, 0, 1, 0, 1, 1, 0, 1, 0.01, 0)
		row := make([]float32, 5)
		row[tour[0]] = 1
		starts = append(starts, row...)
		sh.InstanceOf, sh.Actions = append(sh.InstanceOf, int32(i)), append(sh.Actions, tour...)
	}
	sh.Coords, sh.StartProbs = dense.Of(coords, len(tours), 5, 2), dense.Of(starts, len(tours), 5)
	return sh
}

var (
	best    = []int32{0, 4, 1, 2, 3}
	nearly  = []int32{4, 0, 1, 2, 3} // a quarter of a per cent longer
	crossed = []int32{1, 3, 2, 0, 4} // along both diagonals
)

// The sample of solutions is spread over all shards. One that is a little longer than local search's counts as at most
// 1 % above it.
func TestGapOfASample(t *testing.T) {
	for _, tt := range []struct {
		tours  []([]int32) // the first in a shard of its own
		sample int
		within habits.Share
	}{
		{[][]int32{best, crossed, nearly, crossed}, 2, habits.Share{Count: 2, Of: 2}},
		{[][]int32{best, nearly, crossed, nearly}, 2, habits.Share{Count: 1, Of: 2}},
		{[][]int32{crossed, nearly, crossed, best}, 4, habits.Share{Count: 2, Of: 4}},
	} {
		p, err := habits.Measure([]*rollout.Shard{around(tt.tours[0]), around(tt.tours[1:]...)}, tt.sample)
		if err != nil {
			t.Fatal(err)
		}
		if p.Gap.Within1 != tt.within {
			t.Errorf("%d of %v: %v are at most 1 %% longer, want %v", tt.sample, tt.tours, p.Gap.Within1, tt.within)
		}
	}
}

// Crossings are counted per solution. Starts have a mean place, and their mean distance from it.
func TestMeansOverSolutions(t *testing.T) {
	p, err := habits.Measure([]*rollout.Shard{around(best, crossed), around(crossed, best)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if p.Crossings != 0.5 || p.Uncrossed != (habits.Share{Count: 2, Of: 4}) {
		t.Errorf("%v crossings, uncrossed %v, want 0.5 and 2 of 4", p.Crossings, p.Uncrossed)
	}
	if want := (habits.Place{X: 0.5, Spread: 0.5, Of: 4}); *p.Start != want {
		t.Errorf("start %+v, want %+v", *p.Start, want)
	}
}

func TestUnlikeShards(t *testing.T) {
	other := tourShard()
	other.N = 4
	if _, err := habits.Measure([]*rollout.Shard{tourShard(), other}, 0); err == nil {
		t.Error("shards of two sizes have one profile")
	}
	if _, err := habits.Measure(nil, 0); err == nil {
		t.Error("no shard has a profile")
	}
}

// The strongest fact about AM TSP-20: all its greedy tours run counterclockwise, from the lower right.
func TestAttentionModelTurnsLeft(t *testing.T) {
	am, err := teacher.Load(testdata.Shared(t, "teachers/am/tsp_20/epoch-99.pt"))
	if err != nil {
		t.Fatal(err)
	}
	insts := problems.Must(routing.TSP).Generate(20, 200, 7)
	sh, err := rollout.Record(t.Context(), am, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := habits.Measure([]*rollout.Shard{sh}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Counterclockwise; c.Count != 200 || c.Of != 200 {
		t.Errorf("%d of %d tours run counterclockwise, want all", c.Count, c.Of)
	}
	if math.Hypot(p.Start.X-0.85, p.Start.Y-0.16) > 0.05 || p.Start.Of != 200 {
		t.Errorf("tours start near (%.2f, %.2f), want near (0.85, 0.16)", p.Start.X, p.Start.Y)
	}
	nearest, all := 0, 0
	for _, s := range p.Stages {
		nearest += s.Rank[0]
		all += s.Decisions
	}
	if share := float64(nearest) / float64(all); share < 0.75 || share > 0.85 {
		t.Errorf("the nearest city is taken in %.3f of the steps, want about 0.8", share)
	}
}

package habits

import (
	"fmt"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Share is how often something holds: Count times of Of.
type Share struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// Value returns the share as a fraction, or 0 of nothing.
func (s Share) Value() float64 { return mean(float64(s.Count), s.Of) }

func (s *Share) add(holds bool) {
	s.Of++
	if holds {
		s.Count++
	}
}

// Stages is the number of equal parts of the way through a solution that are told apart.
const Stages = 5

// Fifth returns which fifth of a way of so many units, 0 to 4, holds the point at. The end of the way is in the last.
func Fifth(at, of int) int { return min(at*Stages/max(1, of), Stages-1) }

// FifthOfActions returns the fifth of its solution's actions that state s of a shard is in. To go to the depot is an
// action.
func FifthOfActions(sh *rollout.Shard, s int) int {
	return Fifth(int(sh.Step[s]), len(sh.Tour(int(sh.Traj[s]))))
}

// Stage is one fifth of the way through the solutions, by FifthOfActions.
type Stage struct {
	Decisions int `json:"decisions"`
	// Rank counts decisions by how many candidates are nearer to the current node than the choice is: none, one, two,
	// more. A choice of the depot (CVRP) has no rank.
	Rank [4]int `json:"rank"`
	// Top1 and Top2 are the mean probabilities of the policy's first and second choice.
	Top1 float64 `json:"top1"`
	Top2 float64 `json:"top2"`
	// NearTies counts decisions whose first two choices are less than nearTie apart in probability.
	NearTies int `json:"near_ties"`
}

// nearTie is the difference in probability below which two choices count as equally good to the policy.
const nearTie = 0.1

// IsNearTie reports whether a policy's first two choices count as equally good to it: so that to take the second is no
// mistake. A single candidate is no tie.
func IsNearTie(probs []float32) bool {
	first, second := routing.TopTwo(probs)
	return first != second && float64(probs[first])-float64(probs[second]) < nearTie
}

// Place is where tours start: the mean of the first nodes, in the unit square, and their mean distance from it.
type Place struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Spread float64 `json:"spread"`
	Of     int     `json:"of"`
}

// Routes holds the habits of a vehicle (CVRP).
type Routes struct {
	Load    float64 `json:"load"`     // mean share of the capacity in use when the vehicle comes home
	PerTour float64 `json:"per_tour"` // mean number of routes
	// Voluntary counts returns to the depot, but the last, among the decisions away from it in which a customer fits.
	Voluntary Share `json:"voluntary"`
	// NextLeft counts routes whose centre lies counterclockwise of the one before, as seen from the depot: half of them
	// if the order of routes follows no direction.
	NextLeft Share `json:"next_left"`
}

// Profile is what a policy usually does.
type Profile struct {
	Teacher   string          `json:"teacher"`
	Problem   routing.Problem `json:"problem"`
	N         int             `json:"n"` // nodes, the depot included
	Solutions int             `json:"solutions"`
	States    int             `json:"states"`

	// Counterclockwise counts closed walks by their signed area: tours, or routes of at least two customers.
	Counterclockwise Share   `json:"counterclockwise"`
	Start            *Place  `json:"start,omitempty"` // TSP, where the policy chose the first node itself
	HullOrder        Share   `json:"hull_order"`      // TSP: tours that meet the corners of the hull in order
	Uncrossed        Share   `json:"uncrossed"`       // closed walks none of whose edges cross
	Crossings        float64 `json:"crossings"`       // pairs of edges of one walk that cross: mean per solution

	Stages [Stages]Stage `json:"stages"`
	Routes *Routes       `json:"routes,omitempty"` // CVRP
	Gap    *Gap          `json:"gap,omitempty"`    // nil if it was not measured
}

// Gap is how far solutions are from those of local search (routing.Definition.NearOptimal) on the same instances.
type Gap struct {
	Percent float64 `json:"percent"` // mean of cost/cost of local search - 1, in percent
	Within1 Share   `json:"within1"` // solutions that are at most 1 % longer
}

// GapSample is a number of solutions that Measure compares within seconds, at 100 nodes: enough to know the mean gap to
// about a quarter of itself.
const GapSample = 50

// Measure returns the habits that rollout shards of one policy show, with the gap of so many solutions: 0 measures no
// gap. The shards have one problem and one size.
func Measure(shards []*rollout.Shard, gap int) (Profile, error) {
	if len(shards) == 0 {
		return Profile{}, fmt.Errorf("habits: no shard")
	}
	first := shards[0]
	problem, err := problems.Of(first.Problem)
	if err != nil {
		return Profile{}, fmt.Errorf("habits: %w", err)
	}
	m := meter{Profile: Profile{Teacher: first.Teacher, Problem: first.Problem, N: first.N}}
	if m.depot = problem.Traits().Depot; m.depot {
		m.Routes = &Routes{}
	}
	for _, sh := range shards {
		if sh.Problem != first.Problem || sh.N != first.N {
			return Profile{}, fmt.Errorf("habits: a shard of %s with %d nodes beside one of %s with %d",
				sh.Problem, sh.N, first.Problem, first.N)
		}
		for r := range sh.Trajectories() {
			m.solution(sh, r)
		}
		for s := range sh.States() {
			m.decision(sh, s)
		}
	}
	p := m.profile()
	p.Gap, err = measureGap(shards, gap)
	return p, err
}

// measureGap compares a sample of the solutions of shards with local search: n of them, evenly spaced over all, or all
// if there are fewer. Nil stands for the gap of no solutions.
func measureGap(shards []*rollout.Shard, n int) (*Gap, error) {
	total := 0
	for _, sh := range shards {
		total += sh.Trajectories()
	}
	n = min(n, total)
	if n == 0 {
		return nil, nil
	}
	gap := &Gap{}
	for i := range n {
		r, sh := i*total/n, 0
		for r >= shards[sh].Trajectories() {
			r -= shards[sh].Trajectories()
			sh++
		}
		excess, err := excess(shards[sh], r)
		if err != nil {
			return nil, fmt.Errorf("habits: solution %d of shard %d: %w", r, sh, err)
		}
		gap.Percent += 100 * excess / float64(n)
		gap.Within1.add(excess <= 0.01)
	}
	return gap, nil
}

// excess is by how much trajectory r of a shard costs more than the solution of local search, as a share of that.
func excess(sh *rollout.Shard, r int) (float64, error) {
	problem, err := problems.Of(sh.Problem)
	if err != nil {
		return 0, err
	}
	in := sh.Instance(int(sh.InstanceOf[r]))
	cost, err := problem.Cost(&in, sh.Tour(r))
	if err != nil {
		return 0, err
	}
	best, err := problem.Cost(&in, problem.NearOptimal(&in))
	if err != nil || best == 0 { // all nodes in one place
		return 0, err
	}
	return cost/best - 1, nil
}

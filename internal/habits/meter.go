package habits

import (
	"math"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// meter counts while it reads shards.
type meter struct {
	Profile
	depot     bool // solutions are routes from node 0 and back
	starts    [][2]float64
	crossings int
	load      float64 // sum over routes, as shares of the capacity
	routes    int
	top       [Stages][2]float64 // sums of the first and second probability
	seen      []bool             // [N], of nearer
}

// solution counts trajectory r of a shard.
func (m *meter) solution(sh *rollout.Shard, r int) {
	in, tour := sh.Instance(int(sh.InstanceOf[r])), sh.Tour(r)
	m.Solutions++
	if m.depot {
		m.vehicle(&in, tour)
		return
	}
	m.walk(&in, tour)
	m.HullOrder.add(inHullOrder(tour, hull(&in)))
	if ownStart(sh.StartRow(r)) {
		x, y := in.XY(int(tour[0]))
		m.starts = append(m.starts, [2]float64{float64(x), float64(y)})
	}
}

// ownStart reports whether a policy chose its first node: the row of a start that was given holds zeros.
func ownStart(probs []float32) bool {
	for _, p := range probs {
		if p > 0 {
			return true
		}
	}
	return false
}

// walk counts a closed walk. One of two nodes encloses nothing.
func (m *meter) walk(in *routing.Instance, walk []int32) {
	if len(walk) < 3 {
		return
	}
	m.Counterclockwise.add(signedArea(in, walk) > 0)
	n := crossings(in, walk)
	m.Uncrossed.add(n == 0)
	m.crossings += n
}

// vehicle counts the routes of a solution with a depot.
func (m *meter) vehicle(in *routing.Instance, actions []int32) {
	var before [2]float64
	for k, route := range routing.Routes(actions) {
		walk := append([]int32{0}, route...)
		m.walk(in, walk)
		var load int32
		for _, c := range walk {
			load += in.Demand[c]
		}
		m.load += float64(load) / float64(in.Capacity)
		m.routes++
		centre := fromDepot(in, walk)
		if k > 0 {
			m.Routes.NextLeft.add(before[0]*centre[1]-before[1]*centre[0] > 0)
		}
		before = centre
	}
}

// fromDepot is the way from the depot to the mean of a route's customers.
func fromDepot(in *routing.Instance, walk []int32) [2]float64 {
	var c [2]float64
	for _, i := range walk {
		for d := range c {
			c[d] += (float64(in.Coords[2*int(i)+d]) - float64(in.Coords[d])) / float64(len(walk)-1)
		}
	}
	return c
}

// decision counts state s of a shard. States at which a trajectory was forced to what the policy refuses do not count.
func (m *meter) decision(sh *rollout.Shard, s int) {
	taken := sh.Taken(s)
	if taken < 0 {
		return
	}
	st := sh.State(s)
	in := sh.Instance(int(sh.InstanceOf[st.Traj]))
	m.States++
	k := FifthOfActions(sh, s)
	stage := &m.Stages[k]
	stage.Decisions++
	top, next := routing.TopTwo(st.Probs)
	first, second := float64(st.Probs[top]), float64(st.Probs[next])
	m.top[k][0] += first
	m.top[k][1] += second
	if IsNearTie(st.Probs) {
		stage.NearTies++
	}
	if m.depot && st.Current != 0 && fits(st.Candidates, sh.N) {
		m.Routes.Voluntary.add(leavesRoute(st.Candidates[taken], sh.N))
	}
	if node, _ := routing.Via(int(st.Candidates[taken]), sh.N); !m.depot || node != 0 {
		stage.Rank[min(m.nearer(&in, st, node), len(stage.Rank)-1)]++
	}
}

// leavesRoute reports whether candidate c of N nodes is the depot or leads there first.
func leavesRoute(c uint16, N int) bool {
	node, via := routing.Via(int(c), N)
	return via || node == 0
}

// fits reports whether a vehicle may go on to a customer directly.
func fits(candidates []uint16, N int) bool {
	for _, c := range candidates {
		if !leavesRoute(c, N) {
			return true
		}
	}
	return false
}

// nearer counts the nodes among the candidates, without the depot, that are nearer to the current node than node is.
// Candidate N+c stands for node c, which may be a candidate by itself, too.
func (m *meter) nearer(in *routing.Instance, st rollout.State, node int) int {
	N := in.N()
	m.seen = append(m.seen[:0], make([]bool, N)...)
	d, count := in.Dist(st.Current, node), 0
	for _, c := range st.Candidates {
		j, _ := routing.Via(int(c), N)
		if m.seen[j] || m.depot && j == 0 {
			continue
		}
		m.seen[j] = true
		if in.Dist(st.Current, j) < d {
			count++
		}
	}
	return count
}

// profile turns sums into means.
func (m *meter) profile() Profile {
	p := m.Profile
	p.Crossings = float64(m.crossings) / float64(m.Solutions)
	for k := range p.Stages {
		p.Stages[k].Top1 = mean(m.top[k][0], p.Stages[k].Decisions)
		p.Stages[k].Top2 = mean(m.top[k][1], p.Stages[k].Decisions)
	}
	if len(m.starts) > 0 {
		p.Start = place(m.starts)
	}
	if m.depot {
		p.Routes.Load = mean(m.load, m.routes)
		p.Routes.PerTour = mean(float64(m.routes), m.Solutions)
	}
	return p
}

// place returns the mean of points and their mean distance from it.
func place(points [][2]float64) *Place {
	p := &Place{Of: len(points)}
	for _, at := range points {
		p.X += at[0] / float64(len(points))
		p.Y += at[1] / float64(len(points))
	}
	for _, at := range points {
		p.Spread += math.Hypot(at[0]-p.X, at[1]-p.Y) / float64(len(points))
	}
	return p
}

// mean returns sum/n, or 0 of nothing.
func mean(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

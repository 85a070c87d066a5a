package cvrp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

func ExampleState() {
	s := cvrp.NewState([]float32{0, 3, 3, 0}, []float32{0, 0, 4, 4}, []int32{0, 2, 3, 4}, 10)
	s.Set(1, 1, 3, []cvrp.Node{0, 2}, []cvrp.Node{2, 3}) // at customer 1 with room for 3 units
	fmt.Println(s.Fitting(), s.Saving(1, 2), s.Left(2), s.Left(cvrp.Depot), s.FitAfter(cvrp.Depot))
	// Output: [2] 4 0 0.3 1
}

// uniform returns a state of n random customers, some of them served, half way on a route or at the depot.
func uniform(n int, seed uint64) (*cvrp.State, []int32, int32) {
	const capacity = 20
	rng := rand.New(rand.NewPCG(seed, 0))
	x, y, demand := make([]float32, n+1), make([]float32, n+1), make([]int32, n+1)
	for i := range x {
		x[i], y[i] = rng.Float32(), rng.Float32()
		if i > 0 {
			demand[i] = 1 + rng.Int32N(9)
		}
	}
	s := cvrp.NewState(x, y, demand, capacity)
	order := rng.Perm(n)
	served := rng.IntN(n)
	current, room := cvrp.Depot, int32(capacity)
	if served > 0 && seed%3 > 0 {
		current, room = cvrp.Node(order[0]+1), rng.Int32N(capacity)
	}
	var waiting, candidates []cvrp.Node
	for _, c := range order[served:] {
		waiting = append(waiting, cvrp.Node(c+1))
	}
	slices.Sort(waiting)
	if current != cvrp.Depot {
		candidates = append(candidates, cvrp.Depot)
	}
	for _, c := range waiting {
		if demand[c] <= room {
			candidates = append(candidates, c)
		}
	}
	s.Set(current, current, room, candidates, waiting)
	return s, demand, room
}

func each(t *testing.T, f func(t *testing.T, s *cvrp.State, demand []int32, room int32)) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s, demand, room := uniform(12, seed)
			f(t, s, demand, room)
		})
	}
}

func dist(s *cvrp.State, i, j cvrp.Node) float64 {
	return math.Hypot(float64(s.X[i])-float64(s.X[j]), float64(s.Y[i])-float64(s.Y[j]))
}

const tolerance = 1e-5 // float32 sums of a handful of lengths and angles

func near(t *testing.T, what string, got float32, want float64) {
	t.Helper()
	if math.Abs(float64(got)-want) > tolerance {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestGeometry(t *testing.T) {
	each(t, func(t *testing.T, s *cvrp.State, _ []int32, _ int32) {
		for i := range cvrp.Node(s.N) {
			others, fitting := math.Inf(1), math.Inf(1)
			for _, j := range s.Waiting {
				if j != i {
					others = min(others, dist(s, i, j))
				}
			}
			for _, j := range s.Fitting() {
				if j != i {
					fitting = min(fitting, dist(s, i, j))
				}
			}
			if math.IsInf(others, 1) {
				others = 0
			}
			near(t, "NearestOther", s.NearestOther(i), others)
			c, d := s.NearestFitting(i)
			if math.IsInf(fitting, 1) != (c == cvrp.Depot) ||
				c != cvrp.Depot && math.Abs(float64(d)-fitting) > tolerance {
				t.Errorf("NearestFitting(%d) is %d at %v, want one at %v", i, c, d, fitting)
			}
			// the corridor by sampling the way home
			off := math.Inf(1)
			for k := range 1001 {
				a := float64(k) / 1000
				px := float64(s.X[s.Current])*(1-a) + float64(s.X[0])*a
				py := float64(s.Y[s.Current])*(1-a) + float64(s.Y[0])*a
				off = min(off, math.Hypot(float64(s.X[i])-px, float64(s.Y[i])-py))
			}
			if got := float64(s.Corridor(i)); got > off+tolerance || got < off-1e-3 {
				t.Errorf("Corridor(%d) is %v, want %v", i, got, off)
			}
			var crowd float64
			for _, j := range s.Waiting {
				if j != i {
					crowd += max(0, 1-dist(s, i, j)/0.3)
				}
			}
			near(t, "Crowd", s.Crowd(i, 0.3), crowd)
			for j := range cvrp.Node(s.N) {
				near(t, "Outward", s.Outward(i, j), dist(s, 0, j)-dist(s, 0, i))
				turn, ahead := float64(s.Turn(i, j)), float64(s.Ahead(i, j))
				near(t, "Ahead, either way", s.Turn(i, j), math.Abs(ahead))
				if ahead != 0 {
					cross := float64(s.X[i]-s.X[0])*float64(s.Y[j]-s.Y[0]) -
						float64(s.Y[i]-s.Y[0])*float64(s.X[j]-s.X[0])
					if math.Abs(cross) > tolerance && cross > 0 != (ahead > 0) {
						t.Errorf("Ahead(%d, %d) is %v on the wrong side", i, j, ahead)
					}
				}
				along, beside := s.Arm(i, j)
				if i == 0 {
					near(t, "Arm of the depot, along", along, 0)
					near(t, "Arm of the depot, beside", beside, dist(s, 0, j))
				} else {
					near(t, "Arm, along", along, dist(s, 0, j)*math.Cos(turn))
					near(t, "Arm, beside", beside, dist(s, 0, j)*math.Sin(turn))
				}
				near(t, "Saving", s.Saving(i, j), dist(s, i, 0)+dist(s, 0, j)-dist(s, i, j))
				near(t, "Detour", s.Detour(s.Current, i, j), dist(s, s.Current, i)+dist(s, i, j)-dist(s, s.Current, j))
				if i == 0 || j == 0 {
					near(t, "Turn at the depot", s.Turn(i, j), 0)
					continue
				}
				cos := float64(s.Alignment(cvrp.Depot, i, j))
				got := float64(s.Turn(i, j))
				if math.Abs(math.Cos(got)-cos) > 1e-4 || got < 0 || got > math.Pi+tolerance {
					t.Errorf("Turn(%d, %d) is %v, Alignment %v", i, j, s.Turn(i, j), cos)
				}
			}
		}
	})
}

func TestGaps(t *testing.T) {
	each(t, func(t *testing.T, s *cvrp.State, _ []int32, _ int32) {
		var round float64
		for _, c := range s.Waiting {
			_, counter := s.Gaps(c)
			round += float64(counter)
		}
		if len(s.Waiting) > 0 && math.Abs(round-2*math.Pi) > 1e-4 {
			t.Errorf("the gaps counter-clockwise sum to %v, want a full turn", round)
		}
		for _, c := range s.Waiting {
			least := 2 * math.Pi
			for _, j := range s.Waiting {
				if j != c {
					least = min(least, float64(s.Turn(c, j)))
				}
			}
			clockwise, counter := s.Gaps(c)
			if d := float64(min(clockwise, counter)); len(s.Waiting) > 1 && math.Abs(d-least) > 1e-4 {
				t.Errorf("the gaps of %d are %v and %v, its nearest neighbour by angle is at %v",
					c, clockwise, counter, least)
			}
		}
	})
}

func TestDemand(t *testing.T) {
	each(t, func(t *testing.T, s *cvrp.State, demand []int32, room int32) {
		const capacity = 20
		var total float64
		for _, c := range s.Waiting {
			total += float64(demand[c]) / capacity
		}
		near(t, "Below", s.Below(0.3), max(0, 1-float64(room)/capacity/0.6))
		near(t, "TotalWaiting", s.TotalWaiting(), total)
		for c := range cvrp.Node(s.N) {
			fit, sector := 0, 0.0
			for _, j := range s.Waiting {
				if j != c && demand[j] <= room-demand[c] {
					fit++
				}
				if s.Turn(c, j) <= 0.5 {
					sector += float64(demand[j]) / capacity
				}
			}
			next := math.Inf(1)
			for _, j := range s.Waiting {
				if j != c && demand[j] <= room-demand[c] {
					next = min(next, dist(s, c, j))
				}
			}
			if j, d := s.NextFit(c); math.IsInf(next, 1) {
				near(t, "NextFit at the end", d, dist(s, c, cvrp.Depot))
				if j != cvrp.Depot {
					t.Errorf("NextFit(%d) is %d, but nothing fits", c, j)
				}
			} else if near(t, "NextFit", d, next); j == cvrp.Depot || j == c || demand[j] > room-demand[c] {
				t.Errorf("NextFit(%d) is %d, which does not fit", c, j)
			}
			near(t, "Left", s.Left(c), float64(room-demand[c])/capacity)
			near(t, "Demand", s.Demand[c], float64(demand[c])/capacity)
			near(t, "SectorDemand", s.SectorDemand(c, 0.5), sector)
			if s.FitAfter(c) != fit {
				t.Errorf("FitAfter(%d) is %d, want %d", c, s.FitAfter(c), fit)
			}
			if (s.Left(c) == 0) != (demand[c] == room) {
				t.Errorf("Left(%d) is %v with room for %d and demand %d", c, s.Left(c), room, demand[c])
			}
		}
	})
}

// TestRoute: a grown route holds fitting customers once, within the room left; with nothing more to gain it stops,
// and uncrossing never makes it longer.
func TestRoute(t *testing.T) {
	each(t, func(t *testing.T, s *cvrp.State, demand []int32, room int32) {
		if len(s.Fitting()) == 0 && s.Current == cvrp.Depot {
			return
		}
		path := s.GrowRoute(2)
		seen := map[cvrp.Node]bool{}
		left := room
		for _, c := range path {
			if seen[c] || !slices.Contains(s.Fitting(), c) {
				t.Errorf("the route %v holds %d twice, or it does not fit", path, c)
			}
			seen[c] = true
			left -= demand[c]
		}
		if left < 0 {
			t.Errorf("the route %v loads %d more than there is room", path, -left)
		}
		for _, c := range s.Fitting() {
			if !seen[c] && demand[c] <= left {
				t.Errorf("customer %d still fits behind %v", c, path)
			}
		}
		before := s.RouteLength(path)
		s.Uncross(path, 5)
		if after := s.RouteLength(path); after > before+tolerance {
			t.Errorf("uncrossing made %v of %v", after, before)
		}
		score := make([]float32, s.K())
		s.ScoreAlong(path, score)
		order := slices.Clone(s.Candidates)
		slices.SortStableFunc(order, func(a, b cvrp.Node) int {
			if score[slices.Index(s.Candidates, a)] > score[slices.Index(s.Candidates, b)] {
				return -1
			}
			return 1
		})
		if !slices.Equal(order[:len(path)], path) || s.Current != cvrp.Depot && order[len(path)] != cvrp.Depot {
			t.Errorf("the scores order the candidates %v, the route is %v", order, path)
		}
	})
}

// TestNothingAllocates: what a program calls for every candidate must not fill the sandbox's memory.
func TestNothingAllocates(t *testing.T) {
	s, _, room := uniform(50, 1)
	score, candidates, waiting := make([]float32, s.K()), s.Candidates, s.Waiting
	n := testing.AllocsPerRun(10, func() {
		s.Set(s.Current, s.Current, room, candidates, waiting)
		for k, c := range s.Candidates {
			score[k] = s.NearestOther(c) + s.SectorDemand(c, 1) + s.Corridor(c) +
				float32(s.FitAfter(c)) + s.Crowd(c, 0.2)
			_, next := s.NextFit(c)
			_, beside := s.Arm(s.Current, c)
			score[k] += next + beside
		}
		path := s.GrowRoute(2)
		s.Uncross(path, 2)
		s.ScoreAlong(path, score)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

package tsp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

func ExampleState() {
	s := tsp.NewState([]float32{0, 1, 1, 0}, []float32{0, 0, 1, 1})
	s.Set(1, 0, 0, []tsp.Node{1, 2, 3})
	path := s.NearestPath(s.Current)
	fmt.Println(path, s.PathLength(s.Current, path), s.Progress())
	// Output: [1 2 3] 4 0.25
}

// uniform returns a state of n random cities, t of them visited.
func uniform(n, t int, seed uint64) *tsp.State {
	rng := rand.New(rand.NewPCG(seed, 0))
	x, y := make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = rng.Float32(), rng.Float32()
	}
	s := tsp.NewState(x, y)
	tour := rng.Perm(n)
	left := make([]tsp.Node, 0, n)
	for _, c := range tour[t:] {
		left = append(left, tsp.Node(c))
	}
	slices.Sort(left)
	s.Set(t, tsp.Node(tour[0]), tsp.Node(tour[t-1]), left)
	return s
}

func states() []*tsp.State {
	var all []*tsp.State
	for seed := range uint64(20) {
		all = append(all, uniform(12, 1+int(seed)%11, seed))
	}
	return all
}

// dist is the distance in float64, from the coordinates.
func dist(s *tsp.State, i, j tsp.Node) float64 {
	return math.Hypot(float64(s.X[i])-float64(s.X[j]), float64(s.Y[i])-float64(s.Y[j]))
}

const tolerance = 1e-5 // float32 sums of a dozen lengths below 1.5

func TestGeometry(t *testing.T) {
	for _, s := range states() {
		for i := range tsp.Node(s.N) {
			for j := range tsp.Node(s.N) {
				if d := float64(s.Dist(i, j)); math.Abs(d-dist(s, i, j)) > tolerance || s.Row(i)[j] != s.Dist(i, j) {
					t.Fatalf("Dist(%d, %d) = %v, want %v", i, j, d, dist(s, i, j))
				}
			}
		}
		for k, c := range s.Candidates {
			var others []float64
			for _, j := range s.Candidates {
				if j != c {
					others = append(others, dist(s, c, j))
				}
			}
			slices.Sort(others)
			want := [2]float64{}
			if len(others) > 0 {
				want[0], want[1] = others[0], others[min(1, len(others)-1)]
			}
			d1, d2 := s.NearestTwo(k)
			if math.Abs(float64(d1)-want[0]) > tolerance || math.Abs(float64(d2)-want[1]) > tolerance ||
				s.NearestOther(k) != d1 {
				t.Errorf("NearestTwo(%d) = %v, %v, want %v", k, d1, d2, want)
			}
			x, y := s.Centroid()
			cos := math.Cos(math.Atan2(float64(s.Y[c]-s.Y[s.Current]), float64(s.X[c]-s.X[s.Current])) -
				math.Atan2(float64(y-s.Y[s.Current]), float64(x-s.X[s.Current])))
			if s.K() > 1 && math.Abs(float64(s.Alignment(s.Current, c, x, y))-cos) > 1e-3 {
				t.Errorf("Alignment(%d) = %v, want %v", c, s.Alignment(s.Current, c, x, y), cos)
			}
		}
	}
}

func TestPhase(t *testing.T) {
	for _, c := range []struct {
		visited int
		a, b    float32
		want    float32
	}{{2, 0.25, 0.75, 0}, {5, 0.25, 0.75, 0}, {10, 0.25, 0.75, 0.5}, {15, 0.25, 0.75, 1}, {19, 0.25, 0.75, 1}} {
		if got := uniform(20, c.visited, 1).Phase(c.a, c.b); math.Abs(float64(got-c.want)) > tolerance {
			t.Errorf("%d of 20 visited: Phase(%v, %v) = %v, want %v", c.visited, c.a, c.b, got, c.want)
		}
	}
}

// TestHeading: straight on, a right angle, and back.
func TestHeading(t *testing.T) {
	s := tsp.NewState([]float32{0, 0.5, 1, 0.5, 0.25}, []float32{0, 0, 0, 0.5, 0})
	s.Set(2, 0, 1, []tsp.Node{2, 3, 4})
	for k, want := range []float32{1, 0, -1} {
		if got := s.Heading(s.Candidates[k]); math.Abs(float64(got-want)) > tolerance {
			t.Errorf("Heading(%d) = %v, want %v", s.Candidates[k], got, want)
		}
	}
	s.Set(1, 0, 0, []tsp.Node{1, 2, 3, 4})
	if got := s.Heading(3); got != 0 {
		t.Errorf("a tour of one city heads %v", got)
	}
}

func TestFollowUp(t *testing.T) {
	for _, s := range states() {
		for k, c := range s.Candidates {
			for _, home := range []float32{0, 0.5, 1} {
				want := math.Inf(1)
				for _, j := range s.Candidates {
					if j != c || s.K() == 1 {
						want = min(want, dist(s, c, j)+float64(home)*dist(s, j, s.First))
					}
				}
				if got := float64(s.FollowUp(k, home)); math.Abs(got-want) > tolerance {
					t.Errorf("FollowUp(%d, %v) = %v, want %v", k, home, got, want)
				}
			}
		}
	}
}

// chain is GreedyChain in float64, written independently.
func chain(s *tsp.State, k, steps int) float64 {
	left := slices.Delete(slices.Clone(s.Candidates), k, k+1)
	at, length := s.Candidates[k], 0.0
	for ; steps > 0 && len(left) > 0; steps-- {
		best := 0
		for i := range left {
			if dist(s, at, left[i]) < dist(s, at, left[best]) {
				best = i
			}
		}
		length += dist(s, at, left[best])
		at = left[best]
		left = slices.Delete(left, best, best+1)
	}
	return length + dist(s, at, s.First)
}

func TestGreedyChain(t *testing.T) {
	for _, s := range states() {
		for k := range s.Candidates {
			for _, steps := range []int{0, 1, 3, s.N} {
				if got, want := float64(s.GreedyChain(k, steps)), chain(s, k, steps); math.Abs(got-want) > tolerance {
					t.Errorf("GreedyChain(%d, %d) = %v, want %v", k, steps, got, want)
				}
			}
		}
	}
}

// TestPlans: a plan visits every candidate once, uncrossing never makes it longer and leaves no crossing reversal that
// would, and insertion from a candidate leaves that candidate out.
func TestPlans(t *testing.T) {
	for _, s := range states() {
		for name, path := range map[string][]tsp.Node{
			"nearest": slices.Clone(s.NearestPath(s.Current)), "insertion": slices.Clone(s.InsertionPath(s.Current)),
		} {
			isPlan(t, s, name, path, s.Candidates)
			before := s.PathLength(s.Current, path)
			s.Uncross(s.Current, path, s.N)
			isPlan(t, s, name+" uncrossed", path, s.Candidates)
			after := s.PathLength(s.Current, path)
			if after > before+tolerance {
				t.Errorf("%s: uncrossing made %v of %v", name, after, before)
			}
			for i := range path {
				for j := i + 1; j < len(path); j++ {
					other := slices.Clone(path)
					slices.Reverse(other[i : j+1])
					if l := s.PathLength(s.Current, other); l < after-tolerance {
						t.Errorf("%s: reversing %d to %d still gains %v", name, i, j, after-l)
					}
				}
			}
			score := make([]float32, s.K())
			s.ScoreAlong(path, score)
			for k := range score {
				want := 0.0
				for i, at := 0, s.Current; ; i++ {
					want -= dist(s, at, path[i])
					if at = path[i]; at == s.Candidates[k] {
						break
					}
				}
				if math.Abs(float64(score[k])-want) > tolerance {
					t.Errorf("%s: ScoreAlong of %d is %v, want %v", name, s.Candidates[k], score[k], want)
				}
			}
		}
		from := s.Candidates[0]
		isPlan(t, s, "insertion from a candidate", s.InsertionPath(from), s.Candidates[1:])
		isPlan(t, s, "nearest from a candidate", s.NearestPath(from), s.Candidates[1:])
	}
}

func isPlan(t *testing.T, s *tsp.State, name string, path, want []tsp.Node) {
	t.Helper()
	sorted := slices.Clone(path)
	slices.Sort(sorted)
	if !slices.Equal(sorted, want) {
		t.Errorf("%s: the plan %v is no order of %v", name, path, want)
	}
}

// TestInsertionPath: the plan is at most a tenth longer than the best one on few cities.
func TestInsertionPath(t *testing.T) {
	for _, s := range states() {
		if s.K() > 3 {
			continue
		}
		best := math.Inf(1)
		permute(slices.Clone(s.Candidates), 0, func(p []tsp.Node) {
			best = min(best, float64(s.PathLength(s.Current, p)))
		})
		if got := float64(s.PathLength(s.Current, s.InsertionPath(s.Current))); got > 1.1*best {
			t.Errorf("insertion gave %v, the best of %d cities is %v", got, s.K(), best)
		}
	}
}

func permute(p []tsp.Node, i int, visit func([]tsp.Node)) {
	if i == len(p) {
		visit(p)
		return
	}
	for j := i; j < len(p); j++ {
		p[i], p[j] = p[j], p[i]
		permute(p, i+1, visit)
		p[i], p[j] = p[j], p[i]
	}
}

// TestHelpersAllocateNothing: what a program calls for every candidate must not fill the sandbox's memory.
func TestHelpersAllocateNothing(t *testing.T) {
	s, score := uniform(50, 10, 1), make([]float32, 40)
	n := testing.AllocsPerRun(10, func() {
		for k, c := range s.Candidates {
			score[k] = s.GreedyChain(k, 5) + s.NearestOther(k) + s.FollowUp(k, 1) + s.Heading(c)
			s.Uncross(c, s.InsertionPath(c), 2)
		}
		s.ScoreAlong(s.NearestPath(s.Current), score)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

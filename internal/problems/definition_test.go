package problems

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/routing"
)

// every runs a test on each problem, and on each kind of decision that it has.
func every(t *testing.T, test func(t *testing.T, p routing.Definition, viaDepot bool)) {
	for _, p := range All() {
		t.Run(string(p.Name()), func(t *testing.T) { test(t, p, false) })
		if p.Traits().Depot {
			t.Run(string(p.Name())+", via depot", func(t *testing.T) { test(t, p, true) })
		}
	}
}

// construct takes random candidates until the solution is complete, and checks the contract of the state at every
// step.
func construct(t *testing.T, p routing.Definition, in *routing.Instance, viaDepot bool, rng *rand.Rand) routing.State {
	t.Helper()
	N := in.N()
	s := p.NewState(in, viaDepot)
	for !s.Done() {
		taken := len(s.Actions())
		if row := s.Row(); int(row.Step) != taken || taken > 0 && row.Current != s.Actions()[taken-1] {
			t.Fatalf("after %v the row is %+v", s.Actions(), row)
		}
		cand, waiting := s.Candidates(nil), s.Waiting(nil)
		if len(cand) == 0 || !slices.IsSorted(cand) || !slices.IsSorted(waiting) {
			t.Fatalf("after %v: candidates %v, waiting %v, want one candidate at least and both increasing",
				s.Actions(), cand, waiting)
		}
		for c := -1; c <= 2*N; c++ {
			if feasible := slices.Contains(cand, uint16(c)); feasible != (s.Infeasible(c) == nil) {
				t.Fatalf("after %v: candidate %d of %v: %v", s.Actions(), c, cand, s.Infeasible(c))
			}
		}
		if s.Step(-1) == nil || s.Step(int32(N)) == nil || len(s.Actions()) != taken {
			t.Fatalf("after %v: a node that does not exist was visited", s.Actions())
		}
		c := int(cand[rng.IntN(len(cand))])
		if err := routing.Take(s, c, N); err != nil {
			t.Fatal(err)
		}
		if got := routing.Taken(s.Actions(), taken, N, viaDepot); got != c {
			t.Fatalf("%v: the action at step %d stands for candidate %d, want %d", s.Actions(), taken, got, c)
		}
	}
	return s
}

// TestRandomSolutions: a complete state holds a solution, its cost is the state's, and it has no more actions than the
// problem allows.
func TestRandomSolutions(t *testing.T) {
	every(t, func(t *testing.T, p routing.Definition, viaDepot bool) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, in := range p.Generate(15, 20, 3) {
			s := construct(t, p, &in, viaDepot, rng)
			cost, err := Cost(&in, s.Actions())
			if err != nil || math.Abs(cost-s.Cost()) > 1e-9 {
				t.Fatalf("%v costs %v, the state says %v (%v)", s.Actions(), cost, s.Cost(), err)
			}
			if most := p.MostActions(in.N()); len(s.Actions()) > most {
				t.Errorf("%d actions, want at most %d", len(s.Actions()), most)
			}
			from, to, closed := p.Trim(s.Actions())
			trimmed := slices.Clone(s.Actions()[from:to])
			if closed {
				trimmed = append(trimmed, 0)
			}
			if !slices.Equal(trimmed, s.Actions()) {
				t.Errorf("%v trimmed: %v", s.Actions(), trimmed)
			}
			if _, err := Cost(&in, append(slices.Clone(s.Actions()), int32(in.N()))); err == nil {
				t.Error("a node that does not exist costs nothing")
			}
		}
	})
}

// TestInstances: generated instances are valid, do not depend on their number, and have the features of the traits.
func TestInstances(t *testing.T) {
	for _, p := range All() {
		t.Run(string(p.Name()), func(t *testing.T) {
			few, many := p.Generate(12, 3, 5), p.Generate(12, 7, 5)
			other := p.Generate(12, 1, 6)
			if slices.Equal(few[0].Coords, other[0].Coords) {
				t.Error("two seeds give the same instance")
			}
			for i, in := range many {
				if err := Validate(&in); err != nil {
					t.Error(err)
				}
				if want := 12 + p.Traits().Depots(); in.N() != want || in.Problem != p.Name() {
					t.Errorf("%s: %s of %d nodes, want %s of %d", in.Name, in.Problem, in.N(), p.Name(), want)
				}
				if (in.Demand != nil) != p.Traits().Load || (in.Capacity != 0) != p.Traits().Load {
					t.Errorf("%s: demands %v and capacity %d do not fit Traits.Load", in.Name, in.Demand, in.Capacity)
				}
				if i < len(few) && (!slices.Equal(few[i].Coords, in.Coords) || few[i].Name != in.Name) {
					t.Errorf("instance %d depends on how many are generated", i)
				}
				x := p.AppendNodeFeatures([]float32{7}, &in)
				if want := 1 + in.N()*p.Traits().NodeFeatures; len(x) != want || x[0] != 7 {
					t.Errorf("%s: %d features, want %d behind what was there", in.Name, len(x)-1, want-1)
				}
				least := in.Sub([]int32{0, 1, 2, 3}[:p.Traits().LeastNodes])
				if err := Validate(&least); err != nil {
					t.Errorf("an instance of the least size: %v", err)
				}
			}
		})
	}
}

// TestBaselinesSolve: every construction and the reference give solutions, and the reference is no worse.
func TestBaselinesSolve(t *testing.T) {
	for _, p := range All() {
		t.Run(string(p.Name()), func(t *testing.T) {
			for _, in := range p.Generate(20, 3, 8) {
				best, err := Cost(&in, p.NearOptimal(&in))
				if err != nil {
					t.Fatal(err)
				}
				for _, method := range p.Constructions() {
					cost, err := Cost(&in, method.Build(&in))
					if err != nil || cost < best-1e-9 {
						t.Errorf("%s: %v, the reference has %v (%v)", method.Label, cost, best, err)
					}
				}
			}
		})
	}
}

// TestCut: any new construction of a part that follows the part's run gives a whole solution again.
func TestCut(t *testing.T) {
	for _, p := range All() {
		t.Run(string(p.Name()), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 6))
			for _, in := range p.Generate(9, 5, 9) {
				whole := p.NearOptimal(&in)
				for range 30 {
					part := p.Cut(&in, whole, rng)
					if err := part.Run.Validate(p, part.Instance); err != nil {
						t.Fatal(err)
					}
					trs, err := nearestNeighbour{}.Decode(part.Instance, []routing.Run{part.Run})
					if err != nil {
						t.Fatal(err)
					}
					whole = part.Join(trs[0].Actions)
					if _, err := Cost(&in, whole); err != nil {
						t.Fatalf("joined: %v", err)
					}
				}
			}
		})
	}
}

// TestHardCases: each is an instance with a solution, and has the states that it names.
func TestHardCases(t *testing.T) {
	for _, p := range All() {
		t.Run(string(p.Name()), func(t *testing.T) {
			for _, c := range p.Hard() {
				if _, err := Cost(&c.Instance, c.Actions); err != nil {
					t.Errorf("%s: %v", c.What, err)
				}
				for _, step := range c.Steps {
					if step >= len(c.Actions) {
						t.Errorf("%s: step %d of %d", c.What, step, len(c.Actions))
					}
				}
			}
		})
	}
}

// TestProgress: the progress of a state is never outside its range.
func TestProgress(t *testing.T) {
	for _, p := range All() {
		in := p.Generate(12, 1, 4)[0]
		s := p.NewState(&in, false)
		for !s.Done() {
			at, of := p.Progress(&in, s.Row())
			decides := len(s.Candidates(nil)) > 1 && (p.Traits().Depot || len(s.Actions()) > 0)
			if decides && (at < 0 || at > of) {
				t.Errorf("%s after %v: %d of %d", p.Name(), s.Actions(), at, of)
			}
			if err := s.Step(int32(s.Candidates(nil)[0])); err != nil {
				t.Fatal(err)
			}
		}
	}
}

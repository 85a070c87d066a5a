package tsp

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestRandomTours(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, inst := range append(Generate(20, 5, 3), Generate(3, 5, 4)...) {
		s := NewState(&inst)
		for !s.Done() {
			feasible := s.Candidates(nil)
			if len(feasible) != inst.N()-len(s.Actions()) || !slices.IsSorted(feasible) {
				t.Fatalf("step %d: feasible %v", len(s.Actions()), feasible)
			}
			if err := s.Step(int32(feasible[rng.IntN(len(feasible))])); err != nil {
				t.Fatal(err)
			}
		}
		cost, err := Cost(&inst, s.Actions())
		if err != nil || math.Abs(cost-s.Cost()) > 1e-9 {
			t.Fatalf("cost %v, the state says %v (%v)", cost, s.Cost(), err)
		}
		reversed := slices.Clone(s.Actions())
		slices.Reverse(reversed)
		if back, _ := Cost(&inst, reversed); math.Abs(back-cost) > 1e-9 {
			t.Errorf("reversed tour costs %v, want %v", back, cost)
		}
		last := len(reversed) - 1
		for name, spoil := range map[string]func() []int32{
			"visited twice":  func() []int32 { r := slices.Clone(reversed); r[0] = r[last]; return r },
			"tour of":        func() []int32 { return reversed[:last] },
			"holds node -1":  func() []int32 { r := slices.Clone(reversed); r[1] = -1; return r },
			"holds node 999": func() []int32 { r := slices.Clone(reversed); r[1] = 999; return r },
		} {
			if _, err := Cost(&inst, spoil()); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("spoiled tour: error %v, want one with %q", err, name)
			}
		}
		for _, a := range []int32{-1, int32(inst.N()), s.Actions()[0]} {
			if s.Step(a) == nil {
				t.Errorf("step to node %d of a finished tour went through", a)
			}
		}
	}
}

func TestGenerate(t *testing.T) {
	a, b := Generate(50, 4, 7), Generate(50, 9, 7)
	for i := range a {
		if !slices.Equal(a[i].Coords, b[i].Coords) {
			t.Errorf("instance %d depends on how many are generated", i)
		}
		if err := a[i].CheckPlaces(3); err != nil {
			t.Error(err)
		}
	}
	if slices.Equal(a[0].Coords, Generate(50, 1, 8)[0].Coords) {
		t.Error("two seeds give the same instance")
	}
	var sum float64
	for _, v := range Generate(1000, 1, 9)[0].Coords {
		if v < 0 || v >= 1 {
			t.Fatalf("coordinate %v outside the unit square", v)
		}
		sum += float64(v)
	}
	if mean := sum / 2000; math.Abs(mean-0.5) > 0.03 {
		t.Errorf("mean coordinate %v", mean)
	}
}

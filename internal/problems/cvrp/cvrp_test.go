package cvrp

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/routing"
)

func TestRandomSolutions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, inst := range append(Generate(20, 5, 3), Generate(1, 2, 4)...) {
		if err := (Problem{}).CheckAttributes(&inst); err != nil {
			t.Fatal(err)
		}
		s := NewState(&inst, false)
		for !s.Done() {
			feasible := s.Candidates(nil)
			if len(feasible) == 0 || !slices.IsSorted(feasible) || s.Current() == 0 && feasible[0] == 0 {
				t.Fatalf("after %v: feasible %v", s.Actions(), feasible)
			}
			if err := s.Step(int32(feasible[rng.IntN(len(feasible))])); err != nil {
				t.Fatal(err)
			}
		}
		actions := s.Actions()
		cost, err := Cost(&inst, actions)
		if err != nil || math.Abs(cost-s.Cost()) > 1e-9 || s.Left() != 0 {
			t.Fatalf("cost %v, the state says %v (%v)", cost, s.Cost(), err)
		}
		if got := routing.JoinRoutes(routing.Routes(actions)); !slices.Equal(got, actions) {
			t.Errorf("routes of %v joined: %v", actions, got)
		}
		padded := append(append([]int32{0, 0}, actions...), 0, 0)
		for _, same := range [][]int32{padded, actions[:len(actions)-1]} {
			if got, err := Cost(&inst, same); err != nil || got != cost {
				t.Errorf("%v costs %v, want %v (%v)", same, got, cost, err)
			}
		}
		for _, c := range []struct {
			want  string
			spoil func(a []int32) []int32
		}{
			{"is not visited", func(a []int32) []int32 { return a[1:] }},
			{"is visited twice", func(a []int32) []int32 { return append(a, a[0]) }},
			{"holds node -1", func(a []int32) []int32 { a[0] = -1; return a }},
			{"holds node 99", func(a []int32) []int32 { a[0] = 99; return a }},
		} {
			if _, err := Cost(&inst, c.spoil(slices.Clone(actions))); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("spoiled solution: error %v, want one with %q", err, c.want)
			}
		}
	}
}

func TestCapacityIsKept(t *testing.T) {
	inst := routing.Instance{Name: "two", Problem: routing.CVRP, Coords: []float32{0, 0, 0, 1, 1, 0},
		Demand: []int32{0, 6, 5}, Capacity: 10}
	_, err := Cost(&inst, []int32{1, 2, 0})
	if want := "route 1 carries 11 with customer 2 at position 1, the capacity is 10"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
	if cost, err := Cost(&inst, []int32{1, 0, 2}); err != nil || cost != 4 {
		t.Errorf("cost %v, want 4 (%v)", cost, err)
	}
	s := NewState(&inst, false)
	for _, c := range []struct {
		action int32
		want   string
	}{
		{0, "the vehicle is at the depot already"}, {1, ""}, {2, "customer 2 demands 5, the vehicle has 4 left"},
		{3, "node 3 does not exist"}, {-1, "node -1 does not exist"}, {0, ""}, {1, "customer 1 is visited already"},
		{2, ""}, {0, ""},
	} {
		err := s.Step(c.action)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("step to %d: error %v, want %q", c.action, err, c.want)
		}
	}
	if !s.Done() || s.Remaining() != 10 {
		t.Errorf("not done, %d left in the vehicle", s.Remaining())
	}
}

func TestGenerateCVRP(t *testing.T) {
	for n, want := range map[int]int32{5: 20, 10: 20, 20: 30, 30: 33, 50: 40, 75: 45, 100: 50, 150: 60, 200: 70,
		500: 100, 1000: 150, 2000: 150} {
		if got := uniformCapacity(n); got != want {
			t.Errorf("capacity for %d customers: %d, want %d", n, got, want)
		}
	}
	a, b := Generate(50, 3, 7), Generate(50, 8, 7)
	count := make([]int, 10)
	for i, in := range b {
		if err := (Problem{}).CheckAttributes(&in); err != nil {
			t.Error(err)
		}
		if i < len(a) && (!slices.Equal(a[i].Coords, in.Coords) || !slices.Equal(a[i].Demand, in.Demand)) {
			t.Errorf("instance %d depends on how many are generated", i)
		}
		for _, d := range in.Demand[1:] {
			count[d]++
		}
	}
	if slices.Min(count[1:]) < 25 || count[0] != 0 {
		t.Errorf("demands 0..9 drawn %v times of 400", count)
	}
}

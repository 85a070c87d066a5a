package rollout_test

import (
	"context"
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
)

// If the nearest neighbour completes the tour, the cost of the second choice is known by hand.
func TestRegretIsThePriceOfTheSecondChoice(t *testing.T) {
	line := routing.Instance{Problem: routing.TSP, Coords: []float32{0, 0, 0.1, 0, 0.2, 0, 1, 0}}
	// Two customers lie east of the depot, one lies west, and a vehicle has room for two.
	routes := routing.Instance{
		Problem: routing.CVRP, Coords: []float32{0.5, 0, 0.6, 0, 0.7, 0, 0.2, 0},
		Demand: []int32{0, 1, 1, 1}, Capacity: 2,
	}
	record := func(in routing.Instance, start int) *rollout.Shard {
		sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, []routing.Instance{in},
			func(int) []routing.Run { return []routing.Run{{Start: start}} }, nil)
		if err != nil {
			t.Fatal(err)
		}
		return sh
	}
	// From the near customer, the one in the far east is the first choice directly and the second choice by way of the
	// depot.
	viaDepot := &rollout.Shard{
		Problem: routing.CVRP, ViaDepot: true, N: 4,
		Coords: dense.Of(routes.Coords, 1, 4, 2), Demand: dense.Of(routes.Demand, 1, 4), Capacity: []int32{2},
		InstanceOf: []int32{0}, Actions: []int32{1, 2, 0, 3, 0}, ActionOffset: []int64{0, 5},
		Traj: []int32{0}, Step: []int32{1}, Remaining: []int32{1}, Offset: []int64{0, 4},
		Candidates: []uint16{2, 3, 4 + 2, 4 + 3}, Probs: dense.Vector([]float32{0.6, 0, 0.3, 0.1}),
	}
	only := *viaDepot
	only.Offset, only.Candidates, only.Probs = []int64{0, 1}, []uint16{2}, dense.Vector([]float32{1})
	for name, tt := range map[string]struct {
		sh   *rollout.Shard
		want []float32
	}{
		// Step 1: 0 2 1 3 instead of 0 1 2 3 has length 0.2 + 0.1 + 0.9 + 1 instead of 2. Step 2: 0 1 3 2 is as long as
		// 0 1 2 3.
		"tsp": {record(line, 0), []float32{0.2, 0}},
		// 1 2 | 3 has length 1, and so has 2 1 | 3. With a return from 1 it is 1 | 2 3, 1.2. After that there is no
		// choice.
		"cvrp":                {record(routes, routing.OwnStart), []float32{0, 0.2}},
		"by way of the depot": {viaDepot, []float32{0.2}},
		"without a choice":    {&only, []float32{0}},
	} {
		regret, err := rollout.Regret(context.Background(), problems.NearestNeighbour{}, tt.sh)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := dense.Values[float32]("regret", regret, len(tt.want))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for s := range tt.want {
			if math.Abs(float64(got[s]-tt.want[s])) > 1e-6 {
				t.Errorf("%s: regret of state %d is %v, want %v", name, s, got[s], tt.want[s])
			}
		}
	}
}

// Real CVRP teachers complete their own solutions, also those that decide on the way to a customer. Some wrong steps
// must have a cost.
func TestRegretOfTeachers(t *testing.T) {
	insts := cvrp.Generate(20, 3, 5)
	for _, tt := range []struct {
		file     string
		viaDepot bool
	}{
		{"teachers/am/cvrp_20/epoch-99.pt", false},
		{"teachers/am/cvrp_20/epoch-99.pt", true},
		{"teachers/lehd/cvrp_init.pt", true},
	} {
		p, err := teacher.Load(testdata.Shared(t, tt.file))
		if err != nil {
			t.Fatal(err)
		}
		sh, err := rollout.Record(context.Background(), p.ViaDepot(tt.viaDepot), insts,
			func(int) []routing.Run { return []routing.Run{{Start: routing.OwnStart}} }, nil)
		if err != nil {
			t.Fatal(err)
		}
		regret, err := rollout.Regret(context.Background(), p, sh)
		if err != nil {
			t.Fatal(err)
		}
		dear := 0
		for s, r := range dense.Must[float32]("regret", regret, sh.States()) {
			if !(r >= 0 && r < 5) {
				t.Errorf("%s: regret of state %d is %v", tt.file, s, r)
			}
			if r > 0.01 {
				dear++
			}
		}
		if dear < sh.States()/10 || sh.ViaDepot != tt.viaDepot {
			t.Errorf("%s: %d of %d wrong steps cost something; by way of the depot: %v, want %v",
				tt.file, dear, sh.States(), sh.ViaDepot, tt.viaDepot)
		}
	}
}

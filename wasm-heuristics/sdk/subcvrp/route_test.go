package subcvrp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// cross: the depot at (0,0) with customers in the east at 1 and 3, in the north at 2 and in the west at 1. The
// vehicle has served the nearer one in the east and has room for 4 of 10 units; the one in the west asks for 6.
func cross() *subcvrp.State {
	x, y, demand := []float32{0, 1, 3, 0, -1}, []float32{0, 0, 0, 2, 0}, []int32{0, 6, 4, 1, 6}
	s := subcvrp.NewState(cvrp.NewState(x, y, demand, 10))
	s.Set(1, 4, []cvrp.Node{2, 3, 5 + 2, 5 + 3, 5 + 4}, []cvrp.Node{2, 3, 4})
	return s
}

const east, north, west = subcvrp.Node(0), subcvrp.Node(1), subcvrp.Node(2)

func TestRoute(t *testing.T) {
	s := cross()
	toNorth := float32(math.Sqrt(5))
	for _, c := range []struct {
		what      string
		got, want float32
	}{
		{"saving in the east", s.WaySaving(0), 2},
		{"saving by way of the depot", s.WaySaving(2), 0},
		{"an exact fit", s.Fill(0), 1},
		{"a quarter of the room", s.Fill(1), 0.25},
		{"fill of a full vehicle", s.Fill(4), 0.6},
		{"outward to the east", s.Outward(east), 1},
		{"outward to the west", s.Outward(west), -1},
		{"coherence with the east", s.Coherence(east), 1},
		{"coherence with the west", s.Coherence(west), -1},
		{"isolation of the north", s.Isolation(north), math.Pi / 2},
		{"rotation to the north", s.Rotation(north), math.Pi / 2},
		{"rotation to the west", s.Rotation(west), math.Pi},
		{"density around the west", s.Density(west, 2.5), 0.7},
		{"mean distance", s.MeanDist(s.Current), (2 + toNorth) / 2},
		{"mean turn", s.MeanTurn(), math.Pi / 4},
		{"least turn", s.LeastTurn(), 0},
		{"demand that fits", s.FittingDemand(), 0.5},
		{"best saving", s.BestSaving(), 2},
	} {
		if math.Abs(float64(c.got-c.want)) > 1e-6 {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if c, d := s.NearestFitting(s.Current); c != east || d != 2 {
		t.Errorf("nearest is %d at %v", c, d)
	}
	if c, _ := s.NearestFitting(east); c != north {
		t.Errorf("nearest to the east is %d", c)
	}
	if s.AtDepot() || s.Begins(1) || !s.Begins(2) || !slices.Equal(s.Fitting(), []subcvrp.Node{east, north}) {
		t.Errorf("at the depot: %v, fitting %v", s.AtDepot(), s.Fitting())
	}
}

// TestRouteEnds: what is asked about customers that fit has an answer where none fits, and about directions at the
// depot.
func TestRouteEnds(t *testing.T) {
	s := cross()
	s.Set(1, 0, []cvrp.Node{5 + 4}, []cvrp.Node{4})
	c, d := s.NearestFitting(s.Current)
	if len(s.Fitting()) != 0 || c != s.Depot || d != 0 || s.MeanDist(s.Current) != 0 || s.MeanTurn() != 0 ||
		s.BestSaving() != 0 || s.FittingDemand() != 0 {
		t.Errorf("something fits into a full vehicle: %v", s.Fitting())
	}
	if s.LeastTurn() != math.Pi || s.Isolation(0) != math.Pi {
		t.Errorf("least turn %v, isolation %v, want π", s.LeastTurn(), s.Isolation(0))
	}
	s.Set(0, 10, []cvrp.Node{2, 3}, []cvrp.Node{2, 3})
	if !s.AtDepot() || !s.Begins(0) || s.Outward(0) != 0 || s.Coherence(0) != 0 || s.WaySaving(0) != 0 {
		t.Error("at the depot there is a direction or a saving")
	}
}

func TestRouteAllocatesNothing(t *testing.T) {
	s := cross()
	var sum float32
	n := testing.AllocsPerRun(10, func() {
		for k, c := range s.Candidates {
			_, d := s.NearestFitting(c)
			sum += d + s.Density(c, 1) + s.Isolation(c) + s.Fill(k) + s.MeanDist(c) + s.LeastTurn() + s.BestSaving()
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

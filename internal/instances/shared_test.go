package instances

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata"
)

// TestSharedSets reads every set of the data folder and compares with what its README says.
func TestSharedSets(t *testing.T) {
	for _, c := range []struct {
		file       string
		count      int
		problem    routing.Problem
		metric     Metric
		references bool
		mean       float64 // of the reference costs
	}{
		{"test_TSP200_n128.txt", 128, routing.TSP, Euclidean, true, 10.7036},
		{"test_TSP500_n32.txt", 32, routing.TSP, Euclidean, true, 16.5296},
		{"vrp200_test_lkh_n32.txt", 32, routing.CVRP, Euclidean, true, 0},
		{"vrp500_test_lkh_n32.txt", 32, routing.CVRP, Euclidean, true, 0},
		{"TSPlib_70instances.txt", 70, routing.TSP, Euc2D, false, 0},
		{"vrplib_192instances.txt", 192, routing.CVRP, Euc2D, false, 0},
		{"tsp_uniform_20.npz", 1000, routing.TSP, Euclidean, false, 0},
		{"cvrp_uniform_100.npz", 500, routing.CVRP, Euclidean, false, 0},
	} {
		files, err := Read(testdata.Shared(t, "data/"+c.file), 0)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(files) != c.count {
			t.Errorf("%s: %d instances, want %d", c.file, len(files), c.count)
		}
		var sum float64
		for i := range files {
			f := &files[i]
			if f.Instance.Problem != c.problem || f.Metric != c.metric || (f.Reference != nil) != c.references {
				t.Fatalf("%s: %s by %s, reference %v", f.Source, f.Instance.Problem, f.Metric, f.Reference != nil)
			}
			if known := c.references || c.metric != Euclidean; known != (f.BestKnown > 0) {
				t.Errorf("%s: best known %v", f.Source, f.BestKnown)
			}
			if unit := c.metric == Euclidean; unit != (f.Span == 1 && f.Lo == [2]float64{}) {
				t.Errorf("%s: scaled by %v from %v", f.Source, f.Span, f.Lo)
			}
			sum += f.BestKnown
		}
		if mean := sum / float64(len(files)); c.mean > 0 && math.Abs(mean-c.mean) > 5e-5 {
			t.Errorf("%s: mean reference %v, want %v", c.file, mean, c.mean)
		}
	}
}

// TestOptima compares the table of optima with the set that carries them.
func TestOptima(t *testing.T) {
	files, err := Read(testdata.Shared(t, "data/TSPlib_70instances.txt"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if float64(optima[f.Instance.Name]) != f.BestKnown {
			t.Errorf("%s: %d in the table, %v in the set", f.Instance.Name, optima[f.Instance.Name], f.BestKnown)
		}
	}
}

// vehicles returns the k of CVRPLIB's names, such as A-n32-k5, the fleet that best known values hold for; with more,
// solutions can be cheaper. Any number will do for a tour.
func vehicles(name string) int {
	if _, k, ok := strings.Cut(name, "-k"); ok {
		n, _ := strconv.Atoi(k)
		return n
	}
	return math.MaxInt
}

// TestSearchNearOptimum holds the local searches against published optima, in the library's rounded lengths: none may
// be undercut, and the gap stays small.
func TestSearchNearOptimum(t *testing.T) {
	for _, c := range []struct {
		file  string
		nodes int
		most  float64
		solve func(in *routing.Instance) []int32
	}{
		{"TSPlib_70instances.txt", 202, 0.02, func(in *routing.Instance) []int32 {
			return tsp.IteratedTwoOpt(in, tsp.FarthestInsertion(in), 3000, 1)
		}},
		{"TSPlib_70instances.txt", 202, 0.06, func(in *routing.Instance) []int32 {
			return tsp.IteratedTwoOpt(in, tsp.FarthestInsertion(in), 0, 0)
		}},
		{"vrplib_192instances.txt", 102, 0.05, func(in *routing.Instance) []int32 {
			return cvrp.ImproveRoutes(in, cvrp.Savings(in))
		}},
		{"vrplib_192instances.txt", 102, 0.012, func(in *routing.Instance) []int32 {
			return cvrp.IteratedRoutes(in, cvrp.Savings(in), 2000, 1)
		}},
		{"vrplib_192instances.txt", 102, 0.16, cvrp.Sweep},
	} {
		files, err := Read(testdata.Shared(t, "data/"+c.file), 0)
		if err != nil {
			t.Fatal(err)
		}
		var gaps []float64
		for i := range files {
			f := &files[i]
			if f.Instance.N() > c.nodes {
				continue
			}
			actions := c.solve(&f.Instance)
			rounded, unrounded, err := f.Cost(actions)
			undercut := rounded < f.BestKnown && len(routing.Routes(actions)) <= vehicles(f.Instance.Name)
			if err != nil || undercut || math.Abs(rounded-unrounded) > float64(f.Instance.N()) {
				t.Errorf("%s: cost %v (%v unrounded), best known %v (%v)", f.Instance.Name, rounded, unrounded,
					f.BestKnown, err)
			}
			gaps = append(gaps, rounded/f.BestKnown-1)
		}
		mean := 0.0
		for _, g := range gaps {
			mean += g / float64(len(gaps))
		}
		t.Logf("%s: %d instances, mean gap %.2f %%", c.file, len(gaps), 100*mean)
		if mean > c.most {
			t.Errorf("%s: mean gap %.2f %%, want at most %.3g %%", c.file, 100*mean, 100*c.most)
		}
	}
}

package problems

import (
	"fmt"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

func TestImproveRoutes(t *testing.T) {
	for _, inst := range append(cvrp.Generate(60, 6, 4), cvrp.Generate(100, 3, 5)...) {
		trs, err := nearestNeighbour{}.Decode(&inst, []routing.Run{{Start: routing.OwnStart}})
		if err != nil {
			t.Fatal(err)
		}
		for name, start := range map[string][]int32{"savings": cvrp.Savings(&inst), "sweep": cvrp.Sweep(&inst),
			"nearest": trs[0].Actions} {
			before, err := cvrp.Cost(&inst, start)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			better := cvrp.ImproveRoutes(&inst, start)
			after, err := cvrp.Cost(&inst, better)
			if err != nil || after > before+1e-9 {
				t.Errorf("%s: %v after %v (%v)", name, after, before, err)
			}
			if again, _ := cvrp.Cost(&inst, cvrp.ImproveRoutes(&inst, better)); again > after+1e-9 {
				t.Errorf("%s: %v after %v", name, again, after)
			}
			if !slices.Equal(better, cvrp.ImproveRoutes(&inst, start)) {
				t.Errorf("%s: two results from one start", name)
			}
			iterated := cvrp.IteratedRoutes(&inst, start, 200, 7)
			if cost, err := cvrp.Cost(&inst, iterated); err != nil || cost > after+1e-9 {
				t.Errorf("%s: %v by iteration, %v before (%v)", name, cost, after, err)
			}
			if !slices.Equal(iterated, cvrp.IteratedRoutes(&inst, start, 200, 7)) {
				t.Errorf("%s: two results from one seed", name)
			}
		}
	}
}

func TestPublishedMeans(t *testing.T) {
	mean := func(insts []routing.Instance, solve func(*routing.Instance) []int32) float64 {
		var sum float64
		for i := range insts {
			cost, err := Cost(&insts[i], solve(&insts[i]))
			if err != nil {
				t.Fatal(err)
			}
			sum += cost
		}
		return sum / float64(len(insts))
	}
	tours, routes := tsp.Generate(50, 100, 5), cvrp.Generate(50, 100, 5)
	for _, c := range []struct {
		name   string
		got    float64
		lo, hi float64
	}{
		{"iterated 2-opt, optimum 5.69", mean(tours, func(in *routing.Instance) []int32 {
			return tsp.IteratedTwoOpt(in, tsp.FarthestInsertion(in), 1000, 1)
		}), 5.60, 5.80},
		{"savings, LKH3 10.38", mean(routes, cvrp.Savings), 10.6, 11.5},
		{"sweep", mean(routes, cvrp.Sweep), 10.6, 12},
		{"savings iterated", mean(routes, func(in *routing.Instance) []int32 {
			return cvrp.IteratedRoutes(in, cvrp.Savings(in), 3000, 1)
		}), 10.2, 10.55},
		{"savings improved", mean(routes, func(in *routing.Instance) []int32 {
			return cvrp.ImproveRoutes(in, cvrp.Savings(in))
		}), 10.3, 11.0},
	} {
		t.Logf("%s: %.3f", c.name, c.got)
		if c.got < c.lo || c.got > c.hi {
			t.Errorf("%s: mean %.3f, want %.2f..%.2f", c.name, c.got, c.lo, c.hi)
		}
	}
}

func BenchmarkLocalSearch(b *testing.B) {
	for _, n := range []int{50, 200, 1000} {
		tours, routes := tsp.Generate(n, 1, 1)[0], cvrp.Generate(n, 1, 1)[0]
		tour := tsp.FarthestInsertion(&tours)
		for name, run := range map[string]func(){
			"two-opt":  func() { tsp.IteratedTwoOpt(&tours, tour, 0, 0) },
			"kicks=1k": func() { tsp.IteratedTwoOpt(&tours, tour, 1000, 1) },
			"savings":  func() { cvrp.Savings(&routes) },
			"sweep":    func() { cvrp.Sweep(&routes) },
			"improve":  func() { cvrp.ImproveRoutes(&routes, cvrp.Savings(&routes)) },
			"ruin=1k":  func() { cvrp.IteratedRoutes(&routes, cvrp.Savings(&routes), 1000, 1) },
		} {
			b.Run(fmt.Sprintf("%s/N=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					run()
				}
			})
		}
	}
}

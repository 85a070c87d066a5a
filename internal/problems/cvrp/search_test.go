package cvrp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/epb-nco/epb/internal/routing"
)

func optimalRoutes(inst *routing.Instance) float64 {
	best := math.Inf(1)
	order := make([]int32, inst.N()-1) // of the customers
	for _, customers := range combin.Permutations(len(order), len(order)) {
		for k, i := range customers {
			order[k] = int32(i + 1)
		}
		cut := make([]float64, len(order)+1) // cost of serving the first customers
		for to := range order {
			cut[to+1] = math.Inf(1)
			load := int32(0)
			for from := to; from >= 0; from-- {
				if load += inst.Demand[order[from]]; load > inst.Capacity {
					break
				}
				cut[to+1] = min(cut[to+1], cut[from]+pathCost(inst, order[from:to+1]))
			}
		}
		best = min(best, cut[len(order)])
	}
	return best
}

func TestCVRPBaselinesAgainstBruteForce(t *testing.T) {
	methods := map[string]func(*routing.Instance) []int32{
		"savings": Savings, "sweep": Sweep,
		"savings, improved": func(in *routing.Instance) []int32 { return ImproveRoutes(in, Savings(in)) },
		"savings, iterated": func(in *routing.Instance) []int32 { return IteratedRoutes(in, Savings(in), 300, 1) },
		"routes of one, improved": func(in *routing.Instance) []int32 {
			var alone [][]int32
			for c := 1; c < in.N(); c++ {
				alone = append(alone, []int32{int32(c)})
			}
			return ImproveRoutes(in, routing.JoinRoutes(alone))
		},
	}
	most := map[string]float64{"savings": 0.05, "sweep": 0.06, "savings, improved": 0.02, "savings, iterated": 1e-9,
		"routes of one, improved": 0.04}
	gaps, count := map[string]float64{}, 0.0
	for n := 1; n <= 7; n++ {
		for i, inst := range Generate(n, 12, uint64(n)) {
			inst.Capacity = 9 + int32(i)%9
			optimum := optimalRoutes(&inst)
			count++
			for name, solve := range methods {
				cost, err := Cost(&inst, solve(&inst))
				if err != nil || cost < optimum-1e-9 {
					t.Errorf("%s, n=%d instance %d: %v, the optimum is %v (%v)", name, n, i, cost, optimum, err)
				}
				gaps[name] += cost/optimum - 1
			}
		}
	}
	for name, gap := range gaps {
		if gap/count > most[name] {
			t.Errorf("%s: mean gap %.2f %%, want at most %.3g %%", name, 100*gap/count, 100*most[name])
		}
	}
}

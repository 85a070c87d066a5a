package routing

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// permutations calls visit with every order of items.
func permutations(items []int32, visit func([]int32)) {
	var walk func(k int)
	walk = func(k int) {
		if k == len(items) {
			visit(items)
			return
		}
		for i := k; i < len(items); i++ {
			items[k], items[i] = items[i], items[k]
			walk(k + 1)
			items[k], items[i] = items[i], items[k]
		}
	}
	walk(0)
}

// optimalTour returns the cost of the best tour by trying all.
func optimalTour(t *testing.T, inst *Instance) float64 {
	best := math.Inf(1)
	permutations(everyNode(inst.N())[1:], func(rest []int32) {
		cost, err := TourCost(inst, append([]int32{0}, rest...))
		if err != nil {
			t.Fatal(err)
		}
		best = min(best, cost)
	})
	return best
}

// optimalRoutes returns the cost of the best CVRP solution by trying every order of the customers with every way of
// cutting it into routes.
func optimalRoutes(inst *Instance) float64 {
	best := math.Inf(1)
	permutations(everyNode(inst.N())[1:], func(order []int32) {
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
	})
	return best
}

func TestTourSearchAgainstBruteForce(t *testing.T) {
	for n := 3; n <= 8; n++ {
		for i, inst := range Generate(n, 20, uint64(n)) {
			optimum := optimalTour(t, &inst)
			start := everyNode(n)
			worst, _ := TourCost(&inst, start)
			plain, err := TourCost(&inst, IteratedTwoOpt(&inst, start, 0, 0))
			if err != nil || plain > worst+1e-9 || plain < optimum-1e-9 {
				t.Errorf("n=%d instance %d: %v from %v, the optimum is %v (%v)", n, i, plain, worst, optimum, err)
			}
			cost, err := TourCost(&inst, IteratedTwoOpt(&inst, start, 200, 1))
			if err != nil || math.Abs(cost-optimum) > 1e-9 {
				t.Errorf("n=%d instance %d: iterated %v, the optimum is %v (%v)", n, i, cost, optimum, err)
			}
		}
	}
}

// TestTwoOptIsLocalOptimum tries every exchange of two edges on the result.
func TestTwoOptIsLocalOptimum(t *testing.T) {
	for _, inst := range Generate(neighbours+1, 30, 3) {
		tour := IteratedTwoOpt(&inst, everyNode(inst.N()), 0, 0)
		cost, _ := TourCost(&inst, tour)
		for i := range tour {
			for j := i + 1; j < len(tour); j++ {
				other := slices.Clone(tour)
				slices.Reverse(other[i : j+1])
				if better, _ := TourCost(&inst, other); better < cost-1e-9 {
					t.Fatalf("%s: reversing %d..%d gives %v instead of %v", inst.Name, i, j, better, cost)
				}
			}
		}
	}
}

// TestTourSearchBooks checks the bookkeeping of swapPaths, gains and of taking back, on tours where reversals go round the ends.
func TestTourSearchBooks(t *testing.T) {
	for _, inst := range Generate(60, 4, 9) {
		start := FarthestInsertion(&inst)
		before, _ := TourCost(&inst, start)
		last := before
		for _, kicks := range []int{0, 1, 10, 100, 1000} {
			cost, err := TourCost(&inst, IteratedTwoOpt(&inst, start, kicks, 5))
			if err != nil || cost > last+1e-9 {
				t.Errorf("%s: %v after %d kicks, %v before (%v)", inst.Name, cost, kicks, last, err)
			}
			last = cost
		}
		if last > 0.99*before {
			t.Errorf("%s: 1000 kicks bring %v down to %v only", inst.Name, before, last)
		}
		a, b := IteratedTwoOpt(&inst, start, 50, 5), IteratedTwoOpt(&inst, start, 50, 5)
		if !slices.Equal(a, b) {
			t.Error("the same seed gives two tours")
		}
	}
	inst := Generate(9, 1, 2)[0]
	s := newTourSearch(newPlane(&inst, everyNode(9), neighbours, false), everyNode(9))
	for _, c := range []struct {
		i, j, k int
		keep    bool
		want    []int32 // read from node 0 towards the lower of its neighbours
	}{
		{1, 2, 5, true, []int32{0, 3, 4, 5, 1, 2, 6, 7, 8}},
		{1, 2, 5, false, []int32{0, 3, 4, 5, 2, 1, 6, 7, 8}},
		{1, 3, 8, true, []int32{0, 4, 5, 6, 7, 8, 1, 2, 3}},
		{1, 3, 8, false, []int32{0, 4, 5, 6, 7, 8, 3, 2, 1}},
		{7, 8, 3, true, []int32{4, 5, 6, 0, 1, 2, 3, 7, 8}},
		{7, 0, 6, true, []int32{1, 2, 3, 4, 5, 6, 7, 8, 0}},
	} {
		s.log = s.log[:0]
		s.swapPaths(c.i, c.j, c.k, c.keep)
		if got := canonical(s.tour); !slices.Equal(got, canonical(c.want)) {
			t.Errorf("swap %d..%d with the path up to %d: %v, want %v", c.i, c.j, c.k, got, canonical(c.want))
		}
		for i := len(s.log) - 1; i >= 0; i-- {
			s.turn(s.log[i][0], s.log[i][1])
		}
		if !slices.Equal(canonical(s.tour), everyNode(9)) {
			t.Fatalf("taken back: %v", s.tour)
		}
		s = newTourSearch(s.plane, everyNode(9))
	}
}

// canonical reads a tour from node 0 towards the lower of its neighbours.
func canonical(tour []int32) []int32 {
	n := len(tour)
	at := slices.Index(tour, 0)
	out := slices.Concat(tour[at:], tour[:at])
	if out[1] > out[n-1] {
		slices.Reverse(out[1:])
	}
	return out
}

func TestCVRPBaselinesAgainstBruteForce(t *testing.T) {
	methods := map[string]func(*Instance) []int32{
		"savings": Savings, "sweep": Sweep,
		"savings, improved": func(in *Instance) []int32 { return ImproveRoutes(in, Savings(in)) },
		"savings, iterated": func(in *Instance) []int32 { return IteratedRoutes(in, Savings(in), 300, 1) },
		"routes of one, improved": func(in *Instance) []int32 {
			var alone [][]int32
			for c := 1; c < in.N(); c++ {
				alone = append(alone, []int32{int32(c)})
			}
			return ImproveRoutes(in, JoinRoutes(alone))
		},
	}
	most := map[string]float64{"savings": 0.05, "sweep": 0.06, "savings, improved": 0.02, "savings, iterated": 1e-9, "routes of one, improved": 0.04}
	gaps, count := map[string]float64{}, 0.0
	for n := 1; n <= 7; n++ {
		for i, inst := range GenerateCVRP(n, 12, uint64(n)) {
			inst.Capacity = 9 + int32(i)%9
			optimum := optimalRoutes(&inst)
			count++
			for name, solve := range methods {
				cost, err := SolutionCost(&inst, solve(&inst))
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

// TestImproveRoutes wants valid solutions that are never worse, from good starts and bad ones.
func TestImproveRoutes(t *testing.T) {
	for _, inst := range append(GenerateCVRP(60, 6, 4), GenerateCVRP(100, 3, 5)...) {
		trs, err := nearestNeighbour{}.Decode(&inst, []Run{{Start: OwnStart}})
		if err != nil {
			t.Fatal(err)
		}
		for name, start := range map[string][]int32{"savings": Savings(&inst), "sweep": Sweep(&inst), "nearest": trs[0].Actions} {
			before, err := SolutionCost(&inst, start)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			better := ImproveRoutes(&inst, start)
			after, err := SolutionCost(&inst, better)
			if err != nil || after > before+1e-9 {
				t.Errorf("%s: %v after %v (%v)", name, after, before, err)
			}
			if again, _ := SolutionCost(&inst, ImproveRoutes(&inst, better)); again > after+1e-9 {
				t.Errorf("%s: %v after %v", name, again, after)
			}
			if !slices.Equal(better, ImproveRoutes(&inst, start)) {
				t.Errorf("%s: two results from one start", name)
			}
			iterated := IteratedRoutes(&inst, start, 200, 7)
			if cost, err := SolutionCost(&inst, iterated); err != nil || cost > after+1e-9 {
				t.Errorf("%s: %v by iteration, %v before (%v)", name, cost, after, err)
			}
			if !slices.Equal(iterated, IteratedRoutes(&inst, start, 200, 7)) {
				t.Errorf("%s: two results from one seed", name)
			}
		}
	}
}

// TestPublishedMeans compares with Kool et al. 2019, Table 1, and the means of strong solvers on the same distribution.
func TestPublishedMeans(t *testing.T) {
	mean := func(insts []Instance, solve func(*Instance) []int32) float64 {
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
	tsp, cvrp := Generate(50, 100, 5), GenerateCVRP(50, 100, 5)
	for _, c := range []struct {
		name   string
		got    float64
		lo, hi float64
	}{
		{"iterated 2-opt, optimum 5.69", mean(tsp, func(in *Instance) []int32 {
			return IteratedTwoOpt(in, FarthestInsertion(in), 1000, 1)
		}), 5.60, 5.80},
		{"savings, LKH3 10.38", mean(cvrp, Savings), 10.6, 11.5},
		{"sweep", mean(cvrp, Sweep), 10.6, 12},
		{"savings iterated", mean(cvrp, func(in *Instance) []int32 { return IteratedRoutes(in, Savings(in), 3000, 1) }), 10.2, 10.55},
		{"savings improved", mean(cvrp, func(in *Instance) []int32 { return ImproveRoutes(in, Savings(in)) }), 10.3, 11.0},
	} {
		t.Logf("%s: %.3f", c.name, c.got)
		if c.got < c.lo || c.got > c.hi {
			t.Errorf("%s: mean %.3f, want %.2f..%.2f", c.name, c.got, c.lo, c.hi)
		}
	}
}

func BenchmarkLocalSearch(b *testing.B) {
	for _, n := range []int{50, 200, 1000} {
		tsp, cvrp := Generate(n, 1, 1)[0], GenerateCVRP(n, 1, 1)[0]
		tour := FarthestInsertion(&tsp)
		for name, run := range map[string]func(){
			"two-opt":  func() { IteratedTwoOpt(&tsp, tour, 0, 0) },
			"kicks=1k": func() { IteratedTwoOpt(&tsp, tour, 1000, 1) },
			"savings":  func() { Savings(&cvrp) },
			"sweep":    func() { Sweep(&cvrp) },
			"improve":  func() { ImproveRoutes(&cvrp, Savings(&cvrp)) },
			"ruin=1k":  func() { IteratedRoutes(&cvrp, Savings(&cvrp), 1000, 1) },
		} {
			b.Run(fmt.Sprintf("%s/N=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					run()
				}
			})
		}
	}
}

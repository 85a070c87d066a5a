package problems

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

func TestBaselines(t *testing.T) {
	// On a circle every sensible tour goes round it.
	const n = 12
	circle := routing.Instance{Name: "circle", Problem: routing.TSP, Coords: make([]float32, 2*n)}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i*5%n) / n)
		circle.Coords[2*i], circle.Coords[2*i+1] = float32(0.5+0.5*cos), float32(0.5+0.5*sin)
	}
	round := n * math.Sin(math.Pi/n)
	for _, p := range []routing.Policy{NearestNeighbour{}, Construction{"farthest-insertion", tsp.FarthestInsertion}} {
		trs, err := routing.Solve(context.Background(), p, []routing.Instance{circle},
			func(int) []routing.Run { return routing.EveryStart(n) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		for start, tr := range trs[0] {
			if cost, err := tsp.Cost(&circle, tr.Actions); err != nil || math.Abs(cost-round) > 1e-5 ||
				math.Abs(tr.Cost-cost) > 1e-9 {
				t.Errorf("%s from %d: cost %v, recomputed %v, want %v (%v)", p.Name(), start, tr.Cost, cost, round, err)
			}
			if int(tr.Actions[0]) != start {
				t.Errorf("%s from %d starts at %d", p.Name(), start, tr.Actions[0])
			}
		}
	}
	// Published means on uniform TSP-50 (Kool et al. 2019, Table 1): farthest insertion 6.01, nearest neighbour 7.00.
	insts := tsp.Generate(50, 300, 5)
	for p, want := range map[routing.Policy]float64{NearestNeighbour{}: 7.00,
		&Construction{"fi", tsp.FarthestInsertion}: 6.01} {
		trs, err := routing.Solve(context.Background(), p, insts, routing.SingleRun, nil)
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for _, tr := range trs {
			sum += tr[0].Cost
		}
		if mean := sum / float64(len(insts)); math.Abs(mean-want) > 0.1 {
			t.Errorf("%s: mean cost %.3f, published %.2f", p.Name(), mean, want)
		}
	}
}

func TestSolveOrder(t *testing.T) {
	insts := append(tsp.Generate(8, 20, 1), tsp.Generate(9, 21, 1)...)
	solve := func(procs int) [][]routing.Trajectory {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		last := 0
		trs, err := routing.Solve(context.Background(), NearestNeighbour{}, insts,
			func(i int) []routing.Run { return []routing.Run{{Start: i % 8}} },
			func(done int) {
				if done != last+1 {
					t.Errorf("progress went from %d to %d", last, done)
				}
				last = done
			})
		if err != nil || last != len(insts) {
			t.Fatalf("%d of %d done: %v", last, len(insts), err)
		}
		return trs
	}
	one, four := solve(1), solve(4)
	for i := range insts {
		if !slices.Equal(one[i][0].Actions, four[i][0].Actions) {
			t.Errorf("instance %d differs between 1 and 4 cores", i)
		}
		if int(one[i][0].Actions[0]) != i%8 {
			t.Errorf("instance %d starts at %d, want %d", i, one[i][0].Actions[0], i%8)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := routing.Solve(ctx, NearestNeighbour{}, insts, routing.SingleRun, nil); err == nil {
		t.Error("a cancelled routing.Solve reports success")
	}
}

func TestRunValidate(t *testing.T) {
	inst := tsp.Generate(5, 1, 1)[0]
	for _, c := range []struct {
		run  routing.Run
		want string
	}{
		{routing.Run{Start: routing.OwnStart}, ""},
		{routing.Run{Start: 4, Force: []int32{4, 2}}, ""},
		{routing.Run{Start: 5}, "start node 5"},
		{routing.Run{Start: -2}, "start node -2"},
		{routing.Run{Start: 1, Force: []int32{2}}, "first forced action is 2"},
		{routing.Run{Start: routing.OwnStart, Force: make([]int32, 6)}, "6 forced actions"},
	} {
		_, err := nearestNeighbour{}.Decode(&inst, []routing.Run{c.run})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.run, err, c.want)
		}
	}
	if _, err := (nearestNeighbour{}).Decode(&inst,
		[]routing.Run{{Start: routing.OwnStart, Force: []int32{1, 1}}}); err == nil {
		t.Error("a forced second visit went through")
	}
}

func TestValidateCVRP(t *testing.T) {
	good := func() routing.Instance {
		return routing.Instance{Name: "i", Problem: routing.CVRP, Coords: []float32{0, 0, 0, 1, 1, 0},
			Demand: []int32{0, 6, 10}, Capacity: 10}
	}
	for want, spoil := range map[string]func(in *routing.Instance){
		"capacity 0, want a positive number":         func(in *routing.Instance) { in.Capacity = 0 },
		"capacity -3, want a positive number":        func(in *routing.Instance) { in.Capacity = -3 },
		"node 2 has demand 10, above the capacity 9": func(in *routing.Instance) { in.Capacity = 9 },
		"0 demands, want one for each of 3 nodes":    func(in *routing.Instance) { in.Demand = nil },
		"2 demands, want one for each of 3 nodes":    func(in *routing.Instance) { in.Demand = in.Demand[:2] },
		"the depot has demand 1, want 0":             func(in *routing.Instance) { in.Demand[0] = 1 },
		"node 1 has demand -6, want at least 0":      func(in *routing.Instance) { in.Demand[1] = -6 },
		"a tsp instance with demands or a capacity":  func(in *routing.Instance) { in.Problem = routing.TSP },
		`problem "", want ` + Names():                func(in *routing.Instance) { in.Problem = "" },
		"1 nodes, want at least 2":                   func(in *routing.Instance) { in.Coords = in.Coords[:2] },
	} {
		in := good()
		if err := Validate(&in); err != nil {
			t.Fatal(err)
		}
		spoil(&in)
		if err := Validate(&in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// The rank of the nearest candidate is 1, equal distances have equal ranks, and the depot comes last.
func TestDistanceRank(t *testing.T) {
	in := routing.Instance{Problem: routing.TSP, Coords: []float32{0, 0, .3, 0, .1, 0, .2, 0, 0, .2}}
	for k, want := range []int{4, 1, 2, 2} {
		if got := DistanceRank(&in, 0, []uint16{1, 2, 3, 4}, k); got != want {
			t.Errorf("candidate %d has rank %d, want %d", k, got, want)
		}
	}
	in.Problem, in.Demand, in.Capacity = routing.CVRP, []int32{0, 1, 1, 1, 1}, 2
	// From customer 2 at 0.1: the depot; 1 at 0.2, 3 at 0.1, and 4 by way of the depot at 0.1 + 0.2.
	for k, want := range []int{4, 2, 1, 3} {
		if got := DistanceRank(&in, 2, []uint16{0, 1, 3, 9}, k); got != want {
			t.Errorf("CVRP: candidate %d has rank %d, want %d", k, got, want)
		}
	}
}

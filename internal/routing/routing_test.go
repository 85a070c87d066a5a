package routing

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestRandomTours walks random feasible actions: the state and the independent cost must agree, and
// every way of spoiling the tour must be noticed.
func TestRandomTours(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, inst := range append(Generate(20, 5, 3), Generate(3, 5, 4)...) {
		s := NewState(&inst)
		for !s.Done() {
			feasible := s.Feasible(nil)
			if len(feasible) != inst.N()-len(s.Actions()) || !slices.IsSorted(feasible) {
				t.Fatalf("step %d: feasible %v", len(s.Actions()), feasible)
			}
			if err := s.Step(feasible[rng.IntN(len(feasible))]); err != nil {
				t.Fatal(err)
			}
		}
		cost, err := TourCost(&inst, s.Actions())
		if err != nil || math.Abs(cost-s.Cost()) > 1e-9 {
			t.Fatalf("cost %v, the state says %v (%v)", cost, s.Cost(), err)
		}
		reversed := slices.Clone(s.Actions())
		slices.Reverse(reversed)
		if back, _ := TourCost(&inst, reversed); math.Abs(back-cost) > 1e-9 {
			t.Errorf("reversed tour costs %v, want %v", back, cost)
		}
		last := len(reversed) - 1
		for name, spoil := range map[string]func() []int32{
			"visited twice":  func() []int32 { r := slices.Clone(reversed); r[0] = r[last]; return r },
			"tour of":        func() []int32 { return reversed[:last] },
			"holds node -1":  func() []int32 { r := slices.Clone(reversed); r[1] = -1; return r },
			"holds node 999": func() []int32 { r := slices.Clone(reversed); r[1] = 999; return r },
		} {
			if _, err := TourCost(&inst, spoil()); err == nil || !strings.Contains(err.Error(), name) {
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
		if err := a[i].Validate(); err != nil {
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

func TestBaselines(t *testing.T) {
	// On a circle every sensible tour goes round it.
	const n = 12
	circle := Instance{Name: "circle", Problem: TSP, Coords: make([]float32, 2*n)}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i*5%n) / n)
		circle.Coords[2*i], circle.Coords[2*i+1] = float32(0.5+0.5*cos), float32(0.5+0.5*sin)
	}
	round := n * math.Sin(math.Pi/n)
	for _, p := range []Policy{NearestNeighbour{}, Construction{"farthest-insertion", FarthestInsertion}} {
		trs, err := Solve(context.Background(), p, []Instance{circle}, func(int) []Run { return EveryStart(n) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		for start, tr := range trs[0] {
			if cost, err := TourCost(&circle, tr.Actions); err != nil || math.Abs(cost-round) > 1e-5 || math.Abs(tr.Cost-cost) > 1e-9 {
				t.Errorf("%s from %d: cost %v, recomputed %v, want %v (%v)", p.Name(), start, tr.Cost, cost, round, err)
			}
			if int(tr.Actions[0]) != start {
				t.Errorf("%s from %d starts at %d", p.Name(), start, tr.Actions[0])
			}
		}
	}
	// Published means on uniform TSP-50 (Kool et al. 2019, Table 1): farthest insertion 6.01, nearest neighbour 7.00.
	insts := Generate(50, 300, 5)
	for p, want := range map[Policy]float64{NearestNeighbour{}: 7.00, &Construction{"fi", FarthestInsertion}: 6.01} {
		trs, err := Solve(context.Background(), p, insts, SingleRun, nil)
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

// TestSolveOrder wants the same answers in the same places from one core and from four.
func TestSolveOrder(t *testing.T) {
	insts := append(Generate(8, 20, 1), Generate(9, 21, 1)...)
	solve := func(procs int) [][]Trajectory {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		last := 0
		trs, err := Solve(context.Background(), NearestNeighbour{}, insts, func(i int) []Run { return []Run{{Start: i % 8}} },
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
	if _, err := Solve(ctx, NearestNeighbour{}, insts, SingleRun, nil); err == nil {
		t.Error("a cancelled Solve reports success")
	}
}

func TestRunValidate(t *testing.T) {
	inst := Generate(5, 1, 1)[0]
	for _, c := range []struct {
		run  Run
		want string
	}{
		{Run{Start: OwnStart}, ""},
		{Run{Start: 4, Force: []int32{4, 2}}, ""},
		{Run{Start: 5}, "start node 5"},
		{Run{Start: -2}, "start node -2"},
		{Run{Start: 1, Force: []int32{2}}, "first forced action is 2"},
		{Run{Start: OwnStart, Force: make([]int32, 6)}, "6 forced actions"},
	} {
		_, err := nearestNeighbour{}.Decode(&inst, []Run{c.run})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.run, err, c.want)
		}
	}
	if _, err := (nearestNeighbour{}).Decode(&inst, []Run{{Start: OwnStart, Force: []int32{1, 1}}}); err == nil {
		t.Error("a forced second visit went through")
	}
}

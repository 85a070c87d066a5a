package teacher

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// cvrpTeachers returns one teacher of each architecture.
func cvrpTeachers(t testing.TB) []Teacher {
	return []Teacher{load(t, "am/cvrp_20/epoch-99.pt"), load(t, "pomo/cvrp_init.pt"), load(t, "lehd/cvrp_init.pt")}
}

// TestStartsCVRP mixes runs from own and given starts on one instance. Each must give the same result as alone.
func TestStartsCVRP(t *testing.T) {
	inst := cvrp.Generate(15, 1, 6)[0]
	runs := []routing.Run{
		{Start: routing.OwnStart, Record: true},
		{Start: 7, Record: true},
		{Start: routing.OwnStart, Force: []int32{3, 0, 4}, Record: true},
		{Start: routing.OwnStart, Force: []int32{5, 0}, Record: true},
		{Start: 1},
	}
	for _, teacher := range cvrpTeachers(t) {
		d := teacher.net.decoder()
		together, err := d.Decode(&inst, runs)
		if err != nil {
			t.Fatal(err)
		}
		var recorded [][]routing.Trajectory
		for r, run := range runs {
			alone, err := d.Decode(&inst, runs[r:r+1])
			if err != nil {
				t.Fatal(err)
			}
			tr := together[r]
			if !slices.Equal(tr.Actions, alone[0].Actions) {
				t.Errorf("%s run %d: %v together, %v alone", teacher.info.Arch, r, tr.Actions, alone[0].Actions)
			}
			if !slices.Equal(tr.Actions[:len(run.Force)], run.Force) {
				t.Errorf("%s run %d: %v, forced %v", teacher.info.Arch, r, tr.Actions, run.Force)
			}
			if cost, err := cvrp.Cost(&inst, tr.Actions); err != nil || cost-tr.Cost > 1e-9 || tr.Cost-cost > 1e-9 {
				t.Errorf("%s run %d: cost %v, recomputed %v (%v)", teacher.info.Arch, r, tr.Cost, cost, err)
			}
			if !run.Record {
				continue
			}
			worst(t, teacher.info.Arch, tr.Probs, alone[0].Probs, tolProb)
			recorded = append(recorded, together[r:r+1])
			chose := slices.Max(tr.Probs[:inst.N()]) > 0
			if want := run.Start == routing.OwnStart && teacher.info.OwnStart; chose != want {
				t.Errorf("%s run %d: row 0 holds a distribution: %v, want %v", teacher.info.Arch, r, chose, want)
			}
		}
		checkDistributions(t, recorded)
		if first := together[0].Actions[0]; !teacher.info.OwnStart && first != 1 {
			t.Errorf("%s: own start %d, want customer 1", teacher.info.Arch, first)
		}
		for want, run := range map[string]routing.Run{
			"customer 4 is visited already":           {Start: routing.OwnStart, Force: []int32{4, 4}},
			"the vehicle is at the depot already":     {Start: routing.OwnStart, Force: []int32{0}},
			"start node 0, want 1..15":                {Start: 0},
			"step 2: the vehicle is at the depot alr": {Start: routing.OwnStart, Force: []int32{4, 0, 0}},
		} {
			if _, err := d.Decode(&inst, []routing.Run{run}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want one with %q", teacher.info.Arch, err, want)
			}
		}
	}
}

// TestViaDepot compares the joint distributions with those of the teacher after a forced return to the depot.
func TestViaDepot(t *testing.T) {
	insts := cvrp.Generate(20, 4, 3)
	n := insts[0].N()
	for _, teacher := range cvrpTeachers(t)[:2] {
		for i := range insts {
			own := []routing.Run{{Start: routing.OwnStart, Record: true}}
			plain := decodeBatch(t, teacher, insts[i:i+1], [][]routing.Run{own})[0][0]
			joint := decodeBatch(t, teacher.ViaDepot(true), insts[i:i+1], [][]routing.Run{own})[0][0]
			if !slices.Equal(plain.Actions, joint.Actions) || plain.Cost != joint.Cost ||
				!slices.Equal(plain.Refused, joint.Refused) {
				t.Fatalf(
					"%s, instance %d: %v for %v by way of the depot, %v for %v else", teacher.info.Arch, i,
					joint.Actions, joint.Cost, plain.Actions, plain.Cost,
				)
			}
			decisions := 0
			for step, left := 0, n-1; step < len(plain.Actions); step++ {
				want := make([]float32, 2*n)
				given := step == 0 && !teacher.info.OwnStart
				if left > 0 && !given && (step == 0 || plain.Actions[step-1] != 0) {
					decisions++
					copy(want, plain.Probs[step*n:(step+1)*n])
					want[0] = 0
					if step > 0 {
						back := append(slices.Clone(plain.Actions[:step]), 0)
						driven := decodeBatch(
							t, teacher, insts[i:i+1],
							[][]routing.Run{{{Start: routing.OwnStart, Force: back, Record: true}}},
						)[0][0]
						for j, p := range driven.Probs[(step+1)*n : (step+2)*n] {
							want[n+j] = plain.Probs[step*n] * p
						}
					}
					var sum float64
					for _, p := range want {
						sum += float64(p)
					}
					if sum < 1-1e-5 || sum > 1+1e-5 {
						t.Errorf("%s, instance %d, step %d: probabilities sum to %v", teacher.info.Arch, i, step, sum)
					}
				}
				worst(
					t, fmt.Sprintf("%s, instance %d, step %d", teacher.info.Arch, i, step),
					joint.Probs[step*2*n:(step+1)*2*n], want, tolProb,
				)
				if plain.Actions[step] != 0 {
					left--
				}
			}
			if decisions < n-2 {
				t.Errorf("%s, instance %d: %d decisions, want one for each customer", teacher.info.Arch, i, decisions)
			}
		}
	}
}

// TestWrongProblem requires an error that names both problems.
func TestWrongProblem(t *testing.T) {
	tsp, cvrp := tsp.Generate(5, 1, 1)[0], cvrp.Generate(5, 1, 1)[0]
	for file, inst := range map[string]routing.Instance{
		"lehd/tsp_init.pt": cvrp, "am/tsp_20/epoch-99.pt": cvrp, "lehd/cvrp_init.pt": tsp,
	} {
		d := load(t, file).net.decoder()
		if _, err := d.Decode(&inst, routing.SingleRun(0)); err == nil || !strings.Contains(
			err.Error(), "this is "+string(inst.Problem),
		) {
			t.Errorf("%s: error %v", file, err)
		}
	}
}

// TestLEHDBatching requires the same tours one at a time and in batches of several instances and runs.
func TestLEHDBatching(t *testing.T) {
	for _, c := range []struct {
		file  string
		insts []routing.Instance
	}{
		{"lehd/tsp_init.pt", tsp.Generate(30, 3, 2)},
		{"lehd/cvrp_init.pt", cvrp.Generate(29, 3, 2)},
	} {
		teacher := load(t, c.file)
		for i := range teacher.net.(*lehd).final {
			teacher.net.(*lehd).final[i] *= 40 // an untrained net has many near-ties
		}
		runs := make([][]routing.Run, len(c.insts))
		for i := range runs {
			runs[i] = routing.EveryStart(30)[1 : 10*i+2] // 1, 11 and 21 runs
		}
		together := decodeBatch(t, teacher, c.insts, runs)
		for i := range c.insts {
			alone := decodeBatch(t, teacher, c.insts[i:i+1], runs[i:i+1])[0]
			for r := range alone {
				if !slices.Equal(alone[r].Actions, together[i][r].Actions) {
					t.Errorf("%s, instance %d from %d: the batch changes the tour", c.file, i, runs[i][r].Start)
				}
			}
		}
	}
}

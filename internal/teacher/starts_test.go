package teacher

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// TestStarts mixes runs from own and given starts on one instance. Each must give the same result as alone.
func TestStarts(t *testing.T) {
	pomo, err := Parse("pomo.pt", builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	inst := tsp.Generate(20, 1, 6)[0]
	runs := []routing.Run{
		{Start: routing.OwnStart, Record: true},
		{Start: 7, Record: true},
		{Start: routing.OwnStart, Force: []int32{3, 4}, Record: true},
		{Start: 0},
	}
	for _, teacher := range []Teacher{pomo, load(t, "am/tsp_20/epoch-99.pt")} {
		d := teacher.net.decoder()
		together, err := d.Decode(&inst, runs)
		if err != nil {
			t.Fatal(err)
		}
		for r, run := range runs {
			alone, err := d.Decode(&inst, runs[r:r+1])
			if err != nil {
				t.Fatal(err)
			}
			tr := together[r]
			if !slices.Equal(tr.Actions, alone[0].Actions) {
				t.Errorf("%s run %d: %v together, %v alone", teacher.info.Arch, r, tr.Actions, alone[0].Actions)
			}
			if (tr.Probs != nil) != run.Record {
				t.Errorf(
					"%s run %d: distributions kept: %v, asked for: %v", teacher.info.Arch, r, tr.Probs != nil,
					run.Record,
				)
			}
			if cost, err := tsp.Cost(&inst, tr.Actions); err != nil || math.Abs(cost-tr.Cost) > 1e-9 {
				t.Errorf("%s run %d: cost %v, recomputed %v (%v)", teacher.info.Arch, r, tr.Cost, cost, err)
			}
			if !run.Record {
				continue
			}
			worst(t, teacher.info.Arch, tr.Probs, alone[0].Probs, tolProb)
			chose := slices.Max(tr.Probs[:20]) > 0
			if want := run.Start == routing.OwnStart && teacher.info.OwnStart; chose != want {
				t.Errorf("%s run %d: row 0 holds a distribution: %v, want %v", teacher.info.Arch, r, chose, want)
			}
		}
		if together[1].Actions[0] != 7 || together[2].Actions[0] != 3 || together[2].Actions[1] != 4 {
			t.Errorf(
				"%s: starts %d, %d, %d", teacher.info.Arch, together[1].Actions[0], together[2].Actions[0],
				together[2].Actions[1],
			)
		}
		if !teacher.info.OwnStart && together[0].Actions[0] != 0 {
			t.Errorf("POMO's own start is %d, want 0", together[0].Actions[0])
		}
		for want, run := range map[string]routing.Run{
			"node 4 is visited already": {Start: routing.OwnStart, Force: []int32{4, 4}},
			"start node 20":             {Start: 20},
		} {
			if _, err := d.Decode(&inst, []routing.Run{run}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want one with %q", teacher.info.Arch, err, want)
			}
		}
	}
}

// TestStepsAllocateNothing compares the allocations of small and large instances: they must not grow with the number of
// steps.
func TestStepsAllocateNothing(t *testing.T) {
	am := load(t, "am/tsp_20/epoch-99.pt")
	allocs := func(n int) float64 {
		inst := tsp.Generate(n, 1, 1)[0]
		d := am.net.decoder()
		return testing.AllocsPerRun(5, func() {
			if _, err := d.Decode(&inst, routing.SingleRun(0)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocs(10), allocs(60); many > few {
		t.Errorf("%v allocations for 10 nodes, %v for 60", few, many)
	}
}

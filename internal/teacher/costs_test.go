package teacher

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata"
)

// uniform returns the instances of a uniform set, and what the attention model's greedy solutions cost.
func uniform(t *testing.T, name string) ([]routing.Instance, []float32) {
	t.Helper()
	path := testdata.Shared(t, "data/"+name+".npz")
	files, err := instances.Read(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	costs, _ := array[float32](openArchive(t, path), "am_greedy_cost")
	return instances.Instances(files), costs
}

// TestAMCosts decodes the uniform sets greedily. The mean must equal the recorded one, and so must nearly every cost.
func TestAMCosts(t *testing.T) {
	for _, n := range []int{20, 50, 100} {
		teacher := load(t, fmt.Sprintf("am/tsp_%d/epoch-99.pt", n))
		insts, recorded := uniform(t, fmt.Sprintf("tsp_uniform_%d", n))
		trs, err := routing.Solve(context.Background(), teacher, insts, routing.SingleRun, nil)
		if err != nil {
			t.Fatal(err)
		}
		costs := make([]float64, len(insts))
		for i := range trs {
			costs[i] = trs[i][0].Cost
		}
		compareCosts(t, teacher.Name(), costs, recorded)
	}
}

// TestTrainedPOMOCosts decodes TSP-20 from every start with this project's own POMO teacher.
func TestTrainedPOMOCosts(t *testing.T) {
	const n = 20
	teacher, err := Load(testdata.Repo(t, "teachers/pomo_tsp20.pt"))
	if err != nil {
		t.Fatal(err)
	}
	insts, _ := uniform(t, "tsp_uniform_20")
	g := openGolden(t, "pomo_tsp20_trained_costs")
	starts, _ := array[float32](g, "start_cost")
	multistart, _ := array[float32](g, "multistart_cost")
	trs, err := routing.Solve(
		context.Background(), teacher, insts, func(int) []routing.Run { return routing.EveryStart(n) }, nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	var single, best []float64
	for i := range trs {
		best = append(best, math.Inf(1))
		for _, tr := range trs[i] {
			single = append(single, tr.Cost)
			best[i] = min(best[i], tr.Cost)
		}
	}
	compareCosts(t, "single starts", single, starts)
	compareCosts(t, "best of all starts", best, multistart)
}

// compareCosts requires equal means to 1e-3 and equal costs to 1e-4 for all but one in 200: a near-tie may differ.
func compareCosts(t *testing.T, what string, got []float64, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d costs, want %d", what, len(got), len(want))
	}
	var meanGot, meanWant float64
	off := 0
	for i := range got {
		meanGot += got[i] / float64(len(got))
		meanWant += float64(want[i]) / float64(len(got))
		if math.Abs(got[i]-float64(want[i])) > tolCost {
			off++
		}
	}
	t.Logf("%s: mean %.5f, recorded %.5f, %d of %d costs differ", what, meanGot, meanWant, off, len(got))
	if math.Abs(meanGot-meanWant) > 1e-3 || off > len(got)/200 {
		t.Errorf("%s: mean %.5f, want %.5f; %d of %d costs differ", what, meanGot, meanWant, off, len(got))
	}
}

// TestBatchingChangesNothing requires the same tours one at a time, in batches and on any number of cores, recorded or
// not.
func TestBatchingChangesNothing(t *testing.T) {
	teacher := load(t, "am/tsp_20/epoch-99.pt")
	insts := tsp.Generate(20, 60, 1)
	solve := func(procs int, record bool) [][]routing.Trajectory {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		trs, err := routing.Solve(context.Background(), teacher, insts,
			func(int) []routing.Run { return []routing.Run{{Start: routing.OwnStart, Record: record}} }, nil)
		if err != nil {
			t.Fatal(err)
		}
		return trs
	}
	one, four, plain := solve(1, true), solve(4, true), solve(4, false)
	d, err := teacher.Decoder()
	if err != nil {
		t.Fatal(err)
	}
	for i := range insts {
		alone, err := d.Decode(&insts[i], []routing.Run{{Start: routing.OwnStart, Record: true}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(one[i][0].Probs, four[i][0].Probs) {
			t.Errorf("instance %d: 1 and 4 cores give different bits", i)
		}
		if !slices.Equal(one[i][0].Actions, plain[i][0].Actions) || !slices.Equal(one[i][0].Actions, alone[0].Actions) {
			t.Errorf("instance %d: the tour depends on batching or recording", i)
		}
	}
}

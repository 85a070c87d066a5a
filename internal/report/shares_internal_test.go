package report

import (
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/evaluate"
)

// TestWhenCountsStates: the share of the late steps that a program leads is one of states, not a mean of stages.
func TestWhenCountsStates(t *testing.T) {
	var a evaluate.Activation
	a.Heuristics = make([]evaluate.HeuristicUse, 2)
	a.Heuristics[0].LedByProgress = [evaluate.ProgressBins]float64{7: 0.99}
	a.Heuristics[1].LedByProgress = [evaluate.ProgressBins]float64{7: 0.01, 8: 1, 9: 1}
	if _, got := when(a, a.Heuristics[0].LedByProgress); got != "0, 0, 33\u00a0%" {
		t.Errorf("of an old report: %s", got)
	}
	a.StageStates = [evaluate.ProgressBins]int{7: 1000, 8: 5, 9: 5}
	words, got := when(a, a.Heuristics[0].LedByProgress)
	if words != "late" || got != "0, 0, 98\u00a0%" {
		t.Errorf("%s: %s, want late: 98 %%", words, got)
	}
	seldom := [evaluate.ProgressBins]float64{0: 0.014, 4: 0.006, 7: 0.012, 8: 0.012, 9: 0.012}
	a.StageStates = [evaluate.ProgressBins]int{0: 500, 4: 500, 7: 500, 8: 500, 9: 500}
	if words, got = when(a, seldom); words != "early, late" || got != "1.4, 0.6, 1.2\u00a0%" {
		t.Errorf("%s: %s, want early, late: 1.4, 0.6, 1.2 %%", words, got)
	}
}

// TestEqualCostsHaveAGap: a student that costs what its teacher costs has a gap of 0, and the teacher has none.
func TestEqualCostsHaveAGap(t *testing.T) {
	equal := &evaluate.Costing{Cost: bootstrap.Summary{N: 2, Mean: 3.5}}
	for kind, want := range map[evaluate.Kind]string{evaluate.KindStudent: "0.00\u00a0%", evaluate.KindTeacher: ""} {
		if got := scoreCell(evaluate.Row{Kind: kind, Greedy: equal}, evaluate.Greedy); got.Gap != want {
			t.Errorf("%s: gap %q, want %q", kind, got.Gap, want)
		}
	}
}

package evaluate

import (
	"fmt"
	"math"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// ProgressBins is the number of stages that Activation divides a solution into: see routing.Definition.Progress.
const ProgressBins = 10

// Activation says how the router spreads its weight over the bank, on the states of a shard.
type Activation struct {
	Heuristics []HeuristicUse `json:"heuristics"` // in bank order
	States     int            `json:"states"`
	// Deviations counts the states in which the teacher's top action is not the nearest candidate
	// (paper, figure "Phase-aware vs geometry-aware").
	Deviations int `json:"deviations"`

	// StageStates counts the states of each stage. Reports before it was kept have none.
	StageStates [ProgressBins]int `json:"stage_states,omitzero"`
}

// HeuristicUse is one heuristic's part in the student's decisions.
type HeuristicUse struct {
	Name       string       `json:"name"`
	Category   sdk.Category `json:"category"`
	MeanWeight float64      `json:"mean_weight"` // mean w_m(s)
	Dominant   float64      `json:"dominant"`    // share of states where w_m is largest
	// ByProgress is the mean w_m(s) per stage: on tours by the share of the steps taken, on routes by the share of the
	// vehicle's room used up (paper, figure "CVRP Heuristic Activation Across Route Progress").
	ByProgress [ProgressBins]float64 `json:"by_progress"`
	// LedByProgress is the share of the states of each of these stages where w_m is largest. Reports before it was
	// counted have none.
	LedByProgress [ProgressBins]float64 `json:"led_by_progress,omitzero"`
	// mean w_m(s) on the deviations from the nearest neighbour
	DeviationWeight float64 `json:"deviation_weight"`
	Deviations      int     `json:"deviations"` // deviations where w_m is largest
	// of these, where its own top action is the teacher's
	DeviationsSolved int `json:"deviations_solved"`
}

// activate reads the router's weights on a shard. names has M entries; w is float32 [S,M], the weights w_m(s) of Eq.
// 3; top is [M][S], each heuristic's top action as an index into the state's candidates. Inspect fills in the
// categories, since it has the programs. It panics on shapes that do not fit.
func activate(sh *rollout.Shard, names []string, w *tensor.Dense, top [][]int32) Activation {
	M, S := len(names), sh.States()
	wm := dense.Must[float32]("evaluate: routing weights", w, S, M)
	if len(top) != M {
		panic(fmt.Sprintf("evaluate: %d rows of top actions for %d heuristics", len(top), M))
	}
	problem := problems.Must(sh.Problem)
	a := Activation{Heuristics: make([]HeuristicUse, M), States: S}
	for m, name := range names {
		a.Heuristics[m].Name = name
	}
	for s := range S {
		st := sh.State(s)
		in := sh.Instance(int(sh.InstanceOf[st.Traj]))
		bin := progressBin(problem, &in, st)
		a.StageStates[bin]++
		row := wm[s*M : (s+1)*M]
		lead := agreement.Argmax(row)
		for m, weight := range row {
			u := &a.Heuristics[m]
			u.MeanWeight += float64(weight)
			u.ByProgress[bin] += float64(weight)
		}
		u := &a.Heuristics[lead]
		u.Dominant++
		u.LedByProgress[bin]++
		teacher := agreement.Argmax(st.Probs)
		if teacher != problems.Nearest(&in, st.Current, st.Candidates) {
			a.Deviations++
			for m, weight := range row {
				a.Heuristics[m].DeviationWeight += float64(weight)
			}
			u.Deviations++
			if int(top[lead][s]) == teacher {
				u.DeviationsSolved++
			}
		}
	}
	for m := range a.Heuristics {
		u := &a.Heuristics[m]
		u.MeanWeight /= math.Max(1, float64(S))
		u.Dominant /= math.Max(1, float64(S))
		u.DeviationWeight /= math.Max(1, float64(a.Deviations))
		for b, n := range a.StageStates {
			u.ByProgress[b] /= math.Max(1, float64(n))
			u.LedByProgress[b] /= math.Max(1, float64(n))
		}
	}
	return a
}

// progressBin puts a state into one of equal stages: see routing.Definition.Progress.
func progressBin(problem routing.Definition, in *routing.Instance, st rollout.State) int {
	at, of := problem.Progress(in, st.Row())
	return min(ProgressBins-1, at*ProgressBins/max(1, of))
}

package evaluate

import (
	"math"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
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

// activate reads the router's weights on a shard. names has M entries. Inspect fills in the categories: it has the
// programs.
func activate(sh *rollout.Shard, names []string, d Decided) Activation {
	S, problem := sh.States(), problems.Must(sh.Problem)
	a := Activation{Heuristics: make([]HeuristicUse, len(names)), States: S}
	for m, name := range names {
		a.Heuristics[m].Name = name
	}
	for s := range S {
		st := sh.State(s)
		in := sh.Instance(int(sh.InstanceOf[st.Traj]))
		bin := progressBin(problem.Progress(&in, st.Row()))
		a.StageStates[bin]++
		row, lead := d.WeightsAt(s), d.Leaders[s]
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
			if int(d.Firsts[lead][s]) == teacher {
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

// progressBin returns the stage that a state belongs to by its progress: see routing.Definition.Progress.
func progressBin(at, of int) int { return min(ProgressBins-1, at*ProgressBins/max(1, of)) }

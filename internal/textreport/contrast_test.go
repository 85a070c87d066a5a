package textreport

import (
	"bytes"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// estimated is an estimate that is shown to differ from 0 if it exceeds 0.02 on either side.
func estimated(v float64) contrast.Estimate {
	return contrast.Estimate{Mean: v, CI: bootstrap.Interval{Lo: v - 0.02, Hi: v + 0.02}, N: 100}
}

// The program that differs most comes first. What is not shown to differ is in brackets, and a stage without a decision
// is empty. The size of an instance with a depot is that of its customers.
func TestContrast(t *testing.T) {
	near := contrast.Program{Name: "near", Category: sdk.Geometry, Weight: [2]float64{0.7, 0.69}, More: estimated(0.01)}
	late := contrast.Program{Name: "late", Category: sdk.Phase, Weight: [2]float64{0.3, 0.5}, More: estimated(-0.2)}
	late.Stages = [5]contrast.Estimate{0: estimated(0.1), 2: estimated(-0.015), 4: estimated(-0.3)}
	var text bytes.Buffer
	Contrast(&text, &contrast.Contrast{
		Problem: routing.CVRP, Nodes: 20, TrainInstances: 9, Instances: 7, Seed: 1,
		Names: [2]string{"am", "pomo"}, Bank: "two programs", Way: "the tour", Machine: "2 cores", Kernels: "k",
		Programs: []contrast.Program{near, late},
	})
	within(t, text.String(),
		"of 9 instances, and compared on 7 others of 20 customers; seed 1.",
		"program category am pomo more 0–20 %",
		"late "+string(sdk.Phase)+" 30.0 % 50.0 % -20.0 +10.0 (-1.5) -30.0 near "+string(sdk.Geometry)+
			" 70.0 % 69.0 % (+1.0)",
	)
}

// Students are named beside how often they choose the same, and how often their leaders match, also by lot.
func TestLineup(t *testing.T) {
	var text bytes.Buffer
	Lineup(&text, &contrast.Lineup{
		Problem: routing.CVRP, Instances: 5, Nodes: 20, States: 40, Whose: "the teachers",
		Portraits: []contrast.Portrait{
			{Name: "one", Programs: []string{"near", "late"}}, {Name: "two", Programs: []string{"home", "close"}},
		},
		Pairs: []contrast.Pair{{
			A: 0, B: 1, Choices: estimated(0.8), Leaders: estimated(0.5), Chance: 0.3,
			Matches: []agreement.Matched{{A: 0, B: 1, Same: 0.95}, {A: 1, B: 0, Same: 0.6}},
		}},
	})
	within(t, text.String(),
		"In 40 states of the solutions of the teachers of 5 instances of 20 customers:",
		"one and two 80.0 % [78.0, 82.0] 50.0 % 30.0 % near and close 95.0 %, late and home 60.0 %",
	)
}

package figures

import (
	"testing"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
)

// A ring is about the customer that a decision by way of the depot is for, and not about the depot.
func TestDeviating(t *testing.T) {
	steps := []evaluate.StepExplanation{
		{Action: 3, Nearest: true}, {Action: 0, Leader: 1}, {Action: 5, Leader: 1, Via: true}, {Action: 2, Leader: 2},
		{Action: 4, Forced: true}, {Action: 1, Leader: -1},
	}
	got := deviating(steps)
	if len(got) != 2 || got[0].Action != 5 || got[1].Action != 2 {
		t.Errorf("%+v, want the steps to 5 and 2", got)
	}
}

// Stages of routes are told by the room in the vehicle.
func TestStagesOfRoutes(t *testing.T) {
	var d report.Data
	for problem, want := range map[routing.Problem]string{
		routing.TSP:  "Mean routing weight by tenth of the tour",
		routing.CVRP: "Mean routing weight by tenth of the vehicle’s room that is used up",
	} {
		if d.Config.Problem = problem; stageTable(d).Caption != want {
			t.Errorf("%s: %q, want %q", problem, stageTable(d).Caption, want)
		}
	}
}

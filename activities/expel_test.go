package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/workflows"
)

// A program that crashes leaves the bank, and the journal says why.
func TestExpel(t *testing.T) {
	fx := newFixture(t)
	near, far, high := fx.scoring("near", byNear, 0.1), fx.scoring("far", byFar, 0.2), fx.scoring("high", byHeight, 0.3)
	model := fx.even(near, far, high)
	out := perform(fx, fx.Expel, workflows.ExpelInput{Model: model, Name: "far", Reason: "state 3: trap",
		Moment: workflows.Moment{Pass: 1, Epoch: 4}})
	left := get[bank.Bank](fx, out.Model.Bank)
	if len(left.Heuristics) != 2 || left.Heuristics[0].Name != "near" || left.Heuristics[1].Name != "high" ||
		out.Model.Size != 2 || out.Model.Revision != model.Revision+1 {
		t.Errorf("%+v with %+v is left", out.Model, left.Heuristics)
	}
	if e := out.Events; len(e) != 1 || e[0].Kind != workflows.EventDrop || e[0].Name != "far" || e[0].Epoch != 4 ||
		!strings.Contains(e[0].Detail, "state 3: trap") {
		t.Errorf("events %+v", out.Events)
	}
	fx.ruled(far, "-state 3: trap")
	_, err := fx.Expel(t.Context(), workflows.ExpelInput{Model: out.Model, Name: "far"})
	if err == nil || !strings.Contains(err.Error(), "far is not in the bank") {
		t.Errorf("a second time: %v", err)
	}
}

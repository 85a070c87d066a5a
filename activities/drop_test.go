package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/workflows"
)

// The programs leave without which the validation loss is lower.
func TestDropByLeaveOneOut(t *testing.T) {
	fx := newFixture(t)
	near, far, right := fx.scoring("near", byNear, leaning(0.7)), fx.scoring("far", byFar, leaning(0.6)),
		fx.scoring("right", byRule, leaning(0.9))
	model := fx.even(near, far, right)
	data := fx.data("ABBB", "AA AB") // where far is right more often, and where near is
	whole := (3*kl((0.7+0.4+0.9)/3) + kl((0.3+0.6+0.9)/3)) / 4
	withoutFar := (3*kl((0.7+0.9)/2) + kl((0.3+0.9)/2)) / 4
	for _, tt := range []struct {
		name   string
		limits config.Drop
		bank   string
		losses []float64 // as one program after the other leaves
	}{
		{"none may be worse", config.Drop{Epsilon: -1, MaxDrops: 2, MinBank: 1}, "near far right", nil},
		{"none to spare", config.Drop{MaxDrops: 2, MinBank: 3}, "near far right", nil},
		{"one", config.Drop{MaxDrops: 1, MinBank: 1}, "near right", []float64{whole, withoutFar}},
		{"two", config.Drop{MaxDrops: 2, MinBank: 1}, "right", []float64{whole, withoutFar, 0}},
	} {
		out := perform(fx, fx.Drop, workflows.DropInput{ModelAndData: on(model, data),
			Drop: tt.limits, Moment: workflows.Moment{Epoch: 3, Pass: 1}})
		hs := get[bank.Bank](fx, out.Model.Bank).Heuristics
		if namesOf(hs) != tt.bank || out.Model.Size != len(hs) || len(out.Events) != 3-len(hs) || len(hs) == 3 &&
			out.Model != model {
			t.Errorf("%s: the bank is %s, want %s; events %+v", tt.name, namesOf(hs), tt.bank, out.Events)
			continue
		}
		for i, e := range out.Events {
			if name := []string{"far", "near"}[i]; e.Kind != workflows.EventDrop || e.Name != name || e.Epoch != 3 ||
				!equals(e.Before, tt.losses[i]) || !equals(e.After, tt.losses[i+1]) {
				t.Errorf("%s: event %+v, want %s to leave at losses %v", tt.name, e, name, tt.losses)
			}
		}
	}
	fx.ruled(far, "-dropped: validation loss")
	fx.ruled(near, "-dropped: validation loss")
	fx.ruled(right)
}

// Two programs with the same first choices are merged, whatever the loss says. A young one stays, and so does its twin.
func TestDropMergesNearDuplicates(t *testing.T) {
	fx := newFixture(t)
	near, twin := fx.scoring("near", byNear, leaning(0.7)), fx.scoring("twin", byNearIn3, 3*leaning(0.6))
	model, data := fx.even(near, fx.scoring("far", byFar, leaning(0.6)), twin), fx.data("ABBB", "AA AB")
	in := workflows.DropInput{ModelAndData: on(model, data), Drop: config.Drop{MaxDrops: 1, MinBank: 1, Alike: 0.95,
		Epsilon: -1}}
	out := perform(fx, fx.Drop, in)
	if hs := get[bank.Bank](fx, out.Model.Bank).Heuristics; namesOf(hs) != "near far" || len(out.Events) != 1 ||
		!strings.HasPrefix(out.Events[0].Detail, "merged with near, which has the same first choice in 100.0 % of the "+
			"states: validation loss ") {
		t.Errorf("the bank is %s, events %+v", namesOf(hs), out.Events)
	}
	fx.ruled(twin, "-merged with near")
	in.Young = []string{"twin"}
	if out := perform(fx, fx.Drop, in); out.Model.Size != 3 || len(out.Events) > 0 {
		t.Errorf("a young program: %+v", out)
	}
}

package activities

import (
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

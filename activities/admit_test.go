package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// A candidate enters for validation states that the bank does not get right already.
func TestAdmitByMarginalCoverage(t *testing.T) {
	fx := newFixture(t)
	model := fx.even(fx.scoring("high", byHeight, leaning(0.8))) // A and C: three of four
	data := fx.data("AB", "AA CB")
	traps, near, far := fx.scoring("traps", trapsOnC, 1), fx.scoring("near", byNear, 1), fx.scoring("far", byFar, 1)
	refs := []store.Ref{fx.put(traps), fx.put(near), fx.put(far)}
	for _, tt := range []struct {
		name string
		add  config.Add
		bank string
	}{
		{"too high a bar", config.Add{RhoAdmit: 0.3, MaxBank: 9}, "high"},
		{"no room", config.Add{RhoAdmit: 0.2, MaxBank: 1}, "high"},
		{"the one that solves B", config.Add{RhoAdmit: 0.2, MaxBank: 9}, "high far"},
	} {
		out := perform(fx, fx.Admit, workflows.AdmitInput{ModelAndData: on(model, data), Add: tt.add, Candidates: refs,
			Moment: workflows.Moment{Epoch: 3, Pass: 1}})
		hs := get[bank.Bank](fx, out.Model.Bank).Heuristics
		if namesOf(hs) != tt.bank || out.Model.Size != len(hs) {
			t.Errorf("%s: the bank is %s, want %s", tt.name, namesOf(hs), tt.bank)
		}
		if e := out.Events; len(e) != len(hs) || e[0].Kind != workflows.EventRejected || e[0].Name != "traps" ||
			!strings.Contains(e[0].Detail, "trap") {
			t.Errorf("%s: events %+v", tt.name, e)
			continue
		}
		if len(hs) == 1 {
			if out.Model != model {
				t.Errorf("%s: the model is %+v, want it as it was", tt.name, out.Model)
			}
			continue
		}
		// On B alone, which it is for, far fits best where it is as sure as the teacher.
		if hs[1].Lineage.Gain != 0.25 || !fits(hs[1].TauH, leaning(0.9)) || hs[0].TauH != leaning(0.8) ||
			out.Model.Revision != 1 {
			t.Errorf("%s: the bank is %+v", tt.name, hs)
		}
		want := workflows.Event{Epoch: 3, Pass: 1, Kind: workflows.EventAdd, Name: "far",
			Detail: "coverage 0.7500 → 1.0000", Before: 0.75, After: 1}
		if out.Events[1] != want {
			t.Errorf("%s: event %+v, want %+v", tt.name, out.Events[1], want)
		}
	}
	// One that chooses as high does in three of four states is its twin where two of four are too many.
	in := workflows.AdmitInput{ModelAndData: on(model, data), Add: config.Add{RhoAdmit: 0.2, MaxBank: 9}, Alike: 0.5,
		Candidates: []store.Ref{fx.put(fx.scoring("right", byRule, 1))}}
	out := perform(fx, fx.Admit, in)
	if out.Model != model || len(out.Events) != 1 || out.Events[0].Kind != workflows.EventRejected {
		t.Errorf("a twin: the model is %+v, events %+v", out.Model, out.Events)
	}
	fx.ruled(fx.scoring("right", byRule, 1), "-the same first choice as high in 75.0 % of the states")
	if in.Alike = 0.75; perform(fx, fx.Admit, in).Model.Size != 2 {
		t.Error("one that chooses alike in no more than the limit is refused")
	}
	fx.ruled(traps, "-state 0: trap")
	fx.ruled(near, "-not admitted")
	fx.ruled(far, "-not admitted", "+admitted, coverage 0.7500 → 1.0000")
}

package activities

import (
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/workflows"
)

// A program that leaves the bank takes its static key with it at once: the student always has as many keys as there are
// programs.
func TestStaticKeysFollowTheBank(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	in.Config.StaticKeys = true
	model := fx.train(in).Model
	expelled, err := fx.Expel(t.Context(), workflows.ExpelInput{Model: model, Name: "near"})
	if err != nil {
		t.Fatal(err)
	}
	dropped, err := fx.Drop(t.Context(), workflows.DropInput{ModelAndData: on(model, in.Data),
		Drop: config.Drop{Epsilon: 10, MaxDrops: 1, MinBank: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]workflows.Model{"Expel": expelled.Model, "Drop": dropped.Model} {
		if m.Size != 1 {
			t.Fatalf("%s left %d programs", name, m.Size)
		}
		if _, err := fx.Dagger(t.Context(), workflows.DaggerInput{NamedTeacher: in.NamedTeacher,
			ModelAndData: on(m, in.Data)}); err != nil {
			t.Errorf("after %s, the student's own tours: %v", name, err)
		}
		if _, err := fx.Drop(t.Context(), workflows.DropInput{ModelAndData: on(m, in.Data),
			Drop: config.Drop{MinBank: 1}}); err != nil {
			t.Errorf("after %s, leave-one-out: %v", name, err)
		}
		in := in
		in.Model = m
		fx.train(in)
	}
}

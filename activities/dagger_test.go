package activities

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/workflows"
)

// The student decides where the tour goes, and the teacher is recorded in the states that it passes.
func TestDaggerIsTheStudentsWay(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	model := fx.train(in).Model
	got, err := fx.Dagger(t.Context(), workflows.DaggerInput{NamedTeacher: in.NamedTeacher,
		ModelAndData: on(model, in.Data)})
	if err != nil {
		t.Fatal(err)
	}
	astray := func(s workflows.Shard) (n int) {
		sh, err := fx.Store.Shard(t.Context(), s.Object)
		if err != nil {
			t.Fatal(err)
		}
		for k := range sh.States() {
			if sh.Taken(k) != agreement.Argmax(sh.State(k).Probs) {
				n++
			}
		}
		return n
	}
	own, students := astray(in.Data.Train[0]), astray(got)
	if own != 0 || students == 0 || got.States != in.Data.Train[0].States {
		t.Errorf("against the teacher's best choice go %d of its own steps and %d of %d of the student's", own,
			students, got.States)
	}
	a, err := fx.Store.Shard(t.Context(), in.Data.Train[0].Object)
	if err != nil {
		t.Fatal(err)
	}
	d, err := fx.Store.Shard(t.Context(), got.Object)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(dense.Open[float32](a.Coords), dense.Open[float32](d.Coords)) ||
		a.Tour(0)[0] != d.Tour(0)[0] ||
		slices.Equal(a.Tour(0), d.Tour(0)) && slices.Equal(a.Tour(1), d.Tour(1)) {
		t.Errorf("the student's tours %v, %v, the teacher's %v, %v", d.Tour(0), d.Tour(1), a.Tour(0), a.Tour(1))
	}
}

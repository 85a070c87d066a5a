package activities

import (
	"reflect"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/workflows"
)

// The final table has rows of rivals if the config asks for them. The same run gives the same table again.
func TestEvaluateWithRivals(t *testing.T) {
	fx := newFixture(t)
	training := fx.training()
	in := workflows.EvaluateInput{
		Config: config.Default(), NamedTeacher: training.NamedTeacher,
		ModelAndData: on(fx.train(training).Model, training.Data),
	}
	in.Config.Nodes, in.Config.Data.Test, in.Config.Data.Search = 20, 3, 0
	rows := func() (names []string) {
		for _, row := range get[report.Data](fx, perform(fx, fx.Evaluate, in)).Table.Rows {
			names = append(names, row.Name)
		}
		return names
	}
	rivals := []string{"linear scorer, all features", "neural ranker, same features", "decision tree, 61 leaves"}
	without := rows()
	in.Config.Data.Rivals = true
	first := perform(fx, fx.Evaluate, in)
	if again := perform(fx, fx.Evaluate, in); again != first {
		t.Errorf("the second evaluation is %v, the first %v", again, first)
	}
	for _, name := range rivals {
		if slices.Contains(without, name) || !slices.Contains(rows(), name) {
			t.Errorf("%q is in %q, or not in %q", name, without, rows())
		}
	}
}

// "All features" of a rival are those that the student may use.
func TestRivalsHaveTheFeaturesOfTheStudent(t *testing.T) {
	fx := newFixture(t)
	scorer := func(class sdk.Class) evaluate.Row {
		training := fx.training()
		training.Config = config.Student{Router: config.NamedRouter, Features: class}
		in := workflows.EvaluateInput{
			Config: config.Default(), NamedTeacher: training.NamedTeacher,
			ModelAndData: on(fx.train(training).Model, training.Data),
		}
		in.Config.Nodes, in.Config.Data.Test, in.Config.Data.Search, in.Config.Data.Rivals = 20, 12, 0, true
		rows := get[report.Data](fx, perform(fx, fx.Evaluate, in)).Table.Rows
		scorer := func(r evaluate.Row) bool { return r.Name == "linear scorer, all features" }
		return rows[slices.IndexFunc(rows, scorer)]
	}
	if local := scorer(sdk.ClassLocal); reflect.DeepEqual(scorer(sdk.ClassLookahead), local) {
		t.Errorf("with lookahead features the linear scorer is what it is without: %+v", local)
	}
}

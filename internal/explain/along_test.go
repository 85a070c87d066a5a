package explain_test

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
)

// What the teacher thinks along its own way, which it is asked once for, is what it thinks when it is led that way.
func TestAlongAsks(t *testing.T) {
	teachers := map[routing.Problem][]string{
		routing.TSP:  {"am/tsp_20/epoch-99.pt", "pomo/tsp_init.pt", "lehd/tsp_init.pt"},
		routing.CVRP: {"am/cvrp_20/epoch-99.pt", "pomo/cvrp_init.pt", "lehd/cvrp_init.pt"},
	}
	for setting := range programs {
		s := tiny(t, setting)
		for _, name := range teachers[setting.Problem] {
			of, err := teacher.Load(testdata.Shared(t, "teachers/"+name))
			if err != nil {
				t.Fatal(err)
			}
			x, err := explain.New(s, distilled.Manifest{}, &of)
			deciding := bank.Setting{Problem: setting.Problem, View: of.Info().View}
			if deciding.ViaDepot() && !setting.ViaDepot() {
				if err == nil {
					t.Errorf("%s is asked in the decisions of a student for the %s view", of.Name(), setting.View)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, start := range []int{routing.OwnStart, 3} {
				file := instances.OfInstance(problems.Must(setting.Problem).Generate(12, 1, 5)[0])
				e, err := x.Along(t.Context(), &file, start)
				if err != nil {
					t.Fatal(err)
				}
				checkLed(t, of.ViaDepot(setting.ViaDepot()), &file.Instance, &e)
			}
		}
	}
}

// checkLed compares what an explanation has of a teacher with the teacher led along its actions.
func checkLed(t *testing.T, of teacher.Teacher, in *routing.Instance, e *explain.Explanation) {
	t.Helper()
	d, err := of.Decoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	led, err := d.Decode(in, []routing.Run{{Start: routing.OwnStart, Force: e.Actions, Record: true}})
	if err != nil {
		t.Fatal(err)
	}
	width, compared := len(led[0].Probs)/len(e.Actions), 0
	for i := range e.Steps {
		s := &e.Steps[i]
		if !s.Decided() {
			continue
		}
		row := led[0].Probs[s.Step*width:][:width]
		var want []float32
		for _, c := range s.Candidates {
			want = append(want, row[c])
		}
		if slices.Max(want) == 0 { // nothing was decided
			want = nil
		}
		taken := int32(routing.Taken(e.Actions, s.Step, in.N(), e.View == routing.Subgraph))
		if want != nil && e.Taken(s) != taken {
			t.Errorf("%s, step %d: %d is taken, want %d", of.Name(), s.Step, e.Taken(s), taken)
		}
		if compared++; !slices.Equal(s.Teacher, want) {
			t.Errorf("%s, step %d: %v, led along it %v", of.Name(), s.Step, s.Teacher, want)
		}
	}
	if compared < 5 {
		t.Errorf("%s: only %d steps were compared", of.Name(), compared)
	}
}

package teacher_test

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
)

// TestLocalSearch: the tours are near-optimal, run counterclockwise, and follow from the partial tour alone.
func TestLocalSearch(t *testing.T) {
	p := problems.Must(routing.TSP)
	dec, err := teacher.NewLocalSearch().Decoder()
	if err != nil {
		t.Fatal(err)
	}
	for _, inst := range p.Generate(12, 10, 3) {
		decode := func(run routing.Run) routing.Trajectory {
			trs, err := dec.Decode(&inst, []routing.Run{run})
			if err != nil {
				t.Fatal(err)
			}
			if cost, err := p.Cost(&inst, trs[0].Actions); err != nil || math.Abs(cost-trs[0].Cost) > 1e-9 {
				t.Fatalf("tour %v costs %v, not %v (%v)", trs[0].Actions, cost, trs[0].Cost, err)
			}
			return trs[0]
		}
		own := decode(routing.Run{Start: routing.OwnStart, Record: true})
		best, err := p.Cost(&inst, p.NearOptimal(&inst))
		if err != nil || own.Cost > best+1e-9 {
			t.Errorf("%s: %v, near-optimal is %v (%v)", inst.Name, own.Cost, best, err)
		}
		var area float64
		for i, v := range own.Actions {
			x0, y0 := inst.XY(int(v))
			x1, y1 := inst.XY(int(own.Actions[(i+1)%12]))
			area += float64(x0*y1 - x1*y0)
			if own.Probs[i*12+int(v)] != 1 {
				t.Errorf("%s: step %d has no weight on its own action", inst.Name, i)
			}
		}
		if area < 0 {
			t.Errorf("%s: the tour runs clockwise", inst.Name)
		}

		// From a given start: the same tour. Through forced actions of its own: the same tour.
		start := own.Actions[5]
		given := decode(routing.Run{Start: int(start)})
		if want := slices.Concat(own.Actions[5:], own.Actions[:5]); !slices.Equal(given.Actions, want) {
			t.Errorf("%s: from %d %v, want %v", inst.Name, start, given.Actions, want)
		}
		if got := decode(routing.Run{Start: routing.OwnStart, Force: own.Actions[:7]}); !slices.Equal(got.Actions,
			own.Actions) {
			t.Errorf("%s: along its own tour %v, want %v", inst.Name, got.Actions, own.Actions)
		}

		// A forced detour to the node farthest along the tour: the same completion, recorded or not.
		force := []int32{own.Actions[0], own.Actions[6]}
		run := routing.Run{Start: routing.OwnStart, Force: force}
		plain := decode(run)
		run.Record = true
		if got := decode(run); !slices.Equal(got.Actions, plain.Actions) || !slices.Equal(got.Actions[:2], force) {
			t.Errorf("%s: after %v %v, recorded %v", inst.Name, force, plain.Actions, got.Actions)
		} else if got.Probs[12+int(own.Actions[1])] != 1 {
			t.Errorf("%s: the distribution before a forced action is not the policy's own", inst.Name)
		}
	}
}

// A forced action that is infeasible is an error, as is another problem.
func TestLocalSearchRefuses(t *testing.T) {
	dec, err := teacher.NewLocalSearch().Decoder()
	if err != nil {
		t.Fatal(err)
	}
	inst := problems.Must(routing.TSP).Generate(6, 1, 1)[0]
	if _, err := dec.Decode(&inst, []routing.Run{{Start: 2, Force: []int32{2, 2}}}); err == nil {
		t.Error("a node was visited twice")
	}
	other := problems.Must(routing.CVRP).Generate(6, 1, 1)[0]
	if _, err := dec.Decode(&other, routing.SingleRun(0)); err == nil {
		t.Error("CVRP was solved")
	}
}

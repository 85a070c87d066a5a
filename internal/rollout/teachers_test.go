package rollout_test

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
)

// TestEveryTeacherRecords: every architecture and problem gives a valid shard, with the candidates that the
// architecture considers.
func TestEveryTeacherRecords(t *testing.T) {
	for file, c := range map[string]struct {
		runs   []routing.Run
		states int // in the first trajectory; 0 if it depends on the returns to the depot
	}{
		"am/tsp_20/epoch-99.pt":  {routing.SingleRun(0), 18},
		"lehd/tsp_init.pt":       {routing.SingleRun(0), 18},
		"am/cvrp_20/epoch-99.pt": {routing.SingleRun(0), 0},
		"pomo/cvrp_init.pt":      {routing.EveryStart(21)[1:5], 0},
		"lehd/cvrp_init.pt":      {[]routing.Run{{Start: routing.OwnStart}, {Start: 3}}, 20},
	} {
		p, err := teacher.Load(testdata.Shared(t, "teachers/"+file))
		if err != nil {
			t.Fatal(err)
		}
		insts := tsp.Generate(20, 60, 5)
		if p.Info().Problem == routing.CVRP {
			insts = cvrp.Generate(20, 60, 5)
		}
		sh, err := rollout.Record(t.Context(), p, insts, func(int) []routing.Run { return c.runs }, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := sh.Validate(); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if lehd := file == "lehd/cvrp_init.pt"; sh.ViaDepot != lehd {
			t.Errorf("%s: by way of the depot: %v", file, sh.ViaDepot)
		}
		first, missing := 0, 0
		for s := range sh.States() {
			st := sh.State(s)
			if st.Traj == 0 {
				first++
			}
			k := sh.Taken(s)
			if k < 0 {
				t.Errorf("%s: state %d: the action is no candidate", file, s)
			} else if st.Probs[k] != slices.Max(st.Probs) && !sh.ViaDepot {
				t.Errorf("%s: state %d: took an action of %v, the best has %v",
					file, s, st.Probs[k], slices.Max(st.Probs))
			}
			if sh.Problem == routing.CVRP && !sh.ViaDepot {
				missing += checkCandidates(t, sh, st)
			}
		}
		if c.states != 0 && first != c.states {
			t.Errorf("%s: %d states in the first trajectory, want %d", file, first, c.states)
		}
		if am := file == "am/cvrp_20/epoch-99.pt"; am != (missing > 0) {
			t.Errorf("%s: %d exact fills are missing", file, missing)
		}
	}
}

// checkCandidates returns the number of feasible actions that are not candidates. These must be exact fills.
func checkCandidates(t *testing.T, sh *rollout.Shard, st rollout.State) (missing int) {
	inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
	s := cvrp.NewState(&inst, false)
	for _, a := range sh.Tour(st.Traj)[:st.Step] {
		if err := s.Step(a); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range s.Candidates(nil) {
		if slices.Contains(st.Candidates, a) {
			continue
		}
		missing++
		if int(inst.Demand[a]) != st.Remaining {
			t.Errorf("step %d: customer %d is no candidate, though %d of %d units would be left",
				st.Step, a, st.Remaining-int(inst.Demand[a]), inst.Capacity)
		}
	}
	return missing
}

// TestForcedBeyondTheMask forces AM into exact fills that it refuses, as states of a student may. They must be
// recorded, and the action is not a candidate.
func TestForcedBeyondTheMask(t *testing.T) {
	p, err := teacher.Load(testdata.Shared(t, "teachers/am/cvrp_20/epoch-99.pt"))
	if err != nil {
		t.Fatal(err)
	}
	insts := cvrp.Generate(20, 200, 9)
	tours, err := routing.Solve(t.Context(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []teacher.Teacher{p, p.ViaDepot(true)} {
		sh, err := rollout.Record(t.Context(), p, insts, func(i int) []routing.Run {
			return []routing.Run{{Start: routing.OwnStart, Force: tours[i][0].Actions}}
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := sh.Validate(); err != nil {
			t.Error(err)
		}
		beyond := 0
		for s := range sh.States() {
			if sh.Taken(s) < 0 {
				beyond++
			}
		}
		if beyond == 0 {
			t.Errorf("by way of the depot %v: no forced action was beyond the teacher's mask", sh.ViaDepot)
		}
	}
}

package rollout

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// TestWalk: for any order of states, the walk returns the trajectory's solution at that step, with the state's
// candidates.
func TestWalk(t *testing.T) {
	for name, sh := range map[string]*Shard{
		"tours": record(t, 8, 3, 2), "routes": recordCVRP(t, problems.NearestNeighbour{}, 9, 3, 2),
		"via depot": recordCVRP(t, viaPolicy{}, 9, 3, 2),
	} {
		walk, err := sh.Walk()
		if err != nil {
			t.Fatal(err)
		}
		check := func(s int) {
			t.Helper()
			at, err := walk.To(s)
			if err != nil {
				t.Fatal(err)
			}
			st := sh.State(s)
			actions, cand, want := at.Actions(), at.Candidates(nil), sh.Tour(st.Traj)[:st.Step]
			if !slices.Equal(actions, want) || !slices.Equal(cand, st.Candidates) {
				t.Errorf("%s, state %d: after %v candidates %v, want %v and %v",
					name, s, actions, cand, want, st.Candidates)
			}
			row, shown := at.Row(), st.Row()
			if shown.First = row.First; row != shown { // only First is not stored
				t.Errorf("%s, state %d shows %+v, want %+v", name, s, row, shown)
			}
			d, err := walk.Decision(s)
			if err != nil {
				t.Fatal(err)
			}
			if got := (routing.Row{
				Anchor: row.Anchor, First: d.First, Current: d.Current, Step: d.Step, Remaining: d.Remaining,
			}); got != row || !slices.Equal(d.Candidates, cand) || !slices.Equal(d.Waiting, at.Waiting(nil)) {
				t.Errorf("%s, state %d: decision %+v of %+v with candidates %v", name, s, d, row, cand)
			}
		}
		for s := range sh.States() {
			check(s)
		}
		for s := range sh.States() {
			check(sh.States() - 1 - s)
		}
	}
	sh := record(t, 8, 1, 1)
	last := sh.Tour(int(sh.Traj[sh.States()-1]))
	last[1] = last[0]
	walk, err := sh.Walk()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := walk.To(sh.States() - 1); err == nil {
		t.Error("a node that is visited twice went through")
	}
	sh.Problem = "vrptw"
	if _, err := sh.Walk(); err == nil {
		t.Error("a walk on an unknown problem")
	}
}

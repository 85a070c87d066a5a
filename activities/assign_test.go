package activities

import (
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// A fault state goes to the candidate that is closest to the teacher there. A crash of a candidate is in the journal.
func TestAssignGivesFaultsToTheClosest(t *testing.T) {
	fx := newFixture(t)
	weak, strong, traps := fx.scoring("weak", byNear, leaning(0.7)), fx.scoring("strong", byNearToo, leaning(0.95)),
		fx.scoring("traps", trapsOnC, 1)
	// To refine with are an A, where both are right, and two of B, where to be sure is further from the teacher.
	f := fx.put(faultSet{Shards: []workflows.Shard{fx.kinds("ACBCBC")}, Refine: [][]int32{{0, 2, 4}},
		HeldOut: [][]int32{{1, 3, 5}}})
	out := perform(fx, fx.Assign, workflows.AssignInput{Faults: f,
		Candidates: []store.Ref{fx.put(traps), fx.put(strong), fx.put(weak)}, TopK: 5})
	if !slices.Equal(out.Counts, []int{0, 0, 2}) || len(out.Rejected) != 1 ||
		out.Rejected[0].Heuristic != fx.put(traps) {
		t.Errorf("assigned %+v", out)
	}
	for _, failure := range get[failures](fx, out.Failures).Owners[2] {
		if !equals(failure.Teacher[0].PHeuristic, 0.3) {
			t.Errorf("weak is shown %+v", failure)
		}
	}
	fx.ruled(traps, "-state 1: trap")
}

// A candidate that crashes on a state is out, and the others share the fault states as if it did not exist.
func TestAssignLeavesOutWhatFaults(t *testing.T) {
	fx := newFixture(t)
	s := fx.rollout()
	states := make([]int32, s.States)
	for i := range states {
		states[i] = int32(i)
	}
	f := fx.put(faultSet{Shards: []workflows.Shard{s}, Refine: [][]int32{states}, HeldOut: [][]int32{nil}})
	sound, faulty := fx.put(fx.entry("near", near)), fx.put(fx.entry("traps", traps))
	for name, tt := range map[string]struct {
		candidates []store.Ref
		counts     []int
		rejected   int
	}{
		"one of two": {[]store.Ref{faulty, sound}, []int{0, 3}, 1},
		"none":       {[]store.Ref{sound}, []int{3}, 0},
		"all":        {[]store.Ref{faulty}, []int{0}, 1},
	} {
		out, err := fx.Assign(t.Context(), workflows.AssignInput{Faults: f, Candidates: tt.candidates, TopK: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Rejected) != tt.rejected || tt.rejected == 1 &&
			(out.Rejected[0].Heuristic != faulty || !strings.Contains(out.Rejected[0].Reason, "trap")) {
			t.Errorf("%s: rejected %+v", name, out.Rejected)
		}
		var shown failures
		if tt.rejected < len(tt.candidates) {
			if err := fx.Store.GetJSON(t.Context(), out.Failures, &shown); err != nil {
				t.Fatal(err)
			}
		}
		for m, want := range tt.counts {
			if out.Counts[m] != want || len(shown.Owners) > 0 && len(shown.Owners[m]) != want {
				t.Errorf("%s: counts %v, want %v", name, out.Counts, tt.counts)
			}
		}
	}
}

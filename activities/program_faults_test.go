package activities

import (
	"errors"
	"strings"
	"testing"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/teachers"
	"github.com/epb-nco/epb/workflows"
)

// put stores a value.
func (b *bench) put(v any) store.Ref {
	b.t.Helper()
	ref, err := b.Store.PutJSON(b.t.Context(), v)
	if err != nil {
		b.t.Fatal(err)
	}
	return ref
}

// entry returns a program as an entry of a bank.
func (b *bench) entry(name, source string) bank.Heuristic {
	b.t.Helper()
	h, err := bank.New(name, source, bank.Lineage{Origin: "hand"})
	if err != nil {
		b.t.Fatal(err)
	}
	h.TauH = 0.1
	return h
}

// rollout returns a shard of the teacher that ships with EPB.
func (b *bench) rollout() workflows.Shard {
	b.t.Helper()
	ref, err := b.Store.Put(b.t.Context(), teachers.POMOTSP20)
	if err != nil {
		b.t.Fatal(err)
	}
	s, err := b.Rollout(b.t.Context(), workflows.RolloutTask{Split: "train", Problem: routing.TSP, NamedTeacher: workflows.NamedTeacher{Teacher: ref, Name: "pomo_tsp20.pt"}, Nodes: 20, Count: 2, Starts: 1, Seed: 1})
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// A candidate that faults on a state is out; the others share the states among them as if it had never been.
func TestAssignLeavesOutWhatFaults(t *testing.T) {
	b := newBench(t)
	s := b.rollout()
	states := make([]int32, s.States)
	for i := range states {
		states[i] = int32(i)
	}
	f := b.put(faultSet{Shards: []workflows.Shard{s}, Refine: [][]int32{states}, HeldOut: [][]int32{nil}})
	sound, faulty := b.put(b.entry("near", near)), b.put(b.entry("traps", traps))
	for name, tt := range map[string]struct {
		candidates []store.Ref
		counts     []int
		rejected   int
	}{
		"one of two": {[]store.Ref{faulty, sound}, []int{0, 3}, 1},
		"none":       {[]store.Ref{sound}, []int{3}, 0},
		"all":        {[]store.Ref{faulty}, []int{0}, 1},
	} {
		out, err := b.Assign(t.Context(), workflows.AssignInput{Faults: f, Candidates: tt.candidates, TopK: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Rejected) != tt.rejected || tt.rejected == 1 && (out.Rejected[0].Heuristic != faulty || !strings.Contains(out.Rejected[0].Reason, "trap")) {
			t.Errorf("%s: rejected %+v", name, out.Rejected)
		}
		var shown failures
		if tt.rejected < len(tt.candidates) {
			if err := b.Store.GetJSON(t.Context(), out.Failures, &shown); err != nil {
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

// Elsewhere a fault ends the activity with the program's name and the state: it would come again at every retry.
func TestFaultsOfABankAreFinal(t *testing.T) {
	b := newBench(t)
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	b.Register(workflows.Workers{Compute: env, LLM: env})
	_, err := env.ExecuteActivity(workflows.Score.Name(), workflows.ScoreInput{
		Bank: b.put(bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, Heuristics: []bank.Heuristic{b.entry("traps", traps)}}), Shards: []workflows.Shard{b.rollout()},
	})
	var app *temporal.ApplicationError
	if !errors.As(err, &app) || app.Type() != workflows.ErrCrash || !app.NonRetryable() || !strings.Contains(app.Message(), "heuristic traps, state 0: ") {
		t.Errorf("error %v, want a final one of type %s that names the program and the state", err, workflows.ErrCrash)
	}
	var name, text string
	if err := app.Details(&name, &text); err != nil || name != "traps" || !strings.Contains(text, "state 0: ") {
		t.Errorf("details %q, %q (%v), want the program and its fault", name, text, err)
	}
}

// A program that faults leaves the bank, and the log says why.
func TestExpel(t *testing.T) {
	b := newBench(t)
	near, far, high := b.scoring("near", byNear, 0.1), b.scoring("far", byFar, 0.2), b.scoring("high", byHeight, 0.3)
	model := b.even(near, far, high)
	out := perform(b, b.Expel, workflows.ExpelInput{Model: model, Name: "far", Reason: "state 3: trap", Moment: workflows.Moment{Pass: 1, Epoch: 4}})
	left := get[bank.Bank](b, out.Model.Bank)
	if len(left.Heuristics) != 2 || left.Heuristics[0].Name != "near" || left.Heuristics[1].Name != "high" || out.Model.Size != 2 || out.Model.Revision != model.Revision+1 {
		t.Errorf("%+v with %+v is left", out.Model, left.Heuristics)
	}
	if e := out.Events; len(e) != 1 || e[0].Kind != workflows.EventDrop || e[0].Name != "far" || e[0].Epoch != 4 || !strings.Contains(e[0].Detail, "state 3: trap") {
		t.Errorf("events %+v", out.Events)
	}
	b.ruled(far, "-state 3: trap")
	if _, err := b.Expel(t.Context(), workflows.ExpelInput{Model: out.Model, Name: "far"}); err == nil || !strings.Contains(err.Error(), "far is not in the bank") {
		t.Errorf("a second time: %v", err)
	}
}

package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// A program that has lost a term is found by its description, described by its code alone, and put back into the bank
// with the new description. The code, τ_h and the student stay.
func TestAProgramThatLostATermIsDescribedAnew(t *testing.T) {
	fx := newFixture(t)
	near, far := fx.scoring("near", byNear, 0.1), fx.scoring("far", byFar, 0.2)
	stale, err := far.Describe("Score prefers the far end and what is left behind. " +
		"No longer counted: what is left behind.")
	if err != nil {
		t.Fatal(err)
	}
	model := fx.even(near, stale)
	outdated := perform(fx, fx.Outdated, workflows.OutdatedInput{Bank: model.Bank})
	if len(outdated.Programs) != 1 || outdated.Programs[0].Name != "far" {
		t.Fatalf("outdated: %+v, want far", outdated)
	}
	s := &server{Steps: []handler{says("<description>Score prefers the far end.</description>")}}
	fx.asks(s)
	c := perform(fx, fx.Describe, workflows.DescribeInput{
		LLMAccess: workflows.LLMAccess{LLM: fx.in.LLM}, Heuristic: outdated.Programs[0].Heuristic, Bank: model.Bank,
	})
	if p := s.Prompts[0]; strings.Contains(p, "left behind") || !strings.Contains(p, "score[k] = "+byFar) {
		t.Errorf("the prompt shows the old description, or not the code:\n%s", p)
	}
	out := perform(fx, fx.Redescribe, workflows.RedescribeInput{
		Model: model, Heuristics: []store.Ref{c.Heuristic},
	})
	got := get[bank.Bank](fx, out.Bank).Heuristics
	if len(got) != 2 || got[0].Source != near.Source || got[1].Description != "Score prefers the far end." ||
		journal.CodeOf(got[1]) != journal.CodeOf(far) || got[1].TauH != far.TauH {
		t.Errorf("bank %+v", got)
	}
	if want := model; out.Revision != want.Revision || out.Student != want.Student || out.Size != want.Size {
		t.Errorf("model %+v, want that of %+v with another bank", out, model)
	}
	j := journal.Of(fx.Store.Store, "default-test-workflow-id")
	replies, err := j.Replies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	judged, err := j.Judged(t.Context(), replies)
	if err != nil || len(judged) != 1 || judged[0].Verdict() != "far kept: described anew" {
		t.Errorf("the journal says %+v (%v), want that the description was kept", judged, err)
	}
	if left := perform(fx, fx.Outdated, workflows.OutdatedInput{Bank: out.Bank}); len(left.Programs) != 0 {
		t.Errorf("still outdated: %+v", left)
	}
	without := fx.even(near)
	_, err = fx.Redescribe(t.Context(), workflows.RedescribeInput{Model: without, Heuristics: []store.Ref{c.Heuristic}})
	if err == nil || !strings.Contains(err.Error(), "far is not in the bank") {
		t.Errorf("a program of another bank: %v", err)
	}
}

package bank_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// TestAllowed: a refusal names the program, what decides, and what to write instead.
func TestAllowed(t *testing.T) {
	b, err := bank.Builtin("tsp-planners")
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range b.Heuristics {
		if h.Name != "uncrossed_chain" {
			continue
		}
		err := b.Heuristics[i].Allowed([]sdk.Class{sdk.ClassLocal})
		var refused *heuristic.Error
		if !errors.As(err, &refused) || refused.Stage != heuristic.StageCheck || refused.Line == 0 {
			t.Fatalf("%v, want a refusal at check with its line", err)
		}
		for _, want := range []string{"NearestPath drafts the rest", "class plan", "allows local:", "one step past"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q lacks %q", err, want)
			}
		}
		if err := h.Allowed(nil); err != nil {
			t.Errorf("all classes: %v", err)
		}
	}
	err = b.Allowed([]sdk.Class{sdk.ClassLocal, sdk.ClassLookahead})
	if err == nil || !strings.Contains(err.Error(), "uncrossed_chain (plan)") ||
		strings.Contains(err.Error(), "two_step_closure") || strings.Contains(err.Error(), "outlier_chain") {
		t.Errorf("%v, want the names of planners alone", err)
	}
	if err := b.Allowed(nil); err != nil {
		t.Errorf("all classes: %v", err)
	}
}

// TestNature: a program's short body does not hide the SDK's.
func TestNature(t *testing.T) {
	b, err := bank.Builtin("tsp-planners")
	if err != nil {
		t.Fatal(err)
	}
	all, err := b.Natures()
	if classes := all.Classes(); err != nil || classes != "4 local, 2 lookahead, 6 plan" {
		t.Errorf("%q (%v)", classes, err)
	}
	for _, h := range b.Heuristics {
		n, err := h.Nature()
		if err != nil {
			t.Fatal(err)
		}
		if h.Name == "insertion_plan" && (n.Class != sdk.ClassPlan || n.Lines < 70 || n.Cost != "O(K²)") {
			t.Errorf("insertion_plan: %+v", n)
		}
		if (n.Why == "") != (n.Class == sdk.ClassLocal) {
			t.Errorf("%s is %s because of %q", h.Name, n.Class, n.Why)
		}
	}
}

package bank_test

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
)

// A program that two banks share joins once, another one of the same name under a name of its own, with its τ_h.
func TestUnion(t *testing.T) {
	of := func(hs ...bank.Heuristic) *bank.Bank {
		for i := range hs {
			hs[i].TauH = 0.1 * float64(1+i)
		}
		return &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, Heuristics: hs}
	}
	a := of(mustNew(t, "near", "-1"), mustNew(t, "far", "1"))
	b := of(mustNew(t, "other", "-1"), mustNew(t, "far", "3"), mustNew(t, "high", "2"))
	got, err := bank.Union(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"near", "far", "far_2", "high"}; !slices.Equal(got.Names(), want) {
		t.Errorf("programs %v, want %v", got.Names(), want)
	}
	if tau := got.Heuristics[2].TauH; tau != 0.2 {
		t.Errorf("far_2 has the τ_h %v, want that of its bank, 0.2", tau)
	}
	if len(a.Heuristics) != 2 {
		t.Error("the first bank has changed")
	}
	b.Setting.Problem = routing.CVRP
	if _, err := bank.Union(a, b); err == nil {
		t.Error("banks of two problems are one")
	}
}

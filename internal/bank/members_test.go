package bank_test

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
)

// A bank that has grown, shrunk or changed its order knows where each heuristic was before.
func TestOrigins(t *testing.T) {
	named := func(names ...string) *bank.Bank {
		b := &bank.Bank{}
		for _, name := range names {
			b.Heuristics = append(b.Heuristics, bank.Heuristic{Name: name})
		}
		return b
	}
	old := named("near", "far", "high")
	for _, tt := range []struct {
		now  *bank.Bank
		want []int
	}{
		{old, []int{0, 1, 2}},
		{named("near", "high"), []int{0, 2}},
		{named("high", "new", "near"), []int{2, -1, 0}},
		{named(), []int{}},
	} {
		if got := tt.now.Origins(old); !slices.Equal(got, tt.want) {
			t.Errorf("%v comes from %v, want %v", tt.now.Names(), got, tt.want)
		}
	}
}

func TestModels(t *testing.T) {
	var hs []bank.Heuristic
	for _, model := range []string{"", "m-2026", "stand-in", "m-2026", ""} {
		hs = append(hs, bank.Heuristic{Lineage: bank.Lineage{LLM: model}})
	}
	if got := bank.Models(hs); !slices.Equal(got, []string{"m-2026", "stand-in"}) {
		t.Errorf("models %v, want m-2026 and stand-in", got)
	}
}

// With leaves the bank that it is asked of as it was, and refuses the same program under another name.
func TestWith(t *testing.T) {
	near := mustNew(t, "near", "-1")
	b := &bank.Bank{
		Setting:    bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: append(make([]bank.Heuristic, 0, 9), near), // with room for more
	}
	far, err := b.With(mustNew(t, "far", "1"))
	if err != nil {
		t.Fatal(err)
	}
	high, err := b.With(mustNew(t, "high", "2"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		b    *bank.Bank
		want []string
	}{{b, []string{"near"}}, {far, []string{"near", "far"}}, {high, []string{"near", "high"}}} {
		if got := tt.b.Names(); !slices.Equal(got, tt.want) {
			t.Errorf("the bank is %v, want %v", got, tt.want)
		}
	}
	if _, err := b.With(mustNew(t, "twin", "-1")); err == nil {
		t.Error("the same program has joined under another name")
	}
}

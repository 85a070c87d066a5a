package ledger_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/llm/ledger"
)

var prices = ledger.Prices{"m": {Input: 1.25, Output: 10}}

func TestCallPrices(t *testing.T) {
	for _, tt := range []struct {
		model         string
		input, output int
		want          int64
	}{
		{"m", 1_000_000, 0, 1_250_000},
		{"m", 0, 1_000_000, 10_000_000},
		{"m", 1, 0, 2}, // rounded up
		{"m", 4000, 500, 10_000},
		{"unknown", 4000, 500, 0},
	} {
		s := prices.Call(tt.model, tt.input, tt.output)
		if s.MicroUSD != tt.want || s.Calls != 1 || s.Tokens() != tt.input+tt.output {
			t.Errorf("%s, %d in, %d out: %+v, want %d µUSD", tt.model, tt.input, tt.output, s, tt.want)
		}
	}
}

func TestReserve(t *testing.T) {
	for name, tt := range map[string]struct {
		budget *ledger.Budget
		fits   bool
	}{
		"no limit":          {nil, true},
		"enough of all":     {ledger.New(1, 1101, 0.01126), true},
		"no call left":      {ledger.New(1, 0, 0).Minus(ledger.Spend{Calls: 1}), false},
		"a token short":     {ledger.New(0, 1100, 0), false},
		"a cent short":      {ledger.New(0, 0, 0.001), false},
		"half is too small": {ledger.New(0, 2000, 0).Share(2), false},
		"half is enough":    {ledger.New(0, 2202, 0).Share(2), true},
	} {
		err := ledger.Open(tt.budget, prices).Reserve("m", 200, 1000) // 101 tokens in, 1000 out
		var exceeded *ledger.Exceeded
		named := errors.As(err, &exceeded) && strings.Contains(err.Error(), "left")
		if tt.fits != (err == nil) || err != nil && !named {
			t.Errorf("%s: %v, fits %v", name, err, tt.fits)
		}
	}
}

// However a budget is divided among callers, at the same time or in turn, what they take never breaks it.
func TestSharesNeverBreakTheBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		whole := ledger.New(1+rng.IntN(50), 1+rng.IntN(200_000), 0.001+rng.Float64())
		var total ledger.Spend
		for range 5 { // rounds one after another, each of n callers at once
			n := 1 + rng.IntN(6)
			share := whole.Minus(total).Share(n)
			for range n {
				l := ledger.Open(share, prices)
				for prompt := rng.IntN(4000); l.Reserve("m", 2*prompt, 2000) == nil; prompt = rng.IntN(4000) {
					l.Settle(prices.Call("m", prompt, rng.IntN(2001)))
				}
				total = total.Plus(l.Spent())
			}
		}
		if !whole.Allows(total) {
			t.Fatalf("spent %v of %+v", total, *whole)
		}
	}
}

func TestFits(t *testing.T) {
	worst := ledger.Spend{Calls: 2, Input: 300, MicroUSD: 10}
	for _, tt := range []struct {
		budget *ledger.Budget
		want   int
	}{
		{nil, 5},
		{ledger.New(0, 1500, 0), 5},
		{ledger.New(0, 1499, 0), 4},
		{ledger.New(7, 1500, 0), 3},
		{ledger.New(7, 1500, 2e-5), 2},
		{ledger.New(1, 0, 0), 1}, // the one that asks learns that nothing is left
	} {
		if got := tt.budget.Fits(worst, 5); got != tt.want {
			t.Errorf("%+v fits %d callers of %v, want %d", tt.budget, got, worst, tt.want)
		}
	}
}

func TestEmpty(t *testing.T) {
	var none *ledger.Budget
	if none.Empty() || none.Minus(ledger.Spend{Calls: 9}) != nil || none.Share(3) != nil ||
		!none.Allows(ledger.Spend{Calls: 1 << 40}) {
		t.Error("no limits, yet there is one")
	}
	b := ledger.New(3, 0, 0)
	if b.Minus(ledger.Spend{Calls: 2, Input: 1 << 40}).Empty() || !b.Minus(ledger.Spend{Calls: 4}).Empty() {
		t.Error("three calls are used up by the third and no earlier")
	}
}

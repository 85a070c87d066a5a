package bank_test

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// TestPackages: the bank that an SDK package names comes with EPB and is written for it, and every problem has a
// package.
func TestPackages(t *testing.T) {
	for _, p := range sdk.Packages {
		b, err := bank.Builtin(p.Bank)
		if err != nil {
			t.Errorf("SDK package %s: %v", p.Name, err)
			continue
		}
		if b.SDK() != p.Name || b.ViaDepot() != p.ViaDepot {
			t.Errorf("bank %s is for %s, SDK package %s names it", p.Bank, b.SDK(), p.Name)
		}
		problem, err := problems.Of(p.Problem)
		if err != nil {
			t.Errorf("SDK package %s: %v", p.Name, err)
		} else if p.ViaDepot && !problem.Traits().Depot {
			t.Errorf("SDK package %s decides by way of a depot, which %s has not", p.Name, p.Problem)
		}
	}
	for _, problem := range problems.All() {
		if _, err := sdk.Deciding(problem.Name(), false); err != nil {
			t.Error(err)
		}
	}
}

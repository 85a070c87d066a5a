package prompts_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/prompts"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// budgets are the most bytes that the sample prompt of a task may have, for the TSP with 20 cities and local programs.
var budgets = map[string]int{
	"backward code": 6000, "again": 6200, "step": 13200, "repair": 4700, "describe": 1600, "backward description": 4500,
	"step description": 4600, "implement": 6400, "propose": 27000, "propose first": 22600,
}

// The prompts stay short, and a proposal is asked for as in a run: each fault names the program that comes closest.
func TestPromptsStayShort(t *testing.T) {
	compiletest.Toolchain(t)
	b, err := bank.Builtin("tsp-local")
	if err != nil {
		t.Fatal(err)
	}
	sh, err := prompts.States(t.Context(), b, 20)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.BankAllow = config.Classes{sdk.ClassLocal}
	requests, err := prompts.Sample(t.Context(), cfg, b, sh)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		n := len(r.System) + len(r.User)
		t.Logf("%s: %d + %d = %d bytes", r.Name, len(r.System), len(r.User), n)
		if most := budgets[r.Name]; n > most {
			t.Errorf("%s: %d bytes, want at most %d", r.Name, n, most)
		}
		if strings.Contains(r.System+r.User, "\n\n\n") {
			t.Errorf("%s has a gap", r.Name)
		}
		faults := strings.Count(r.User, ": "+b.Heuristics[0].Name+" comes closest\n")
		if wants := r.Name == "propose"; (faults == textgrad.ProposedFailures) != wants {
			t.Errorf("%s shows %d faults of the first program as a run does", r.Name, faults)
		}
	}
}

package input_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/wasm-heuristics/banks"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

func check(t *testing.T, bank string, fetch input.Fetch) (*input.Checked, error) {
	t.Helper()
	tools, err := compile.Find()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	cfg := config.Default()
	cfg.Bank = bank
	return input.Check(t.Context(), cfg, tools, fetch)
}

// TestSeeds: a run starts from a bank that ships with EPB or from one in the store, as another run leaves it.
func TestSeeds(t *testing.T) {
	c, err := check(t, "builtin:pomo-tsp50", nil)
	if err != nil || len(c.Bank.Heuristics) != 14 {
		t.Errorf("gallery bank: %v", err)
	}
	want, err := banks.Builtin("tsp-starter")
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var asked string
	fetch := func(_ context.Context, address string) ([]byte, error) {
		asked = address
		return data, nil
	}
	c, err = check(t, input.Stored("run:tsp20-1", "hash/7"), fetch)
	if err != nil || len(c.Bank.Heuristics) != len(want.Heuristics) || asked != "hash/7" {
		t.Errorf("stored bank: %v, asked for %q", err, asked)
	}
}

func TestEmptyBank(t *testing.T) {
	c, err := check(t, config.EmptyBank, nil)
	if err != nil || len(c.Bank.Heuristics) != 0 || c.Bank.SDK() != "tsp" {
		t.Errorf("%v: %+v", err, c)
	}
}

func TestSeedsRefused(t *testing.T) {
	for bank, want := range map[string]string{
		"builtin:pomo-tsp51": "builtin:pomo-tsp50",
		"run:tsp20-1":        "only be named by epb start",
		"absent":             "load bank absent",
	} {
		if _, err := check(t, bank, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", bank, err, want)
		}
	}
}

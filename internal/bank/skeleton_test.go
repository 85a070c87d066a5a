package bank_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
)

func TestSkeleton(t *testing.T) {
	for _, problem := range []routing.Problem{routing.TSP, routing.CVRP} {
		for _, view := range []routing.View{routing.Full, routing.Subgraph} {
			h, err := bank.Skeleton("h00_mine", bank.Setting{Problem: problem, View: view})
			if err != nil {
				t.Errorf("%s, %s: %v", problem, view, err)
			}
			if !strings.Contains(h.Source, "K = 1") || !strings.HasPrefix(h.Description, "Score prefers") {
				t.Errorf("%s, %s:\n%s", problem, view, h.Source)
			}
		}
	}
}

func TestSkeletonRefuses(t *testing.T) {
	for _, c := range []struct {
		of   bank.Setting
		want string
	}{
		{bank.Setting{Problem: "tps", View: routing.Full}, `problem "tps", want tsp`},
		{bank.Setting{Problem: routing.TSP, View: "half"}, `view "half", want full`},
	} {
		_, want := c.of.Package()
		if _, err := bank.Skeleton("h00_mine", c.of); err == nil || err.Error() != want.Error() ||
			!strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v: %v, want %v, which begins with %s", c.of, err, want, c.want)
		}
	}
}

func TestAppend(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	for _, name := range []string{"first", "second"} {
		h, err := bank.Skeleton(name, bank.Setting{Problem: routing.TSP, View: routing.Full})
		if err != nil {
			t.Fatal(err)
		}
		if err := bank.Append(dir, h, bank.Setting{Problem: routing.TSP, View: routing.Full}); err != nil {
			t.Fatal(err)
		}
		if err := bank.Append(dir, h, bank.Setting{Problem: routing.TSP, View: routing.Full}); err == nil ||
			!strings.Contains(err.Error(), "it has a program of this name") {
			t.Errorf("%s again: %v", name, err)
		}
	}
	b, err := bank.Load(dir)
	if err != nil || len(b.Heuristics) != 2 || b.Heuristics[1].Name != "second" {
		t.Errorf("%v: %+v", err, b)
	}
}

// TestAppendToFitted: training fits the τ_h of a program that is added to a bank with a common τ_h, and no other.
func TestAppendToFitted(t *testing.T) {
	dir, of := t.TempDir(), bank.Setting{Problem: routing.TSP, View: routing.Full}
	near, far, wide := mustNew(t, "near", "-1"), mustNew(t, "far", "1"), mustNew(t, "wide", "2")
	near.TauH, far.TauH, wide.TauH = 0.5, 0.5, 0.25
	before := bank.Bank{Setting: of, Heuristics: []bank.Heuristic{near, far, wide}}
	if err := before.Save(dir); err != nil {
		t.Fatal(err)
	}
	added, err := bank.Skeleton("added", of)
	if err != nil {
		t.Fatal(err)
	}
	if err := bank.Append(dir, added, of); err != nil {
		t.Fatal(err)
	}
	after, err := bank.Load(dir)
	if err != nil || len(after.Heuristics) != 4 {
		t.Fatalf("%+v, %v", after, err)
	}
	for i, h := range after.Heuristics {
		if i < 3 && (h.TauH != before.Heuristics[i].TauH || h.Unfitted) || i == 3 && !h.Unfitted {
			t.Errorf("%s: τ_h %v, unfitted %v", h.Name, h.TauH, h.Unfitted)
		}
	}
}

// TestAppendLeavesTheRest: bank.json keeps what it shares with a bank beside it, and a folder nobody lists is not
// overwritten.
func TestAppendLeavesTheRest(t *testing.T) {
	root := t.TempDir()
	if err := bank.Append(filepath.Join(root, "one"), mustNew(t, "near", "-1"),
		bank.Setting{Problem: routing.TSP, View: routing.Full}); err != nil {
		t.Fatal(err)
	}
	two := filepath.Join(root, "two")
	if err := os.MkdirAll(filepath.Join(two, "draft"), 0o755); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(two, "bank.json")
	shared := `{"problem": "tsp", "view": "full", "heuristics": [{"name": "near", "from": "one/near"}]}`
	if err := os.WriteFile(manifest, []byte(shared), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := bank.Append(two, mustNew(t, "far", "1"),
		bank.Setting{Problem: routing.TSP, View: routing.Full}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(manifest)
	if err != nil || !strings.Contains(string(data), `"one/near"`) {
		t.Errorf("%v: bank.json is now\n%s", err, data)
	}
	err = bank.Append(two, mustNew(t, "draft", "2"), bank.Setting{Problem: routing.TSP, View: routing.Full})
	if err == nil || !strings.Contains(err.Error(), "already a folder draft") {
		t.Errorf("got %v", err)
	}
}

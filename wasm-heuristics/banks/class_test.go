package banks_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

var update = flag.Bool("update", false, "write testdata/classes.txt and categories.txt anew")

// TestClasses: each program of each bank has the class and the cost that testdata/classes.txt says, decided by the
// SDK function that it names. After a change that is meant, run the test with -update and read the difference.
func TestClasses(t *testing.T) {
	var got strings.Builder
	for _, name := range bank.BuiltinNames() {
		b, err := bank.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range b.Heuristics {
			c, err := heuristic.Check(h.Source)
			if err != nil {
				t.Fatal(err)
			}
			v, by := analysis.Judge(c), ""
			if v.Function != "" {
				by = "\tby " + v.Function
			}
			fmt.Fprintf(&got, "%s/%s\t%s\t%s%s\n", name, h.Name, v.Class, analysis.Cost(c), by)
		}
	}
	const golden = "../testdata/classes.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("classes differ from %s:\n%s", golden, got.String())
	}
}

package features_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/features"
)

var update = flag.Bool("update", false, "write testdata/*.txt anew: students fitted before can then no longer be read")

// TestOrderStays: a saved router knows a feature by its place alone. With another order it would be read without an
// error, as a router that trusts programs for other reasons.
func TestOrderStays(t *testing.T) {
	for _, of := range settings(t) {
		var text strings.Builder
		list := func(kind string, all []features.Feature) {
			for i, f := range all {
				fmt.Fprintf(&text, "%s %d %s\n", kind, i, f.Name)
			}
		}
		list("node", of.set.Node)
		list("state", of.set.State)
		file := filepath.Join("testdata", string(of.problem)+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if text.String() != string(want) {
			t.Errorf("%s: the features are not those of %s: what students were fitted to has moved", of.problem, file)
		}
	}
}

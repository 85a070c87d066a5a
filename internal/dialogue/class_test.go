package dialogue

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// TestGateRefusesClasses: a reply whose program is of a class that the run does not allow is refused before it is
// compiled, with an error that goes back to the writer.
func TestGateRefusesClasses(t *testing.T) {
	b, err := bank.Builtin("tsp-planners")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range b.Heuristics {
		if h.Name != "insertion_plan" {
			continue
		}
		d := Draft{Setting: b.Setting, Name: h.Name, source: h.Source, allow: []sdk.Class{sdk.ClassLocal}}
		_, err := d.check(t.Context(), nil)
		if err == nil || !IsProgramError(err) || !strings.Contains(err.Error(), "class plan") {
			t.Errorf("%v, want a refusal that names the class", err)
		}
	}
}

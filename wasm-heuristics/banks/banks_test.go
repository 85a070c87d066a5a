package banks_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

func TestEmbeddedBanks(t *testing.T) {
	programs := map[string]string{}
	for _, name := range bank.BuiltinNames() {
		b, err := bank.Builtin(name)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		folder, err := bank.Load(name)
		if err != nil || !reflect.DeepEqual(b, folder) {
			t.Errorf("bank %s: the folder differs from what is embedded (%v)", name, err)
		}
		for _, h := range b.Heuristics {
			if id, ok := programs[h.Name]; ok && id != h.ID() {
				t.Errorf("bank %s: another bank has another program called %s", name, h.Name)
			}
			programs[h.Name] = h.ID()
			if native[h.Name] == nil && nativeCVRP[h.Name] == nil && nativeSubCVRP[h.Name] == nil {
				t.Errorf("bank %s: heuristic %s is missing among the native programs", name, h.Name)
			}
			if !strings.HasPrefix(h.Description, "Score ") || !strings.HasSuffix(h.Description, ".") {
				t.Errorf("bank %s: heuristic %s: a description is sentences that begin with Score, got %q",
					name, h.Name, h.Description)
			}
			src, err := source.Formatted(h.Source)
			if err != nil || src != h.Source {
				t.Errorf("bank %s: heuristic %s is not normalised (%v)", name, h.Name, err)
			}
		}
	}
}

func TestBuiltinNamesWhatThereIs(t *testing.T) {
	if _, err := bank.Builtin("tsp-startr"); err == nil || !strings.Contains(err.Error(), "tsp-starter") {
		t.Errorf("got %v, want the names of the embedded banks", err)
	}
}

package bank_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
)

// TestLongTokens: an error quotes the beginning of what a bank.json says, however long that is.
func TestLongTokens(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, text := range []string{
		`{"` + long + `": 1}`, `{"problem": "` + long +
			`", "view": "full", "heuristics": []}`, `{"problem": "tsp", "view": "` + long + `"}`,
		`{"problem": "tsp", "view": "full", "heuristics": [{"name": "` + long + `"}]}`, `{"heuristics": "` + long +
			`"}`,
		`{"problem": "tsp", "view": "full", "heuristics": [{"name": "near", "from": "` + long + `"}]}`, long,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "bank.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := bank.Load(dir); err == nil || len(err.Error()) > 1000 {
			n := 0
			if err != nil {
				n = len(err.Error())
			}
			t.Errorf("%.60q: an error of %d bytes", text, n)
		}
	}
}

package compile

import (
	"go/format"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// TestGuestMains: the main package of each SDK package is formatted by gofmt and contains a State of that package.
func TestGuestMains(t *testing.T) {
	for _, p := range sdk.Packages {
		main := guestMain(p.Name)
		formatted, err := format.Source([]byte(main))
		if err != nil || string(formatted) != main {
			t.Errorf("%s: %v\n%s", p.Name, err, main)
		}
		if !strings.Contains(main, "state *"+p.Name+".State\n") || strings.Contains(main, "{{") {
			t.Errorf("%s: the main holds no State of it:\n%s", p.Name, main)
		}
	}
}

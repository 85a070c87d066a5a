package bank

import (
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Category returns the program's category, by what its scores depend on (see compile.Checked.Flows). What a program
// works out by itself, without asking its State, does not count. The error is that of compile.Check.
func (h Heuristic) Category() (sdk.Category, error) {
	c, err := compile.Check(h.Source)
	if err != nil {
		return "", err
	}
	flows := c.Flows()
	return sdk.CategoryOf(func(sign string) bool { return slices.Contains(flows, sign) }), nil
}

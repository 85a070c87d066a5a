package bank

import (
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Category returns the program's category, by what its scores depend on (see analysis.Flows). What a program
// works out by itself, without asking its State, does not count. The error is that of heuristic.Check.
func (h Heuristic) Category() (sdk.Category, error) {
	c, err := heuristic.Check(h.Source)
	if err != nil {
		return "", err
	}
	flows := analysis.Flows(c)
	return sdk.CategoryOf(func(sign string) bool { return slices.Contains(flows, sign) }), nil
}

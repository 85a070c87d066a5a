package rewrite

import (
	"fmt"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// SetWeights returns a source with other values of its weights, in the order of Weights. A value is rounded to two
// significant digits and limited to the range of its weight. Nothing else changes but the layout, which is gofmt's.
func SetWeights(src string, values []float64) (string, error) {
	c, err := heuristic.Check(src)
	if err != nil {
		return "", err
	}
	weights := c.Occurrences()
	if len(values) != len(weights) {
		return "", fmt.Errorf("set weights: %d values for a program with %d weights", len(values), len(weights))
	}
	var edits source.Edits
	for i, w := range weights {
		v := values[i]
		if v-v != 0 {
			return "", fmt.Errorf("set weights: %v for %s is no finite number", v, w.Name)
		}
		if v = min(w.Max, max(w.Min, heuristic.Round(v))); !heuristic.Learnable(v) {
			v = 0 // below the smallest size
		}
		edits = append(edits, c.Unit.Replace(w.Number, heuristic.Literal(v)))
	}
	out, err := source.Formatted(edits.Apply(c.Unit.Text))
	if err != nil {
		return "", fmt.Errorf("set weights: %w", err)
	}
	if _, err := heuristic.Check(out); err != nil {
		return "", fmt.Errorf("set weights: %w", err)
	}
	return out, nil
}

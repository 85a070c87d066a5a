package bank

import (
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
)

// Weights returns the weights of the program, in the order of its source. The error is that of heuristic.Check.
func (h Heuristic) Weights() ([]heuristic.Weight, error) {
	c, err := heuristic.Check(h.Source)
	if err != nil {
		return nil, err
	}
	return c.Weights(), nil
}

// Weights returns the weights of every program that has any, by its name. The error is that of heuristic.Check.
func (b *Bank) Weights() (map[string][]heuristic.Weight, error) {
	weights := map[string][]heuristic.Weight{}
	for _, h := range b.Heuristics {
		ws, err := h.Weights()
		if err != nil {
			return nil, err
		}
		if len(ws) > 0 {
			weights[h.Name] = ws
		}
	}
	return weights, nil
}

// Formula returns the program's score in the words of the SDK, "" where it is no weighted sum (see rewrite.Formula).
// The error is that of heuristic.Check.
func (h Heuristic) Formula() (string, error) {
	c, err := heuristic.Check(h.Source)
	if err != nil {
		return "", err
	}
	return rewrite.Formula(c), nil
}

// Formulas returns the formula of every program that has one, by its name. The error is that of heuristic.Check.
func (b *Bank) Formulas() (map[string]string, error) {
	formulas := map[string]string{}
	for _, h := range b.Heuristics {
		formula, err := h.Formula()
		if err != nil {
			return nil, err
		}
		if formula != "" {
			formulas[h.Name] = formula
		}
	}
	return formulas, nil
}

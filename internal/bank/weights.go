package bank

import "github.com/epb-nco/epb/wasm-heuristics/compile"

// Weights returns the weights of the program, in the order of its source. The error is that of compile.Check.
func (h Heuristic) Weights() ([]compile.Weight, error) {
	c, err := compile.Check(h.Source)
	if err != nil {
		return nil, err
	}
	return c.Weights(), nil
}

// Weights returns the weights of every program that has any, by its name. The error is that of compile.Check.
func (b *Bank) Weights() (map[string][]compile.Weight, error) {
	weights := map[string][]compile.Weight{}
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

// Formula returns the program's score in the words of the SDK, "" where it is no weighted sum (see compile.Checked).
// The error is that of compile.Check.
func (h Heuristic) Formula() (string, error) {
	c, err := compile.Check(h.Source)
	if err != nil {
		return "", err
	}
	return c.Formula(), nil
}

// Formulas returns the formula of every program that has one, by its name. The error is that of compile.Check.
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

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

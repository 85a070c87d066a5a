package bank

import (
	"fmt"
)

// Union returns the programs of several banks of one setting as one bank, in order. A program that an earlier bank has
// too, under any name, joins once, with the τ_h that it has there. One whose name is taken by another program gets a
// number: "isolation" becomes "isolation_2".
func Union(banks ...*Bank) (*Bank, error) {
	out := &Bank{Setting: banks[0].Setting}
	have := map[string]bool{} // by body
	for _, b := range banks {
		if b.Setting != out.Setting {
			return nil, fmt.Errorf("one bank is for %s with the %s view, another for %s with the %s view",
				out.Problem, out.View, b.Problem, b.View)
		}
		for _, h := range b.Heuristics {
			if have[h.body()] {
				continue
			}
			have[h.body()] = true
			if name := FreeName(h.Name, out.Has); name != h.Name {
				renamed, err := New(name, h.Source, h.Lineage)
				if err != nil {
					return nil, err
				}
				renamed.TauH, renamed.Unfitted = h.TauH, h.Unfitted
				h = renamed
			}
			out.Heuristics = append(out.Heuristics, h)
		}
	}
	return out, out.Validate()
}

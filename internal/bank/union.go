package bank

import (
	"fmt"
	"slices"
	"strings"
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
			if name := out.free(h.Name); name != h.Name {
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

// free returns a name that the bank does not have: name, or name with a number.
func (b *Bank) free(name string) string {
	const room = 4 // for a number
	taken := b.Names()
	for n, free := 2, name; ; n++ {
		if !slices.Contains(taken, free) {
			return free
		}
		free = fmt.Sprintf("%s_%d", strings.TrimRight(name[:min(len(name), MaxName-room)], "_"), n)
	}
}

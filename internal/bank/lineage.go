package bank

import "fmt"

// String says in a few words where a heuristic comes from.
func (l Lineage) String() string {
	s := string(l.Origin)
	if l.LLM != "" {
		s += " by " + l.LLM
	}
	if l.Parent != "" {
		s += " from " + l.Parent[:min(8, len(l.Parent))]
	}
	if l.Origin == OriginTextGrad || l.Origin == OriginAdd {
		s += fmt.Sprintf(", pass %d, gain %.4f", l.Pass+1, l.Gain)
	}
	return s
}

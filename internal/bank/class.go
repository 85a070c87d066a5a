package bank

import (
	"fmt"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Nature is what the code of a program says of it, with all calls of the SDK unfolded (see package analysis).
type Nature struct {
	Class    sdk.Class `json:"class"`
	Why      string    `json:"why,omitempty"`      // what decides the class, empty where nothing raises it
	Cost     string    `json:"cost"`               // of scoring a state, such as "O(K²)"
	Nodes    int       `json:"nodes"`              // of the syntax tree
	Lines    int       `json:"lines"`              // that hold code
	Function string    `json:"function,omitempty"` // of the SDK that decides the class; empty where the program does
}

// Size says how much code the program runs: "81 lines, 520 nodes with what it calls".
func (n Nature) Size() string {
	return fmt.Sprintf("%d lines, %d nodes with what it calls", n.Lines, n.Nodes)
}

// String says it all in a few words: "plan, O(K²) a state, 81 lines, 520 nodes with what it calls".
func (n Nature) String() string { return fmt.Sprintf("%s, %s a state, %s", n.Class, n.Cost, n.Size()) }

// Natures is the nature of every program of a bank, by name.
type Natures map[string]Nature

// Natures returns those of the bank. The error is that of Nature, with the program's name.
func (b *Bank) Natures() (Natures, error) {
	all := Natures{}
	for _, h := range b.Heuristics {
		n, err := h.Nature()
		if err != nil {
			return nil, fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		all[h.Name] = n
	}
	return all, nil
}

// Classes counts the programs by class: "6 local, 2 lookahead, 4 plan".
func (all Natures) Classes() string {
	count := map[sdk.Class]int{}
	for _, n := range all {
		count[n.Class]++
	}
	var words []string
	for _, class := range sdk.Classes {
		if n := count[class]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, class))
		}
	}
	return strings.Join(words, ", ")
}

// Extent is the least and the most of the unfolded sizes and costs of a bank's programs.
type Extent struct {
	Lines [2]int    `json:"lines"`
	Nodes [2]int    `json:"nodes"`
	Cost  [2]string `json:"cost"`
}

// Extent returns that of the programs; without any it is empty.
func (all Natures) Extent() Extent {
	var e Extent
	for _, n := range all {
		if e == (Extent{}) {
			e = Extent{[2]int{n.Lines, n.Lines}, [2]int{n.Nodes, n.Nodes}, [2]string{n.Cost, n.Cost}}
		}
		e.Lines = [2]int{min(e.Lines[0], n.Lines), max(e.Lines[1], n.Lines)}
		e.Nodes = [2]int{min(e.Nodes[0], n.Nodes), max(e.Nodes[1], n.Nodes)}
		e.Cost = [2]string{min(e.Cost[0], n.Cost), max(e.Cost[1], n.Cost)} // as texts, powers of K are in their order
	}
	return e
}

// Nature returns the program's class, cost and unfolded size. The error is that of heuristic.Check.
func (h Heuristic) Nature() (Nature, error) {
	c, err := heuristic.Check(h.Source)
	if err != nil {
		return Nature{}, err
	}
	v := analysis.Judge(c)
	n := Nature{Class: v.Class, Cost: analysis.Cost(c), Function: v.Function}
	if v.Why != "" {
		n.Why = v.String()
	}
	n.Nodes, n.Lines = analysis.Unfolded(c)
	return n, nil
}

// Allowed returns an error if the program's class is not among those that are allowed; an empty list allows all. The
// error is a *heuristic.Error of stage check.
func (h Heuristic) Allowed(allow []sdk.Class) error {
	if len(allow) == 0 {
		return nil
	}
	c, err := heuristic.Check(h.Source)
	if err != nil {
		return err
	}
	return analysis.Allowed(c, allow)
}

// Allowed returns an error that names the programs whose class is not among those that are allowed.
func (b *Bank) Allowed(allow []sdk.Class) error {
	var refused []string
	outside := map[sdk.Class]bool{}
	for _, h := range b.Heuristics {
		n, err := h.Nature()
		if err != nil {
			return fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		if !sdk.Allows(allow, n.Class) {
			outside[n.Class] = true
			refused = append(refused, fmt.Sprintf("%s (%s)", h.Name, n.Class))
		}
	}
	if len(refused) == 0 {
		return nil
	}
	var enough []string
	for _, class := range sdk.Classes {
		if sdk.Allows(allow, class) || outside[class] {
			enough = append(enough, string(class))
		}
	}
	return fmt.Errorf("bank_allow is %v, which leaves out %s: take these programs out of the bank, or allow their "+
		"classes by bank_allow: [%s]", allow, strings.Join(refused, ", "), strings.Join(enough, ", "))
}

package bank

import (
	"fmt"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Nature is what the code of a program says of it, with all calls of the SDK unfolded (see compile.Checked).
type Nature struct {
	Class    sdk.Class `json:"class"`
	Why      string    `json:"why,omitempty"` // what decides the class, empty where nothing raises it
	Cost     string    `json:"cost"`          // of scoring a state, such as "O(K²)"
	Nodes    int       `json:"nodes"`         // of the syntax tree
	Lines    int       `json:"lines"`         // that hold code
	Function string    `json:"function,omitempty"`
}

// Nature returns the program's class, cost and unfolded size. The error is that of compile.Check.
func (h Heuristic) Nature() (Nature, error) {
	c, err := compile.Check(h.Source)
	if err != nil {
		return Nature{}, err
	}
	v := c.Verdict()
	n := Nature{Class: v.Class, Cost: c.Cost(), Function: v.Function}
	if v.Why != "" {
		n.Why = v.String()
	}
	n.Nodes, n.Lines = c.Unfolded()
	return n, nil
}

// Allowed returns an error if the program's class is not among those that are allowed; an empty list allows all. The
// error is a *compile.Error of stage check.
func (h Heuristic) Allowed(allow []sdk.Class) error {
	if len(allow) == 0 {
		return nil
	}
	c, err := compile.Check(h.Source)
	if err != nil {
		return err
	}
	return c.Allowed(allow)
}

// Allowed returns an error that names the programs whose class is not among those that are allowed.
func (b *Bank) Allowed(allow []sdk.Class) error {
	var refused []string
	for _, h := range b.Heuristics {
		n, err := h.Nature()
		if err != nil {
			return fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		if !sdk.Allows(allow, n.Class) {
			refused = append(refused, fmt.Sprintf("%s (%s)", h.Name, n.Class))
		}
	}
	if len(refused) == 0 {
		return nil
	}
	return fmt.Errorf("bank_allow is %v, which leaves out %s: take these programs out of the bank, or allow their "+
		"classes", allow, strings.Join(refused, ", "))
}

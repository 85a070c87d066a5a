package certify

import (
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Planners returns the programs that ship with EPB and draft the rest of a solution, for Input.Plan. It returns nil
// where there are none for a setting. The error is that of reading a program.
func Planners(setting bank.Setting) (*bank.Bank, error) {
	b, err := bank.BuiltinFor(setting, "planners")
	if b == nil || err != nil {
		return nil, err
	}
	plans := *b
	plans.Heuristics = nil
	for _, h := range b.Heuristics {
		nature, err := h.Nature()
		if err != nil {
			return nil, err
		}
		if nature.Class == sdk.ClassPlan {
			plans.Heuristics = append(plans.Heuristics, h)
		}
	}
	return &plans, nil
}

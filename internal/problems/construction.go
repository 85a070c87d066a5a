package problems

import (
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
)

// Construction turns a method that builds a whole solution, such as tsp.FarthestInsertion or cvrp.Savings, into a
// Policy, so that the same tables can show it. The start only rotates a tour; with a depot it has no effect. The
// policy cannot force or record actions.
type Construction routing.Construction

// Name implements routing.Policy.
func (c Construction) Name() string { return c.Label }

// Decoder implements routing.Policy.
func (c Construction) Decoder() (routing.Decoder, error) { return construction{c}, nil }

type construction struct{ Construction }

func (construction) Close() error { return nil }

func (c construction) Decode(inst *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	p, err := Of(inst.Problem)
	if err != nil {
		return nil, err
	}
	tour := c.Build(inst)
	cost, err := p.Cost(inst, tour)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Label, err)
	}
	trs := make([]routing.Trajectory, len(runs))
	for r, run := range runs {
		if len(run.Force) > 0 || run.Record {
			return nil, fmt.Errorf("%s builds whole tours: it has no steps to force or record", c.Label)
		}
		if err := run.Validate(p, inst); err != nil {
			return nil, err
		}
		at := 0
		for i, a := range tour {
			if int(a) == run.Start && !p.Traits().Depot {
				at = i
			}
		}
		actions := append(append(make([]int32, 0, len(tour)), tour[at:]...), tour[:at]...)
		trs[r] = routing.Trajectory{Actions: actions, Cost: cost}
	}
	return trs, nil
}

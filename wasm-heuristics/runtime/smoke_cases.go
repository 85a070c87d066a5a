package runtime

import (
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// smokeCase is an instance, and states of a construction on it to score.
type smokeCase struct {
	routing.HardCase
	states States
}

// smokeCases returns the cases of a kind of decision: the hard cases of its problem.
func smokeCases(k kind) ([]smokeCase, error) {
	problem, err := problems.Of(k.problem)
	if err != nil {
		return nil, err
	}
	var cases []smokeCase
	for _, hard := range problem.Hard() {
		c := smokeCase{HardCase: hard}
		if err := c.replay(problem, k.viaDepot); err != nil {
			return nil, fmt.Errorf("smoke case %s: %w", c.What, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// replay collects the states of the case: those of Steps, or all. It omits states without a decision. A program that
// goes by way of the depot decides nothing right after a return, or when no node waits. No program decides the start of
// a tour.
func (c *smokeCase) replay(problem routing.Definition, viaDepot bool) error {
	s := problem.NewState(&c.Instance, viaDepot)
	c.states.Reset()
	for t, a := range c.Actions {
		decides := t > 0 || problem.Traits().Depot
		if viaDepot {
			decides = decides && len(s.Waiting(nil)) > 0 && (t == 0 || s.Row().Current != 0)
		}
		if decides && (c.Steps == nil || slices.Contains(c.Steps, t)) {
			c.states.Candidates = s.Candidates(c.states.Candidates)
			c.states.AddState(s)
		}
		if err := s.Step(a); err != nil {
			return err
		}
	}
	return nil
}

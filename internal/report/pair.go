package report

import (
	"fmt"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/routing"
)

// PairTours explains the student's greedy tours of the first instances next to the teacher's, as they were compared.
func PairTours(c evaluate.Comparison, s *evaluate.Student, insts []routing.Instance) ([]TourPair, error) {
	theirs := c.Tours[0][evaluate.Greedy]
	pairs := make([]TourPair, len(insts))
	for i := range insts {
		start := routing.OwnStart
		if c.Starts != nil {
			start = c.Starts[i]
		}
		ours, steps, err := s.Explain(&insts[i], start)
		if err != nil {
			return nil, err
		}
		pairs[i] = TourPair{
			Problem: insts[i].Problem, Instance: fmt.Sprintf("test instance %d", i), Coords: insts[i].Coords,
			Teacher: Tour{Actions: theirs.Tours[i], Cost: theirs.Costs[i]},
			Student: Tour{Actions: ours.Actions, Cost: ours.Cost, Steps: steps},
			Overlap: evaluate.EdgeOverlap(theirs.Tours[i], ours.Actions),
		}
	}
	return pairs, nil
}

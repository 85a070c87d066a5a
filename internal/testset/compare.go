package testset

import (
	"context"
	"fmt"
	"time"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/teacher"
)

// Options say how a set is solved.
type Options struct {
	Modes     []evaluate.Mode
	Programs  bool // each of the student's programs by itself, too
	Baselines bool // the classic methods, too
	Seed      uint64
	Limit     time.Duration // of the search on an instance; 0 is none

	Recorded func(done int) // told how many of the teacher's greedy solutions are recorded
	Progress func(policy string, mode evaluate.Mode, done, total int)
}

// Result is the result of one mode on a set.
type Result struct {
	Set
	Comparison evaluate.Comparison
	Reading    *evaluate.Reading // nil without a student, or where sizes differ
}

// Compare solves a set with the teacher, the student and the baselines. The student may be nil. Its agreement with the
// teacher is measured on the teacher's own greedy solutions, if all instances are of one size.
func Compare(
	ctx context.Context, set Set, t teacher.Teacher, s *evaluate.Student, o Options,
) (Result, error) {
	r := Result{Set: set}
	options := evaluate.Options{
		Modes: o.Modes, Heuristics: o.Programs, Baselines: o.Baselines, Reference: o.Baselines,
		Seed: o.Seed, Limit: o.Limit, Price: instances.Price(set.Files), Progress: o.Progress,
	}
	if s != nil && set.OneSize() {
		deciding := t.ViaDepot(s.Programs.Bank.ViaDepot())
		reading, err := evaluate.InspectAlong(ctx, deciding, s, set.Instances, o.Recorded)
		if err != nil {
			return r, err
		}
		if reading.Fidelity.States > 0 { // all steps of very small instances are forced
			r.Reading, options.Reading = &reading, &reading
		}
	}
	c, err := evaluate.Compare(ctx, set.Instances, t, s, options)
	if err == nil && set.foreign() {
		c.Table, err = fileTable(set, c, o.Modes)
	}
	r.Comparison = c
	return r, err
}

// fileTable returns a comparison's table with costs in the file's units, by the metric of each instance.
func fileTable(set Set, c evaluate.Comparison, modes []evaluate.Mode) (evaluate.Table, error) {
	t := c.Table
	for _, mode := range modes {
		costs := make([][]float64, len(t.Rows))
		for i := range t.Rows {
			for k, tour := range c.Tours[i][mode].Tours {
				rounded, _, err := set.Files[k].Cost(tour)
				if err != nil {
					return t, fmt.Errorf("%s: %w", t.Rows[i].Name, err)
				}
				costs[i] = append(costs[i], rounded)
			}
		}
		var err error
		if t, err = t.Priced(mode, costs); err != nil {
			return t, err
		}
	}
	return t, nil
}

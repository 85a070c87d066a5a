// Package testset solves a file of instances, with a teacher and its student or with a student alone. It compares the
// costs, also in the file's own units and with the best known solutions.
package testset

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
)

// InUnitSquare says what costs are measured in where that is the common case.
const InUnitSquare = "in the unit square"

// ErrLarge is the error of a file of which no instance is small enough.
var ErrLarge = errors.New("too large")

// Set is a file of instances, as far as it is solved.
type Set struct {
	Path      string
	Files     []instances.File
	Instances []routing.Instance
}

// Solver is who is to solve a set.
type Solver struct {
	Name    string
	Problem routing.Problem
}

// SolverOf returns a teacher as a solver.
func SolverOf(t teacher.Teacher) Solver { return Solver{t.Name(), t.Info().Problem} }

// New returns the set of those instances of a file that a solver is to solve: the first limit ones (0: all) of at most
// so many nodes (0: of any size). It fails where they are not of the solver's problem, or not valid.
func New(of Solver, path string, all []instances.File, limit, nodes int) (Set, error) {
	s := Set{Path: path}
	if want, got := of.Problem, all[0].Instance.Problem; got != want {
		return s, fmt.Errorf("these are %s instances, and %s solves %s", got, of.Name, want)
	}
	if s.Files = instances.Choose(all, limit, nodes); len(s.Files) == 0 {
		return s, fmt.Errorf("%w: all of its %d instances have more than %d nodes", ErrLarge, len(all), nodes)
	}
	for i := range s.Files {
		if err := problems.Validate(&s.Files[i].Instance); err != nil {
			return s, err
		}
	}
	s.Instances = instances.Instances(s.Files)
	return s, nil
}

// OneSize says whether all instances have the same number of nodes, as the states of a shard must.
func (s Set) OneSize() bool {
	return !slices.ContainsFunc(s.Instances, func(inst routing.Instance) bool { return inst.N() != s.Instances[0].N() })
}

// foreign says whether the costs of some instance are not those of a plane, which is all that policies see.
func (s Set) foreign() bool { return s.count(instances.Explicit)+s.count(instances.Geo) > 0 }

// count returns how many instances have a metric.
func (s Set) count(metric instances.Metric) (n int) {
	for i := range s.Files {
		if s.Files[i].Metric == metric {
			n++
		}
	}
	return n
}

// Measured names the unit of the costs in the set's table.
func (s Set) Measured() string {
	if s.foreign() {
		return "in the file's units"
	}
	return InUnitSquare
}

// Notes lists the properties of the set's instances that policies do not see.
func (s Set) Notes() []string {
	var notes []string
	for _, metric := range []instances.Metric{instances.Explicit, instances.Geo} {
		if count := s.count(metric); count > 0 {
			notes = append(notes, fmt.Sprintf("%s (%d of %d instances): %s", metric, count, len(s.Files),
				metric.Caveat()))
		}
	}
	return notes
}

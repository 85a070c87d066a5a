// Package problems is the table of all problems. Each is a folder of its own that implements routing.Definition;
// docs/new-problem.md says how to add one.
//
// Other packages ask the definition about all differences between problems; they do not compare names.
package problems

import (
	"fmt"
	"strings"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// All returns the definitions of all problems, in the order in which messages list them.
func All() []routing.Definition { return all[:] }

var all = [...]routing.Definition{tsp.Problem{}, cvrp.Problem{}}

// Of returns the definition of a problem by its wire name. The error lists the names.
func Of(name routing.Problem) (routing.Definition, error) {
	for _, p := range all {
		if p.Name() == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("problem %.80q, want %s", name, Names())
}

// Must is Of for a name that is known to be one. It panics on another.
func Must(name routing.Problem) routing.Definition {
	p, err := Of(name)
	if err != nil {
		panic(err)
	}
	return p
}

// Known reports whether a problem has this name.
func Known(name routing.Problem) bool {
	_, err := Of(name)
	return err == nil
}

// Names lists the names of all problems for messages, such as "tsp or cvrp".
func Names() string {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = string(p.Name())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Size returns the size of an instance of n nodes as tables say it: a depot is not counted.
func Size(name routing.Problem, n int) int { return n - Must(name).Traits().Depots() }

// Sized says a size in words: "20 nodes", or "50 customers" where there is a depot.
func Sized(name routing.Problem, size int) string { return fmt.Sprintf("%d %ss", size, NodeWord(name)) }

// NodeWord returns what a node that Size counts is called: a node or, where there is a depot, a customer. It is a node
// of a problem that is not known.
func NodeWord(name routing.Problem) string {
	if p, err := Of(name); err == nil && p.Traits().Depot {
		return "customer"
	}
	return "node"
}

// Validate reports the first reason why an instance cannot be solved: what WellFormed finds, or more nodes than
// routing.MaxNodes.
func Validate(in *routing.Instance) error {
	if err := WellFormed(in); err != nil {
		return err
	}
	if n := in.N(); n > routing.MaxNodes {
		return fmt.Errorf("instance %s: %d nodes, want at most %d", in.Name, n, routing.MaxNodes)
	}
	return nil
}

// WellFormed returns the first reason why the instance is not valid, except that it is too large: too few nodes, a
// coordinate that is not finite, all nodes in one place, or attributes that do not fit together.
func WellFormed(in *routing.Instance) error {
	p, err := Of(in.Problem)
	if err != nil {
		return fmt.Errorf("instance %s: %w", in.Name, err)
	}
	if err := in.CheckPlaces(p.Traits().LeastNodes); err != nil {
		return err
	}
	return p.CheckAttributes(in)
}

// Cost returns the cost of a finished solution, judged without the state that guided it.
func Cost(in *routing.Instance, actions []int32) (float64, error) {
	p, err := Of(in.Problem)
	if err != nil {
		return 0, fmt.Errorf("instance %s: %w", in.Name, err)
	}
	return p.Cost(in, actions)
}

package export

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/solver"
	"github.com/epb-nco/epb/internal/startrule"
)

// Sample returns random instances to compare solutions on: of the size that the student learned from, and larger ones.
func Sample(files distilled.Files, seed uint64) []routing.Instance {
	p := problems.Must(files.Bank.Problem)
	nodes := files.Manifest.Nodes
	larger := min(2*nodes, routing.MaxNodes-p.Traits().Depots())
	return slices.Concat(p.Generate(nodes, 10, seed), p.Generate(larger, 2, seed))
}

// Solutions returns the student's own solutions, and an error where the solver of the module takes another step.
func Solutions(ctx context.Context, s *evaluate.Student, wasm []byte, sample []routing.Instance) ([][]int32, error) {
	x, err := solver.New(ctx, wasm)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	var all [][]int32
	for i := range sample {
		in, start := &sample[i], routing.OwnStart
		if s.Start == startrule.None && !problems.Must(in.Problem).Traits().Depot {
			start = 0
		}
		tr, _, err := s.Explain(in, start)
		if err != nil {
			return nil, err
		}
		got, err := x.Solve(ctx, seen(in), solver.OwnStart)
		if err != nil {
			return nil, err
		}
		if !same(got, tr.Actions) {
			return nil, fmt.Errorf("the solver's solution of %s is not the student's: %v and %v", in.Name, got,
				tr.Actions)
		}
		all = append(all, tr.Actions)
	}
	return all, nil
}

// seen is an instance as the student sees it.
func seen(in *routing.Instance) solver.Instance {
	x := solver.Instance{Demand: in.Demand, Capacity: in.Capacity, Unit: true}
	for i := range in.N() {
		a, b := in.XY(i)
		x.X, x.Y = append(x.X, float64(a)), append(x.Y, float64(b))
	}
	return x
}

// same reports whether a solver's solution is the student's.
func same(got []int, want []int32) bool {
	return slices.EqualFunc(got, want, func(a int, b int32) bool { return a == int(b) })
}

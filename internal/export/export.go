// Package export makes of a student what is taken away: one WebAssembly module that solves instances by itself, and the
// files that say how to use it.
package export

import (
	"context"
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// ErrRouter is the error for a student whose router reads embeddings.
var ErrRouter = errors.New("its router is attention, which needs a network: distil with student: {router: named}, or " +
	"fit one with epb sketch")

// Wasm compiles a student to a solver: see compile.Toolchain.BuildSolver. The error is ErrRouter where its router has
// no named features.
func Wasm(ctx context.Context, tools *compile.Toolchain, files distilled.Files) ([]byte, error) {
	s, err := Solver(files)
	if err != nil {
		return nil, err
	}
	return tools.BuildSolver(ctx, s)
}

// Solver returns a student as BuildSolver takes it. Features that no product has are left out: adding 0 changes no sum.
func Solver(files distilled.Files) (compile.Solver, error) {
	b, m := files.Bank, files.Model
	r, named := m.Named()
	set, known := features.Of(b.Problem, b.View, m.Config.Features())
	if !named || !known {
		return compile.Solver{}, ErrRouter
	}
	pkg, err := b.Package()
	if err != nil {
		return compile.Solver{}, err
	}
	if r.Programs != len(b.Heuristics) {
		return compile.Solver{}, fmt.Errorf("the router is for %d programs, the bank has %d", r.Programs,
			len(b.Heuristics))
	}
	s := compile.Solver{SDK: pkg.Name, Hard: m.Config.Routing == student.Hard}
	for _, h := range b.Heuristics {
		s.Programs = append(s.Programs, compile.Program{Name: h.Name, Source: h.Source})
		s.TauH = append(s.TauH, h.TauH)
	}
	M, F1, Z1 := r.Programs, r.Columns(), 1+len(r.Mean)
	rows, columns := []int{0}, []int{} // that are read; row 0 is the constant
	for i := 1; i < Z1; i++ {
		if some(r.Products[i*F1:(i+1)*F1]) || some(r.Bias[i*M:(i+1)*M]) {
			rows = append(rows, i)
			s.State = append(s.State, set.State[i-1].Call)
			s.Mean, s.Spread = append(s.Mean, r.Mean[i-1]), append(s.Spread, r.Spread[i-1])
		}
	}
	for j := range F1 - 1 {
		for i := range Z1 {
			if r.Products[i*F1+j] != 0 {
				columns = append(columns, j)
				s.Node, s.Scale = append(s.Node, set.Node[j].Call), append(s.Scale, r.Scale[j])
				break
			}
		}
	}
	columns = append(columns, F1-1) // the confidence
	for _, i := range rows {
		for _, j := range columns {
			s.Products = append(s.Products, r.Products[i*F1+j])
		}
		s.Bias = append(s.Bias, r.Bias[i*M:(i+1)*M]...)
	}
	if !problems.Must(b.Problem).Traits().Depot {
		form := files.Manifest.Start.Form()
		s.StartKind, s.StartX, s.StartY = string(form.Kind), form.X, form.Y
	}
	s.Needs, err = needsPlaces(files, s)
	return s, err
}

// some reports whether one of the numbers is not 0.
func some(x []float32) bool {
	for _, v := range x {
		if v != 0 {
			return true
		}
	}
	return false
}

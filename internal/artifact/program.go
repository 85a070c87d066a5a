package artifact

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// program is a compiled heuristic.
type program struct {
	*runtime.Module
	hash string // of the wasm: scores are kept by what the program does, not by how its comments read
}

// nativeBytes is what a loaded module takes for each byte of its wasm, roughly: most of it is machine code.
const nativeBytes = 32

// program returns the compiled program of a heuristic, which has passed the gate before, until it is given back.
func (s *Store) program(ctx context.Context, h bank.Heuristic) (p program, giveBack func(), err error) {
	return borrow(s.memory, "program/"+h.ID(), func() (program, int64, error) {
		wasm, err := s.Compiler.Build(ctx, h.Source)
		if err != nil {
			return program{}, 0, fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		m, err := runtime.Load(h.Name, wasm)
		if err != nil {
			return program{}, 0, fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		return program{m, store.RefOf(wasm).Hash}, nativeBytes * int64(len(wasm)), nil
	})
}

// Programs returns the compiled programs of heuristics, which have passed the gate before, until they are given back.
func (s *Store) Programs(ctx context.Context, hs []bank.Heuristic) (
	modules []*runtime.Module, giveBack func(), err error,
) {
	var borrowed []func()
	giveBack = func() {
		for _, back := range borrowed {
			back()
		}
	}
	for _, h := range hs {
		p, back, err := s.program(ctx, h)
		if err != nil {
			giveBack()
			return nil, nil, err
		}
		modules, borrowed = append(modules, p.Module), append(borrowed, back)
	}
	return modules, giveBack, nil
}

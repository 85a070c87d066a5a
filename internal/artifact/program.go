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
	hash string // of the wasm: equal programs share their scores, even if their comments differ
}

// nativeBytes estimates the bytes of memory of a loaded module for each byte of its wasm. Most of it is machine code.
const nativeBytes = 32

// program returns the compiled program of a heuristic that has passed the gate before. It stays open until giveBack.
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

// Programs returns the compiled programs of heuristics that have passed the gate before. They stay open until giveBack.
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

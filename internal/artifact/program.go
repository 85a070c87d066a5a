package artifact

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// program is a compiled heuristic with the weights of its source.
type program struct {
	*runtime.Module
	hash    string // of the wasm: equal programs share their scores, even if their comments differ
	weights []float32
}

// nativeBytes estimates the bytes of memory of a loaded module for each byte of its wasm. Most of it is machine code.
const nativeBytes = 32

// program returns the compiled program of a heuristic that has passed the gate before. It stays open until giveBack.
// Heuristics that differ only in the values of their weights share one module.
func (s *Store) program(ctx context.Context, h bank.Heuristic) (p program, giveBack func(), err error) {
	read, err := s.reading(h)
	if err != nil {
		return program{}, nil, err
	}
	p, giveBack, err = borrow(ctx, s.memory, "program/"+read.structure, func() (program, int64, error) {
		wasm, err := s.Compiler.Build(ctx, h.Source)
		if err != nil {
			return program{}, 0, fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		m, err := runtime.Load(h.Name, wasm, read.weights)
		if err != nil {
			return program{}, 0, fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		return program{m, store.RefOf(wasm).Hash, nil}, nativeBytes * int64(len(wasm)), nil
	})
	if err != nil || len(read.weights) == 0 {
		return p, giveBack, err
	}
	if p.Module, err = p.With(read.weights); err != nil {
		giveBack()
		return program{}, nil, err
	}
	p.weights = read.weights
	return p, giveBack, nil
}

// reading is what a source says about its module.
type reading struct {
	structure string    // hash of the text that it is compiled from
	weights   []float32 // [W], nil without weights
}

// reading reads the source of a heuristic.
func (s *Store) reading(h bank.Heuristic) (reading, error) {
	return through(context.Background(), s.memory, "reading/"+h.ID(), func() (reading, int64, error) {
		c, err := heuristic.Check(h.Source)
		if err != nil {
			return reading{}, 0, fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		r := reading{structure: store.RefOf([]byte(c.Structure())).Hash}
		if ws := c.Weights(); len(ws) > 0 {
			r.weights = heuristic.WeightValues(ws)
		}
		return r, int64(256 + 4*len(r.weights)), nil
	})
}

// scoresKey returns the key of a program's scores of a shard.
func (p program) scoresKey(shard store.Ref) string { return p.scoresFolder() + shard.Hash }

// scoresFolder returns the folder of a program's scores.
func (p program) scoresFolder() string {
	if len(p.weights) == 0 {
		return "scores/" + p.hash + "/"
	}
	var raw []byte
	for _, w := range p.weights {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(w))
	}
	return "scores/" + p.hash + "/" + store.RefOf(raw).Hash + "/"
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

// Smoke puts a heuristic through the smoke test: see runtime.Smoke.
func (s *Store) Smoke(ctx context.Context, h bank.Heuristic) error {
	p, giveBack, err := s.program(ctx, h)
	if err != nil {
		return err
	}
	defer giveBack()
	return runtime.Smoke(ctx, p.Module)
}

// Jacobian returns the scores of a heuristic's program on every state of a shard with given weights, float32 [C], and
// the derivatives by its weights, float32 [W,C]: see runtime.Module.Jacobian. Neither is stored.
func (s *Store) Jacobian(ctx context.Context, h bank.Heuristic, shard store.Ref, weights, step []float32) (
	scores, J *tensor.Dense, err error,
) {
	p, giveBack, err := s.program(ctx, h)
	if err != nil {
		return nil, nil, err
	}
	defer giveBack()
	sh, err := s.Shard(ctx, shard)
	if err != nil {
		return nil, nil, err
	}
	return p.Jacobian(ctx, sh, weights, step)
}

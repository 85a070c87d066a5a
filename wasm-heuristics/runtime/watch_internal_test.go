package runtime

import (
	"context"
	"errors"
	"fmt"
	stdruntime "runtime"
	"testing"
	"time"

	"github.com/wasmerio/wasmer-go/wasmer"

	"github.com/epb-nco/epb/internal/problems/tsp"
)

// stubborn is a hand-written module for instances of one node. It follows the ABI, but does not count fuel: it scores
// one state and never ends the next. Its table lies at 16, its buffers from 4096 on.
const stubborn = `(module
	(memory (export "memory") 8 8)
	(data (i32.const 16)
		"\03\00\00\00\01\00\00\00\00\04\00\00\10\00\00\00\00\08\00\00\00\10\00\00"
		"\00\30\00\00\00\40\00\00\00\50\00\00\00\60\00\00\00\70\00\00\00\0c\00\00"
		"\04\0c\00\00\00\00\00\00\00\a0\00\00\01\00\00\00\00\08\00\00")
	(func (export "_initialize"))
	(func (export "epb_table") (result i32) i32.const 16)
	(func (export "epb_instance") (param i32 i32) (result i32)
		(i32.store (i32.const 262136) (i32.load (i32.const 4096)))
		(i32.store (i32.const 262140) (i32.load (i32.const 8192)))
		i32.const 262144)
	(func (export "epb_score") (param $states i32) (param i32 i64 i64) (result i32)
		(i32.store (i32.const 3076) (i32.const 0))
		(if (i32.gt_u (local.get $states) (i32.const 1)) (then
			(i32.store (i32.const 3076) (i32.const 1))
			(loop $for_ever
				(i32.store (i32.const 3080) (i32.add (i32.load (i32.const 3080)) (i32.const 1)))
				(br $for_ever))))
		i32.const 0))`

// startStubborn returns a guest of stubborn whose watch looks at the given interval.
func startStubborn(t *testing.T, every time.Duration) *Guest {
	t.Helper()
	wasm, err := wasmer.Wat2Wasm(stubborn)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Load("stubborn", wasm, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	g, err := m.NewGuest()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	g.watch.every = every
	inst := tsp.Generate(3, 1, 1)[0]
	inst.Coords = inst.Coords[:2]
	if err := g.SetInstance(&inst); err != nil {
		t.Fatal(err)
	}
	return g
}

// copies returns n copies of the only state that stubborn accepts.
func copies(n int) *States {
	s := &States{Offset: []int{0}}
	for range n {
		s.Candidates = append(s.Candidates, 0)
		s.Add(0, 0, 1)
	}
	return s
}

// TestCancelledCall: a running guest ends when its context does, in any code, and the process goes on.
func TestCancelledCall(t *testing.T) {
	for range 20 {
		g := startStubborn(t, time.Millisecond)
		if err := g.Score(t.Context(), copies(1), make([]float32, 1)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		score := g.score
		g.score = func(args ...any) (any, error) { // a context that is done before the call leaves the guest as it is
			time.AfterFunc(3*time.Millisecond, cancel)
			return score(args...)
		}
		err := g.Score(ctx, copies(2), make([]float32, 2))
		var crash *Crash
		if !errors.Is(err, context.Canceled) || errors.As(err, &crash) {
			t.Fatalf("got %v, want the context's error and no verdict on the program", err)
		}
		if err := g.Score(t.Context(), copies(1), make([]float32, 1)); !errors.As(err, &crash) || crash.Kind != ABI {
			t.Fatalf("the guest went on: %v", err)
		}
		stdruntime.GC()
	}
}

// TestOutrun: a state that takes far longer than its fuel lasts is a crash of the program in that state.
func TestOutrun(t *testing.T) {
	g := startStubborn(t, time.Millisecond)
	g.watch.grace = 20 * time.Millisecond
	err := g.Score(t.Context(), copies(3), make([]float32, 3))
	var crash *Crash
	if !errors.As(err, &crash) || crash.Kind != Time || crash.State != 1 || crash.Heuristic != "stubborn" {
		t.Fatalf("got %v, want a crash of kind time in state 1", err)
	}
}

// TestOutrunWithoutTrap: the watch may close the memory when the guest needs it no more, so that the call returns.
func TestOutrunWithoutTrap(t *testing.T) {
	g := startStubborn(t, time.Hour)
	g.watch.grace = -time.Hour // so that the first look ends the call
	g.score = func(...any) (any, error) {
		g.watch.look()
		return int32(0), nil
	}
	err := g.Score(t.Context(), copies(1), make([]float32, 1))
	var crash *Crash
	if !errors.As(err, &crash) || crash.Kind != Time || crash.State != 0 {
		t.Fatalf("got %v, want a crash of kind time in state 0", err)
	}
	if err := g.Score(t.Context(), copies(1), make([]float32, 1)); !errors.As(err, &crash) || crash.Kind != ABI {
		t.Fatalf("the guest went on: %v", err)
	}
}

// TestWrote: a program wrote to the instance if a state that trapped at an access to memory ends otherwise where the
// instance is not read-only. That the context or the watch ended it tells nothing.
func TestWrote(t *testing.T) {
	beyond := errors.New(outOfBounds)
	for name, c := range map[string]struct {
		again func(g *Guest, cancel func()) error // how the second run ends
		kind  Kind                                // "" for the context's error
	}{
		"without a trap":     {func(*Guest, func()) error { return nil }, Inputs},
		"with another trap":  {func(*Guest, func()) error { return errors.New("unreachable") }, Inputs},
		"with the same trap": {func(*Guest, func()) error { return beyond }, Trap},
		"too late": {func(g *Guest, _ func()) error {
			g.watch.grace = -time.Hour // so that the first look ends the call
			g.watch.look()
			return beyond
		}, Trap},
		"cancelled": {func(g *Guest, cancel func()) error {
			cancel()
			g.watch.look()
			return beyond
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := startStubborn(t, time.Hour)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			runs := 0
			g.score = func(...any) (any, error) {
				if runs++; runs == 1 {
					return nil, beyond
				}
				return int32(0), c.again(g, cancel)
			}
			err := g.Score(ctx, copies(1), make([]float32, 1))
			var crash *Crash
			if c.kind == "" {
				if !errors.Is(err, context.Canceled) || errors.As(err, &crash) {
					t.Fatalf("got %v, want the context's error and no verdict on the program", err)
				}
			} else if !errors.As(err, &crash) || crash.Kind != c.kind {
				t.Fatalf("got %v, want a crash of kind %s", err, c.kind)
			}
			if runs != 2 {
				t.Errorf("%d runs, want 2", runs)
			}
		})
	}
}

// TestLimit: the time that a state may take grows with its fuel.
func TestLimit(t *testing.T) {
	s := batch{States: &States{Offset: []int{0, 1, 1025}}, b: 2, variants: variants{n: 1}}
	if got, want := fmt.Sprint(s.limit(0), s.limit(1), s.limit(7)), "4s 4m20s 4m20s"; got != want {
		t.Errorf("limits %s, want %s", got, want)
	}
}

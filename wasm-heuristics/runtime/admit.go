package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// Admit is the gate that every program passes before it scores anything: check, compile, load, smoke test. If something
// is wrong with the program, the error is a *heuristic.Error.
func Admit(ctx context.Context, t *compile.Toolchain, name, src string) (*Module, error) {
	wasm, err := t.Build(ctx, src)
	if err != nil {
		return nil, err
	}
	checked, err := heuristic.Check(src)
	if err != nil {
		return nil, err
	}
	weights := heuristic.WeightValues(checked.Weights())
	m, err := tested(ctx, name, wasm, weights)
	if err != nil {
		return nil, located(ctx, t, name, src, weights, err)
	}
	return m, nil
}

// tested loads a compiled program that passes the smoke test.
func tested(ctx context.Context, name string, wasm []byte, weights []float32) (*Module, error) {
	m, err := Load(name, wasm, weights)
	if err != nil {
		return nil, err
	}
	if err := Smoke(ctx, m); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// located returns the error of a program with the line at which it trapped in the smoke test. To find it, a traced
// build of the program takes the test again. If that says nothing, the error stays as it is.
func located(ctx context.Context, t *compile.Toolchain, name, src string, weights []float32, failed error) error {
	var crash *Crash
	if !errors.As(failed, &crash) || crash.Kind != Trap {
		return failed
	}
	wasm, err := t.BuildTraced(ctx, src)
	if err != nil {
		return failed
	}
	m, err := tested(ctx, name, wasm, weights)
	if err == nil {
		m.Close()
	}
	if errors.As(err, &crash) && crash.Kind == Trap && crash.Line > 0 {
		return err
	}
	return failed
}

// admittedAtOnce is how many programs AdmitAll compiles at a time.
const admittedAtOnce = 2

// AdmitAll puts every program through Admit and returns their modules in order. A program that was compiled before
// comes from the toolchain's cache. The error names every program that fails. progress, unless nil, is called with the
// name of each program before its turn.
func AdmitAll(
	ctx context.Context, t *compile.Toolchain, programs []compile.Program, progress func(name string),
) ([]*Module, error) {
	modules, errs := make([]*Module, len(programs)), make([]error, len(programs))
	var mu sync.Mutex
	parallel.Each(admittedAtOnce, len(programs), func(_, m int) {
		p := programs[m]
		if progress != nil {
			mu.Lock()
			progress(p.Name)
			mu.Unlock()
		}
		var err error
		if modules[m], err = Admit(ctx, t, p.Name, p.Source); err != nil {
			errs[m] = fmt.Errorf("heuristic %s: %w%s", p.Name, err, quote(p.Source, err))
		}
	})
	err := errors.Join(errs...)
	if ctx.Err() != nil {
		err = ctx.Err() // one error, not one for each program
	}
	if err != nil {
		CloseAll(modules)
		return nil, err
	}
	return modules, nil
}

// CloseAll frees modules. It skips nil ones.
func CloseAll(modules []*Module) {
	for _, m := range modules {
		if m != nil {
			m.Close()
		}
	}
}

// quote returns the line of a program that an error names. Line numbers are those after gofmt.
func quote(src string, err error) string {
	var refusal *heuristic.Error
	lines := strings.Split(src, "\n")
	if !errors.As(err, &refusal) || refusal.Line < 1 || refusal.Line > len(lines) {
		return ""
	}
	return fmt.Sprintf("\n%6d | %s", refusal.Line, lines[refusal.Line-1])
}

package evaluate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// Programs is a bank whose heuristics are compiled and loaded. It is safe for concurrent use; Close it after the
// last decoder that uses it.
type Programs struct {
	Bank    *bank.Bank
	modules []*runtime.Module
}

// BuildPrograms compiles a bank with TinyGo, two programs at a time (modules compiled before come from the toolchain's
// cache), and puts each through the smoke test, since its source may have been edited by hand. The error names every program
// that fails. progress, unless nil, is told the name of each program as its turn comes.
func BuildPrograms(ctx context.Context, tools *compile.Toolchain, b *bank.Bank, progress func(name string)) (*Programs, error) {
	modules, errs := make([]*runtime.Module, len(b.Heuristics)), make([]error, len(b.Heuristics))
	var g errgroup.Group
	g.SetLimit(2)
	for m, h := range b.Heuristics {
		if progress != nil {
			progress(h.Name)
		}
		g.Go(func() (err error) {
			if modules[m], err = runtime.Admit(ctx, tools, h.Name, h.Source); err != nil {
				errs[m] = fmt.Errorf("heuristic %s: %w%s", h.Name, err, quote(h.Source, err))
			}
			return nil
		})
	}
	_ = g.Wait() // the errors are in errs
	p := &Programs{b, modules}
	err := errors.Join(errs...)
	if ctx.Err() != nil {
		err = ctx.Err() // not one failure per program
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// quote returns the line of a program that an error blames, for numbers are those of the program as gofmt lays it out.
func quote(src string, err error) string {
	var refusal *compile.Error
	lines := strings.Split(src, "\n")
	if !errors.As(err, &refusal) || refusal.Line < 1 || refusal.Line > len(lines) {
		return ""
	}
	return fmt.Sprintf("\n%6d | %s", refusal.Line, lines[refusal.Line-1])
}

// Score runs every program on the states of a shard, on all cores: c_m(s) of Eq. 2.
func (p *Programs) Score(ctx context.Context, sh *rollout.Shard) (student.Set, error) {
	set := student.Set{Shard: sh}
	for _, m := range p.modules {
		scores, err := m.ScoreShard(ctx, sh)
		if err != nil {
			return student.Set{}, err
		}
		set.Scores = append(set.Scores, scores)
	}
	return set, nil
}

// Close frees the modules.
func (p *Programs) Close() {
	for _, m := range p.modules {
		if m != nil {
			m.Close()
		}
	}
	p.modules = nil
}

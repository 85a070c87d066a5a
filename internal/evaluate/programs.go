package evaluate

import (
	"context"
	goruntime "runtime"
	"time"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// Programs is a bank whose heuristics are compiled and loaded. It is safe for concurrent use.
type Programs struct {
	Bank    *bank.Bank
	modules []*runtime.Module // [M]
}

// NewPrograms returns a bank with its loaded programs, in bank order. The caller keeps the modules and closes them.
func NewPrograms(b *bank.Bank, modules []*runtime.Module) *Programs { return &Programs{b, modules} }

// BuildPrograms compiles, loads and tests the programs of a bank, whose sources may have been edited by hand, as
// runtime.AdmitAll does. Close the result after the last decoder that uses it.
func BuildPrograms(
	ctx context.Context, tools *compile.Toolchain, b *bank.Bank, progress func(name string),
) (*Programs, error) {
	modules, err := runtime.AdmitAll(ctx, tools, b.Programs(), progress)
	if err != nil {
		return nil, err
	}
	return &Programs{b, modules}, nil
}

// Score runs every program on the states of a shard, on all cores: c_m(s) of Eq. 2.
func (p *Programs) Score(ctx context.Context, sh *rollout.Shard) (student.Dataset, error) {
	set, _, err := p.ScoreTimed(ctx, sh)
	return set, err
}

// ScoreTimed is Score, and measures how long each program took over a state: seconds of one core [M], in bank order.
// They hold for this machine, and for what else it does meanwhile.
func (p *Programs) ScoreTimed(ctx context.Context, sh *rollout.Shard) (student.Dataset, []float64, error) {
	set := student.Dataset{Shard: sh}
	states := max(1, sh.States())
	cores := float64(min(goruntime.GOMAXPROCS(0), states))
	var seconds []float64
	for _, m := range p.modules {
		began := time.Now()
		scores, err := m.ScoreShard(ctx, sh)
		if err != nil {
			return student.Dataset{}, nil, err
		}
		seconds = append(seconds, time.Since(began).Seconds()*cores/float64(states))
		set.Scores = append(set.Scores, scores)
	}
	return set, seconds, nil
}

// Close frees the modules of BuildPrograms.
func (p *Programs) Close() {
	runtime.CloseAll(p.modules)
	p.modules = nil
}

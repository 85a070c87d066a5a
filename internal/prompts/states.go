package prompts

import (
	"context"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// sampleInstances is how many instances a sample of states is drawn from.
const sampleInstances = 20

// States returns states as the programs of a bank see them, on random instances: the built-in teacher's or, where that
// is not theirs, those of a program that ships with EPB.
func States(ctx context.Context, b *bank.Bank, nodes int) (*rollout.Shard, error) {
	var p routing.Policy
	t, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		return nil, err
	}
	of, err := b.Package()
	if err != nil {
		return nil, err
	}
	if info := t.Info(); info.Problem == b.Problem && info.View == b.View {
		p = t
	} else {
		tools, err := compile.Find()
		if err != nil {
			return nil, err
		}
		other, err := bank.Builtin(of.Bank)
		if err != nil {
			return nil, err
		}
		other.Heuristics = other.Heuristics[len(other.Heuristics)-1:]
		programs, err := evaluate.BuildPrograms(ctx, tools, other, nil)
		if err != nil {
			return nil, err
		}
		defer programs.Close()
		p = programs.Singles(startrule.None)[0]
	}
	problem := problems.Must(b.Problem)
	insts := problem.Generate(nodes, sampleInstances, 1)
	run := routing.Run{Start: problem.Traits().Depots(), Record: true}
	return rollout.Record(ctx, p, insts, func(int) []routing.Run { return []routing.Run{run} }, nil)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// decisions returns recorded ones, or has a teacher make them.
type decisions func(ctx context.Context, screen *terminal.Screen) (*rollout.Shard, error)

// states reads the decisions to judge on from the flags. It returns nil if they name none and no teacher that ships
// with EPB fits.
func (f checkFlags) states(ctx context.Context, b *bank.Bank) (decisions, error) {
	switch {
	case f.shard != "" && (f.teacher != "" || f.instances != ""):
		return nil, errors.New("--shard holds a teacher's decisions already: leave out --teacher and --instances")
	case f.shard != "":
		return f.recorded(ctx, b)
	case (f.teacher == "") != (f.instances == ""):
		return nil, errors.New("--teacher and --instances go together")
	case f.teacher != "":
		return f.record(b)
	}
	ours, err := input.LoadTeacher(config.BuiltinTeacher)
	switch {
	case err != nil:
		return nil, err
	case ours.Info().Problem == b.Problem:
		return f.record(b)
	case f.against != "":
		return nil, fmt.Errorf("--against: to compare banks for %s, name --shard, or --teacher and --instances",
			b.Problem)
	case f.limited:
		return nil, fmt.Errorf("--limit: no instances are solved, since no teacher for %s ships with EPB: leave out "+
			"--limit, or name --teacher and --instances", b.Problem)
	}
	return nil, nil
}

// recorded reads recorded decisions.
func (f checkFlags) recorded(ctx context.Context, b *bank.Bank) (decisions, error) {
	sh, err := readShard(ctx, f.shard)
	if err != nil {
		return nil, err
	}
	return func(context.Context, *terminal.Screen) (*rollout.Shard, error) { return sh, nil },
		wantProblem(b, sh.Problem)
}

// record reads a teacher and its instances. Decisions go by way of the depot if the programs' do.
func (f checkFlags) record(b *bank.Bank) (decisions, error) {
	t, insts, err := f.task()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, screen *terminal.Screen) (*rollout.Shard, error) {
		return record(ctx, screen, "recording the teacher", t.ViaDepot(b.ViaDepot()), insts)
	}, wantProblem(b, t.Info().Problem)
}

func wantProblem(b *bank.Bank, got routing.Problem) error {
	if got != b.Problem {
		return fmt.Errorf("the states are of %s, the bank is for %s", got, b.Problem)
	}
	return nil
}

// task returns a teacher and its instances: those of the flags, or the teacher that ships with EPB and random
// instances.
func (f checkFlags) task() (teacher.Teacher, []routing.Instance, error) {
	if f.teacher != "" {
		return readTask(f.teacher, f.instances, f.capacity, f.limit)
	}
	const nodes, seed = 20, 1
	if err := checkCount("limit", f.limit, 1, mostInstances); err != nil {
		return teacher.Teacher{}, nil, err
	}
	t, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		return t, nil, err
	}
	return t, problems.Must(t.Info().Problem).Generate(nodes, f.limit, seed), nil
}

func buildBank(ctx context.Context, tools *compile.Toolchain, name string, b *bank.Bank,
	screen *terminal.Screen) (*evaluate.Programs, error) {
	p, err := evaluate.BuildPrograms(ctx, tools, b, compiling(screen))
	if err != nil {
		return nil, fmt.Errorf("bank %s does not pass:\n%w", name, err)
	}
	return p, nil
}

// warnUnlisted says which programs in the folder of a bank are no part of it.
func warnUnlisted(screen *terminal.Screen, name string) error {
	dir, ok := locate.Of(name).BankFolder()
	if !ok {
		return nil
	}
	unlisted, err := bank.Unlisted(dir)
	if err == nil && len(unlisted) > 0 {
		screen.Line("not checked, since %s does not list them under heuristics: %s", filepath.Join(dir, "bank.json"),
			strings.Join(unlisted, ", "))
	}
	return err
}

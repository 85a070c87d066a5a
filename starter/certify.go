package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/textreport"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// certifyFlags are the flags of epb certify.
type certifyFlags struct {
	teacher   string
	also      []string
	instances int
	nodes     int
	train     int
	seed      uint64
	json      bool
}

func certifyCommand() *cobra.Command {
	var f certifyFlags
	cmd := &cobra.Command{
		Use:   "certify RUN --teacher PATH",
		Short: "Measure how far an explanation may be trusted",
		Long: `certify lets a teacher solve fresh random instances and asks the student in every decision of it. It
prints what speaks for the explanation and what against it, in plain words, and then the figures:

  - how often the student's first choice is the teacher's: by stage, by the number of candidates, by how near the
    teacher's choice is, and where the teacher takes neither the nearest candidate nor what a plan of the rest begins
    with
  - on the same decisions, the best single program, the bank mixed evenly, the nearest candidate, and the plan; and,
    fitted to the same teacher, a linear scorer and a decision tree on the named features (VIPER), and a neural ranker,
    which explains nothing and shows what the features allow
  - what each program leads, whether its τ_h fits, and what the student loses without it
  - whether the leader decides alone, by how much it is ahead, and what changes without it
  - whether the student changes its choice when the teacher does: after a waiting node has moved or gone, or two have
    swapped their demands
  - with --also, whether students of other seeds name the matching program as their leader

Nothing was fitted to these instances. Decisions of one instance depend on each other, so intervals come from resampling
instances. RUN is the folder that epb report or epb sketch writes, or the name of a run.`,
		Example: `  epb certify runs/demo --teacher builtin:pomo-tsp20
  epb certify sketches/am50 --teacher pretrained/tsp_50 --also sketches/am50-2,sketches/am50-3
  epb certify runs/demo --teacher builtin:pomo-tsp20 --json > certificate.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return certifyStudent(cmd.Context(), args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.teacher, "teacher", "",
		"what the student was distilled from: checkpoint, folder or builtin:NAME")
	cmd.Flags().StringSliceVar(&f.also, "also", nil,
		"further students of the same teacher, such as those of other seeds")
	cmd.Flags().IntVar(&f.instances, "instances", 200, "fresh instances that the teacher solves")
	cmd.Flags().IntVar(&f.nodes, "nodes", 0,
		"nodes of an instance, a depot not counted (default: as the student learned)")
	cmd.Flags().IntVar(&f.train, "train", 2000, "instances that rivals are fitted to; 0: no rivals")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "of instances, changes and intervals")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	_ = cmd.MarkFlagRequired("teacher") // the flag exists
	return cmd
}

// The streams keep the instances of a certificate, and those that rivals are fitted to, apart from all others.
const (
	certifyStream = 0xce27
	rivalStream   = 0xce28
)

// leaves is the size of the decision tree: as many splits as ten programs of six terms.
const leaves = 61

// certifyStudent runs epb certify.
func certifyStudent(ctx context.Context, name string, f certifyFlags, stdout, stderr io.Writer) error {
	if f.instances < 10 || f.instances > 100_000 {
		return fmt.Errorf("--instances %d: want 10 to 100000", f.instances)
	}
	t, err := loadTeacher(f.teacher)
	if err != nil {
		return err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	files, s, err := certified(ctx, name, t.Info().Problem, screen)
	if err != nil {
		return err
	}
	defer s.Programs.Close()
	if f.nodes == 0 {
		f.nodes = files.Manifest.Nodes
	}
	p := problems.Must(t.Info().Problem)
	least, most := p.Traits().LeastNodes-p.Traits().Depots(), routing.MaxNodes-p.Traits().Depots()
	if f.nodes < least || f.nodes > most {
		return fmt.Errorf("--nodes %d: want %d to %d", f.nodes, least, most)
	}
	in := certify.Input{
		Student: s, Teacher: t, Instances: p.Generate(f.nodes, f.instances, f.seed<<32|certifyStream), Seed: f.seed,
		Doing: func(what string) { screen.Status("%s", what) },
	}
	for _, other := range f.also {
		_, o, err := certified(ctx, other, t.Info().Problem, screen)
		if err != nil {
			return err
		}
		defer o.Programs.Close()
		in.Also = append(in.Also, certify.Other{Name: other, Student: o})
	}
	if in.Plan, err = planners(ctx, files.Bank.Setting, screen); err != nil {
		return err
	}
	if in.Plan != nil {
		defer in.Plan.Close()
	}
	if f.train > 0 {
		train, err := rollout.Record(ctx, t, p.Generate(f.nodes, f.train, f.seed<<32|rivalStream), rollout.OwnStart,
			func(done int) { screen.Status("recording the teacher for rivals: %d of %d instances", done, f.train) })
		if err != nil {
			return err
		}
		fresh, err := rollout.Record(ctx, t, in.Instances, rollout.OwnStart, nil)
		if err != nil {
			return err
		}
		if in.Rivals, err = evaluate.FitRivals(ctx, t, train, fresh, files.Manifest.Start, evaluate.RivalConfig{
			Seed: f.seed, Leaves: leaves,
		}, in.Doing); err != nil {
			return err
		}
	}
	c, err := certify.Compute(ctx, in)
	if err != nil {
		return err
	}
	screen.Clear()
	c.Student, c.Machine, c.Kernels = name, machine(), tensorops.CurrentIdentity().String()
	if f.json {
		return printJSON(stdout, c)
	}
	if err := textreport.Certificate(stdout, c); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "\n%s; %s.\n", c.Machine, c.Kernels)
	return err
}

// certified reads and builds a student of a problem.
func certified(
	ctx context.Context, name string, problem routing.Problem, screen *terminal.Screen,
) (evaluate.StudentFiles, *evaluate.Student, error) {
	files, err := readStudent(ctx, name)
	if err != nil {
		return files, nil, fmt.Errorf("%s: %w", name, err)
	}
	if files.Bank.Problem != problem {
		return files, nil, fmt.Errorf("%s was distilled from a teacher of %s, --teacher solves %s", name,
			files.Bank.Problem, problem)
	}
	s, err := buildStudent(ctx, name, files, screen)
	return files, s, err
}

// planners builds the programs of class plan for a setting, nil where there are none.
func planners(ctx context.Context, setting bank.Setting, screen *terminal.Screen) (*evaluate.Programs, error) {
	name := string(setting.Problem) + "-planners"
	if setting.View != routing.Full || !slices.Contains(bank.BuiltinNames(), name) {
		return nil, nil
	}
	b, err := bank.Builtin(name)
	if err != nil {
		return nil, err
	}
	plans := *b
	plans.Heuristics = nil
	for _, h := range b.Heuristics {
		nature, err := h.Nature()
		if err != nil {
			return nil, err
		}
		if nature.Class == sdk.ClassPlan {
			plans.Heuristics = append(plans.Heuristics, h)
		}
	}
	tools, err := compile.Find()
	if err != nil {
		return nil, err
	}
	return evaluate.BuildPrograms(ctx, tools, &plans, func(name string) { screen.Status("compiling %s", name) })
}

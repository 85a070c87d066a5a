package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/textreport"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// certifyFlags are the flags of epb certify.
type certifyFlags struct {
	teacher   string
	data      string
	capacity  int32 // of a CSV with demands
	out       string
	also      []string
	instances int
	nodes     int
	train     int
	seed      uint64
	json      bool
	force     bool
}

func certifyCommand() *cobra.Command {
	var f certifyFlags
	cmd := &cobra.Command{
		Use:   "certify RUN [--teacher PATH]",
		Short: "Measure how far an explanation may be trusted",
		Long: `certify lets a teacher solve instances and asks the student in every decision of it. It prints what
speaks for the explanation and what against it, in plain words, and then the figures:

  - how often the student's first choice is the teacher's: by stage, by the number of candidates, by how near the
    teacher's choice is, and where the teacher takes neither the nearest candidate nor what a plan of the rest begins
    with
  - on the same decisions, the best single program by agreement, the bank mixed evenly, the nearest candidate, and the
    plan; and, fitted to the same teacher, a linear scorer and a decision tree on the named features (VIPER), and a
    neural ranker, which explains nothing and shows what the features allow. Which program is the best, and which plan,
    is decided on one half of the instances and reported on the other
  - what each program leads, whether its τ_h fits, and what the student and the mixture lose without it
  - whether the leader decides alone, by how much it is ahead, and what changes without it, or with a program drawn by
    lot in its place: decisions, and the cost of solutions, beside that of the best single program by cost
  - whether the student changes a choice that both shared when the teacher does: after a waiting node has moved or
    gone, or two have swapped their demands
  - with --also, whether students of other seeds name the matching program as their leader

The instances are fresh and random, or those of the run's test set, or of a file (--data); nothing was fitted to the
first two. Decisions of one instance depend on each other, so intervals come from resampling instances. RUN is the
folder that epb report or epb sketch writes, or the name of a run.

A run certifies itself on some of its test set when it ends, without plans and other seeds, and with rivals if its
config says data.rivals. Its report shows that, and so does certify without --teacher.`,
		Example: `  epb certify runs/demo
  epb certify runs/demo --teacher builtin:pomo-tsp20 --data test
  epb certify sketches/am50 --teacher pretrained/tsp_50 --also sketches/am50-2,sketches/am50-3
  epb certify runs/demo --teacher builtin:pomo-tsp20 --json --out certificate.json`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"data", "capacity", "also", "instances", "nodes", "train", "seed"} {
				if f.teacher == "" && cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s: name the teacher by --teacher, to measure a certificate", name)
				}
			}
			if cmd.Flags().Changed("capacity") && (f.data == freshData || f.data == testData) {
				return fmt.Errorf("--capacity: it is of a CSV that --data names, and --data is %s", f.data)
			}
			if f.force && f.out == "" {
				return errors.New("--force: it is of --out, which is not given")
			}
			return certifyStudent(cmd.Context(), args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.teacher, "teacher", "",
		"what the student was distilled from: checkpoint, folder or builtin:NAME (default: show what the run measured)")
	cmd.Flags().StringVar(&f.data, "data", freshData,
		"instances to certify on: fresh, test (the run's test set), or a file")
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for a CSV with demands")
	cmd.Flags().StringSliceVar(&f.also, "also", nil,
		"further students of the same teacher, such as those of other seeds")
	cmd.Flags().IntVar(&f.instances, "instances", 200, "how many instances the teacher solves at most")
	cmd.Flags().IntVar(&f.nodes, "nodes", 0,
		"nodes of an instance, a depot not counted (default: as the student learned)")
	cmd.Flags().IntVar(&f.train, "train", 2000, "instances that rivals are fitted to; 0: no rivals")
	seedFlag(cmd.Flags(), &f.seed, "seed", 1, "of instances, changes and intervals")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write to this `file` instead of printing")
	cmd.Flags().BoolVar(&f.force, "force", false, "overwrite the file if it exists")
	return cmd
}

// certifyChanges is how often each instance is changed: a teacher seldom changes its choice for it.
const certifyChanges = 12

// certifyStudent runs epb certify.
func certifyStudent(ctx context.Context, name string, f certifyFlags, stdout, stderr io.Writer) error {
	if err := checkCount("train", f.train, 0, mostInstances); err != nil {
		return err
	}
	if f.out != "" {
		if err := checkOut(f.out, f.force); err != nil {
			return err
		}
	}
	of := f.measure
	if f.teacher == "" {
		of = storedCertificate
	}
	c, err := of(ctx, name, stderr)
	if err != nil {
		return err
	}
	if f.out == "" {
		return f.print(stdout, c)
	}
	var text bytes.Buffer
	if err := f.print(&text, c); err != nil {
		return err
	}
	if err := regular.WriteBytes(f.out, text.Bytes()); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	_, err = fmt.Fprintf(stdout, "Certificate: %s\n", f.out)
	return err
}

// print prints a certificate in the form that the flags ask for.
func (f certifyFlags) print(w io.Writer, c *certify.Certificate) error {
	if f.json {
		return printJSON(w, c)
	}
	if err := textreport.Certificate(w, c); err != nil || c.Machine == "" {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s; %s.\n", c.Machine, c.Kernels)
	return err
}

// storedCertificate reads the certificate that a run measured itself.
func storedCertificate(ctx context.Context, name string, _ io.Writer) (*certify.Certificate, error) {
	d, err := locate.Of(name).Report(ctx)
	if err != nil {
		return nil, fmt.Errorf("without --teacher, epb certify shows what a run has measured: %w. With --teacher it "+
			"measures a certificate of any student", err)
	}
	if d.Certificate == nil {
		return nil, fmt.Errorf("the report of %s has no certificate: name the teacher by --teacher, to measure one",
			name)
	}
	d.Certificate.Student = name
	return d.Certificate, nil
}

// measure measures a certificate of a student.
func (f certifyFlags) measure(ctx context.Context, name string, stderr io.Writer) (*certify.Certificate, error) {
	if err := checkCount("instances", f.instances, bootstrap.FewestInstances, mostInstances); err != nil {
		return nil, err
	}
	if f.data != freshData && f.nodes != 0 {
		return nil, fmt.Errorf("--nodes %d: the instances of --data %s have a size", f.nodes, f.data)
	}
	for i, other := range f.also {
		before := append([]string{name}, f.also[:i]...)
		if slices.ContainsFunc(before, func(b string) bool { return sameStudent(b, other) }) {
			return nil, fmt.Errorf("--also %s: this student is named twice", other)
		}
	}
	t, err := input.LoadTeacher(f.teacher)
	if err != nil {
		return nil, err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	files, s, err := certified(ctx, name, t.Info().Problem, screen)
	if err != nil {
		return nil, err
	}
	defer s.Programs.Close()
	t = t.ViaDepot(files.Bank.ViaDepot())
	in := certify.Input{
		Student: s, Teacher: t, Changes: certifyChanges, Seed: f.seed,
		Doing: func(what string) { screen.Status("%s", what) },
	}
	insts, words, err := f.sample(ctx, name, files.Manifest, t)
	if err != nil {
		return nil, err
	}
	in.Data = words
	for _, other := range f.also {
		_, o, err := certified(ctx, other, t.Info().Problem, screen)
		if err != nil {
			return nil, err
		}
		defer o.Programs.Close()
		in.Also = append(in.Also, certify.Other{Name: other, Student: o})
	}
	if in.States, err = record(ctx, screen, "asking the teacher", t, insts); err != nil {
		return nil, err
	}
	if in.Plan, err = planners(ctx, files.Bank.Setting, screen); err != nil {
		return nil, err
	}
	if in.Plan != nil {
		defer in.Plan.Close()
	}
	if in.Rivals, err = f.rivals(ctx, t, in.States, s, screen); err != nil {
		return nil, err
	}
	c, err := certify.Compute(ctx, in)
	if err != nil {
		return nil, err
	}
	c.Student, c.Machine, c.Kernels = name, version.Machine(), tensorops.CurrentIdentity().String()
	return c, nil
}

// rivals fits what the student is compared with to instances of the size of the states, none if --train is 0 and none
// for candidates by way of the depot, which have no named features.
func (f certifyFlags) rivals(
	ctx context.Context, t teacher.Teacher, states *rollout.Shard, s *evaluate.Student, screen *terminal.Screen,
) ([]evaluate.Rival, error) {
	if f.train == 0 || states.ViaDepot {
		return nil, nil
	}
	p := problems.Must(t.Info().Problem)
	insts := p.Generate(problems.Size(p.Name(), states.N), f.train, config.RivalStream.Seed(f.seed, 0))
	train, err := record(ctx, screen, "recording the teacher for rivals", t, insts)
	if err != nil {
		return nil, err
	}
	return evaluate.FitRivals(ctx, t, train, states, s.Start, evaluate.RivalConfig{
		Seed: f.seed, Leaves: config.DefaultSketch().Leaves(), Class: s.Model.Config.Features(),
		Memory: memory.WorkerFeatures(),
	}, func(what string) { screen.Status("%s", what) })
}

// certified reads and builds a student of a problem.
func certified(
	ctx context.Context, name string, problem routing.Problem, screen *terminal.Screen,
) (distilled.Files, *evaluate.Student, error) {
	files, err := locate.Of(name).Student(ctx)
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
	plans, err := certify.Planners(setting)
	if err != nil || plans == nil {
		return nil, err
	}
	tools, err := compile.Find()
	if err != nil {
		return nil, err
	}
	return evaluate.BuildPrograms(ctx, tools, plans, compiling(screen))
}

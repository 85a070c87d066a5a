package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/paper"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// evalFlags are the flags of epb eval.
type evalFlags struct {
	teacher, decode, student string
	instances                []string
	table                    string
	baselines, json          bool
	noPrograms               bool // only the student as a whole
	limit, maxNodes          int
	seed                     uint64
	timeLimit                time.Duration
}

func evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval --teacher PATH --instances FILE.npz",
		Short: "Solve instances with a teacher, and with what was distilled from it",
		Long: `eval lets a teacher solve every instance, and beside it a student, each of its programs alone and the classic baselines, and
compares costs. No server is needed, but TinyGo is where a student's programs have to be compiled.

The teacher is a PyTorch checkpoint (AM of Kool et al., POMO or LEHD, for TSP or CVRP), safetensors with the same names, the
folder of an AM's epoch-N.pt, or ` + config.BuiltinTeacher + `, which ships with epb. The instances are an npz file (coords [instances, nodes, 2]; for CVRP
depot, locs, demand and capacity), or a file of TSPLIB, CVRPLIB, LEHD (text), Kool et al. (pickle) or POMO (.pt). Name several
files by several --instances: other sizes than the student learned from, or a library's.
The student is the folder that epb report writes, or the name of a run in the store.

  --decode greedy      one solution: the teacher's from its own start (AM and CVRP's LEHD choose it, the others begin at the first
                       node or customer), all others' from the student's start rule, or from the teacher's start where there is
                       none (the default)
  --decode multistart  the best of the greedy solutions from every first node or customer
  --decode aug8        the best of multistart on the instance and its seven mirror images
  --decode sample:K    the best of K solutions drawn from the policy's distributions
  --decode rrc:T       random re-construct: greedy, then T attempts to construct a random part of the solution anew

Costs are those of instances scaled to the unit square, each by itself; of one instance they are in its file's units. So they are
where a file measures its edges by a matrix (EXPLICIT) or on the sphere (GEO): every policy and baseline decides by the coordinates
of the file as if they lay in a plane, searches choose by them, and only what came of it is measured by the file's rule.
Where the file has units of its own, costs in these units
follow: with a rounding rule, as TSPLIB has, by that rule and unrounded, instance by instance; or else everybody's mean. Where solutions
are known, so do the gaps to the best of them. --baselines adds nearest neighbour and, for TSP, farthest
insertion, for CVRP savings (Clarke and Wright) and sweep, and for both a local search, whose solutions are near-optimal.

--table paper decodes greedily and with the paper's search (or that of --decode), and prints the paper's tables 1 and 3 and its
table of edge overlap, with these results and their 95 % intervals beneath the paper's row of the same setting or, where there is none, of
the closest, and says in what that differs.

Each program by itself solves everything too, which with --decode and --table takes most of the time; --no-programs leaves that out.

With a student, its agreement with the teacher on the states of the teacher's greedy solutions is measured too, if all instances are of one
size. --json prints every policy's cost and solution per instance, a line per file; the gap is 100 (mean cost / mean cost of the teacher - 1).`,
		Example: `  epb eval --teacher ` + config.BuiltinTeacher + ` --instances tsp_uniform_20.npz --decode multistart --baselines
  epb eval --teacher am/tsp_50/epoch-99.pt --instances tsp_uniform_50.npz --student runs/tsp50 --limit 200 --json
  epb eval --teacher am/tsp_100/epoch-99.pt --instances TSPlib_70instances.txt --max-nodes 200 --decode aug8 --time-limit 10s
  epb eval --teacher pomo/tsp50.pt --instances tsp_uniform_50.npz --instances test_TSP200_n128.txt --instances TSPlib_70instances.txt \
    --max-nodes 200 --student runs/pomo50 --table paper`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return evaluatePolicies(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.teacher, "teacher", "", "checkpoint of the teacher, its folder, or "+config.BuiltinTeacher)
	cmd.Flags().StringArrayVar(&f.instances, "instances", nil, "file of instances; may be given several times")
	cmd.Flags().StringVar(&f.decode, "decode", string(evaluate.Greedy), "greedy, multistart, aug8, sample:K or rrc:T")
	cmd.Flags().StringVar(&f.student, "student", "", "folder of an exported student, or a run")
	cmd.Flags().BoolVar(&f.baselines, "baselines", false, "the classic methods as well")
	cmd.Flags().BoolVar(&f.noPrograms, "no-programs", false, "only the student as a whole, not each of its programs by itself")
	cmd.Flags().StringVar(&f.table, "table", "", "paper: the paper's tables beside these results")
	cmd.Flags().IntVar(&f.maxNodes, "max-nodes", 0, "leave out larger instances (0: refuse what is too large)")
	cmd.Flags().DurationVar(&f.timeLimit, "time-limit", 0, "end the search on an instance after this time, such as 5s, and keep the best so far (0: never)")
	cmd.Flags().IntVar(&f.limit, "limit", 0, "use the first instances of each file only (0: all)")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of searches and of the bootstrap intervals")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON: means, and cost and tour per instance")
	for _, name := range []string{"teacher", "instances"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
	return cmd
}

// evalInput is what the flags name, read and checked.
type evalInput struct {
	modes   []evaluate.Mode // the last is the one to show
	teacher teacher.Teacher
	sets    []testset.Set
	student *evaluate.StudentFiles // nil without one
}

// trained is what the student says of itself; nil without one.
func (in evalInput) trained() *evaluate.Manifest {
	if in.student == nil {
		return nil
	}
	return &in.student.Manifest
}

func (in evalInput) mode() evaluate.Mode { return in.modes[len(in.modes)-1] }

// readEvalInput refuses what is wrong before anything is computed.
func readEvalInput(ctx context.Context, f evalFlags) (in evalInput, err error) {
	var mode evaluate.Mode
	if err := mode.UnmarshalText([]byte(f.decode)); err != nil {
		return in, fmt.Errorf("--decode: %w", err)
	}
	switch {
	case f.table != "" && f.table != "paper":
		return in, fmt.Errorf("--table %s: want paper", f.table)
	case f.timeLimit < 0:
		return in, fmt.Errorf("--time-limit %s: want a positive time, or 0 for none", f.timeLimit)
	case f.maxNodes < 0:
		return in, fmt.Errorf("--max-nodes %d: want a number of nodes, or 0", f.maxNodes)
	}
	if in.teacher, err = loadTeacher(f.teacher); err != nil {
		return in, err
	}
	for _, path := range f.instances {
		set, err := readSet(in.teacher, path, f.limit, cmp.Or(f.maxNodes, routing.MaxNodes+1))
		if err != nil {
			return in, err
		}
		in.sets = append(in.sets, set)
	}
	in.modes = []evaluate.Mode{mode}
	if f.table == "paper" {
		if mode == evaluate.Greedy {
			mode = paper.Search(in.teacher.Info().Arch)
		}
		in.modes = []evaluate.Mode{evaluate.Greedy, mode}
	}
	if f.student == "" {
		return in, nil
	}
	files, err := readStudent(ctx, f.student)
	if err != nil {
		return in, fmt.Errorf("--student %s: %w", f.student, err)
	}
	if want, got := in.teacher.Info().Problem, files.Manifest.Problem; got != want {
		return in, fmt.Errorf("--student %s: it solves %s, and --teacher %s solves %s", f.student, got, in.teacher.Name(), want)
	}
	in.student = &files
	return in, nil
}

// readStudent reads an exported student from a folder, or from the store where no folder has that name.
func readStudent(ctx context.Context, name string) (evaluate.StudentFiles, error) {
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		return evaluate.ReadStudent(name)
	}
	r, err := findResult(ctx, []string{name})
	if err != nil {
		return evaluate.StudentFiles{}, fmt.Errorf("there is no such folder, and looking for a run of that name: %w", err)
	}
	dir, err := os.MkdirTemp("", "epb-student-*")
	if err != nil {
		return evaluate.StudentFiles{}, err
	}
	defer os.RemoveAll(dir)
	if _, err := r.Save(ctx, dir); err != nil {
		return evaluate.StudentFiles{}, err
	}
	return evaluate.ReadStudent(dir)
}

// evaluatePolicies is the command.
func evaluatePolicies(ctx context.Context, f evalFlags, stdout, stderr io.Writer) error {
	in, err := readEvalInput(ctx, f)
	if err != nil {
		return err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	var distilled *evaluate.Student
	if in.student != nil {
		tools, err := compile.Find()
		if err != nil {
			return err
		}
		if distilled, err = in.student.Build(ctx, tools, func(name string) { screen.Status("compiling %s", name) }); err != nil {
			return fmt.Errorf("--student %s: %w", f.student, err)
		}
		defer distilled.Programs.Close()
	}
	var results []testset.Result
	for i, set := range in.sets {
		r, err := testset.Compare(ctx, set, in.teacher, distilled, f.options(in.modes, set, screen))
		if err != nil {
			return fmt.Errorf("--instances %s: %w", set.Path, err)
		}
		screen.Clear()
		if f.table == "paper" && !f.json {
			results = append(results, r)
			continue
		}
		out, err := r.Outcome(in.mode(), in.teacher.Info(), in.trained(), f.seed)
		if err != nil {
			return err
		}
		if f.json {
			if err := json.NewEncoder(stdout).Encode(out); err != nil {
				return err
			}
			continue
		}
		if len(in.sets) > 1 {
			printHeading(stdout, i == 0, set.Path)
		}
		if err := printText(stdout, func(w io.Writer) { printEval(w, out, r.Comparison.Table) }); err != nil {
			return err
		}
	}
	if len(results) > 0 {
		return printPaper(stdout, f, in, results)
	}
	return nil
}

// options are those of the flags. What is done is told on the screen.
func (f evalFlags) options(modes []evaluate.Mode, set testset.Set, screen *terminal.Screen) testset.Options {
	name := filepath.Base(set.Path)
	return testset.Options{
		Modes: modes, Programs: !f.noPrograms, Baselines: f.baselines, Seed: f.seed, Limit: f.timeLimit,
		Recorded: func(done int) {
			screen.Status("%s: recording the teacher: %d of %d instances", name, done, len(set.Instances))
		},
		Progress: func(policy string, mode evaluate.Mode, done, total int) {
			screen.Status("%s: %s, %s: %d of %d instances", name, policy, mode.Words(), done, total)
		},
	}
}

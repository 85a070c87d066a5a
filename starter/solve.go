package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/internal/textreport"
)

// solveFlags are the flags of epb solve.
type solveFlags struct {
	student, starts, out     string
	capacity                 int32
	limit, maxNodes          int
	noBaselines, json, force bool
}

func solveCommand() *cobra.Command {
	var f solveFlags
	cmd := &cobra.Command{
		Use:   "solve FILE... --student S",
		Short: "Solve your own instances with a student",
		Long: `solve lets a student solve every instance of some files and says what the solutions cost, in the files'
own units and by their rounding rules, beside farthest insertion or Clarke and Wright's savings and the best known
solutions. No server and no teacher is needed, but TinyGo is, where programs have to be compiled. epb explain says why
each step is taken.

A FILE is an instance of TSPLIB (.tsp) or CVRPLIB (.vrp), a set (npz, pickle, PyTorch, text), or a CSV of points: a line
x,y for each node, with a line of names first if you like; with a third column demand and --capacity it is a CVRP whose
depot is the first node. - is standard input. What the student sees of a file with a matrix (EXPLICIT) or of places on
the sphere (GEO) is its coordinates, as if they lay in a plane; the cost is by the file's rule, and the output says so.

  --starts own   one solution, which begins where the student begins (the default)
  --starts N     one solution, which begins at this node, by the file's numbers
  --starts all   the best of the solutions from every node or customer

Solutions are written to --out: tours as TSPLIB's .tour, with nodes from 1; routes as CVRPLIB's .sol, with customers
from 1. A name that ends so, or -, takes the solution of one instance; any other name is a folder, in which an instance
NAME becomes NAME.student.tour or NAME.student.sol. EPB reads NAME.tour beside NAME.tsp as a solution that is known, and
does not read these.`,
		Example: `  epb solve berlin52.tsp --student runs/tsp50
  epb solve cities.csv --student runs/tsp50 --starts all --out best.tour
  epb solve A/*.vrp --student runs/cvrp50 --out solutions
  epb solve cities.csv --student runs/tsp50 --out - > cities.tour
  epb solve tsp_uniform_50.npz --student runs/tsp50 --json | jq '.policies[0].rounded'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("want a FILE of instances, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.force && (f.out == "" || f.out == standard) {
				return errors.New("--force: it is of a file or folder that --out names")
			}
			return solveFiles(cmd.Context(), args, f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.student, "student", "", "folder of an exported student, or a run")
	cmd.Flags().StringVar(&f.starts, "starts", "own", "own, all, or the number of a node")
	cmd.Flags().StringVarP(&f.out, "out", "o", "",
		"file (.tour, .sol), - for standard output, or folder for the solutions")
	cmd.Flags().BoolVar(&f.force, "force", false, "overwrite solutions that exist")
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for a CSV with demands")
	cmd.Flags().IntVar(&f.limit, "limit", 0,
		"solve the first instances of each file only, of those that --max-nodes leaves (0: all)")
	cmd.Flags().IntVar(&f.maxNodes, "max-nodes", 0, "leave out larger instances (0: refuse what is too large)")
	cmd.Flags().BoolVar(&f.noBaselines, "no-baselines", false,
		"do not solve the instances with classic methods as well")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON, a line per file: costs and solutions, nodes from 0")
	require(cmd, "student")
	return cmd
}

// solveFiles runs epb solve.
func solveFiles(ctx context.Context, paths []string, f solveFlags, stdout, stderr io.Writer) error {
	exported, err := locate.Of(f.student).Student(ctx)
	if err != nil {
		return fmt.Errorf("--student %s: %w", f.student, err)
	}
	files := ownFiles{capacity: f.capacity, limit: f.limit, nodes: f.maxNodes}
	sets, err := readSets(stderr, paths, func(path string) (testset.Set, error) {
		return files.read(f.student, exported.Manifest, path)
	})
	if err != nil {
		return err
	}
	options := make([]testset.SolveOptions, len(sets))
	for i, set := range sets {
		if options[i], err = f.options(set); err != nil {
			return err
		}
	}
	target, err := f.target(sets)
	if err != nil {
		return err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	s, err := buildStudent(ctx, f.student, exported, screen)
	if err != nil {
		return err
	}
	defer s.Programs.Close()
	table := stdout // of costs
	if f.out == standard {
		table = stderr
	}
	for i, set := range sets {
		out, err := f.solve(ctx, set, s, exported.Manifest, options[i], screen)
		if err != nil {
			return err
		}
		if f.json {
			err = json.NewEncoder(table).Encode(out)
		} else {
			if len(sets) > 1 {
				textreport.Heading(table, i == 0, set.Path)
			}
			err = printTable(table, out)
		}
		if err != nil {
			return err
		}
		if err := target.write(i, set, out.Policies[0].Tours, stdout); err != nil {
			return err
		}
	}
	return nil
}

// solve lets a student solve a set.
func (f solveFlags) solve(
	ctx context.Context, set testset.Set, s *evaluate.Student, m distilled.Manifest, o testset.SolveOptions,
	screen *terminal.Screen,
) (testset.Solved, error) {
	if f.starts == ownStarts {
		o.Start, o.Words = explain.Start(s)
	}
	name := filepath.Base(set.Path)
	o.Progress = func(policy string, done, total int) {
		screen.Status("%s: %s: %d of %d instances", name, policy, done, total)
	}
	out, err := testset.Solve(ctx, set, s, m, o)
	screen.Clear()
	if err != nil {
		return out, fmt.Errorf("%s: %w", set.Path, err)
	}
	if f.starts == allStarts && len(set.Files) == 1 {
		out.Start = fmt.Sprintf("The solution is the best of those from all first nodes. It begins at node %d.",
			int(out.Policies[0].Tours[0][0])+set.Files[0].First)
	}
	return out, nil
}

func printTable(w io.Writer, out testset.Solved) (err error) {
	printed := printText(w, func(w io.Writer) { err = textreport.Solved(w, out) })
	return errors.Join(err, printed)
}

// The values of --starts beside the number of a node, and of --out beside a path.
const (
	ownStarts = "own"
	allStarts = "all"
	standard  = "-"
)

// options says how a set is solved, but where an own start is.
func (f solveFlags) options(set testset.Set) (testset.SolveOptions, error) {
	o := testset.SolveOptions{Mode: evaluate.Greedy, Baselines: !f.noBaselines}
	switch f.starts {
	case ownStarts:
	case allStarts:
		o.Mode, o.Words = evaluate.MultiStart, "Each solution is the best of those from all first nodes."
	default:
		o.Words = fmt.Sprintf("Each solution begins at node %s.", f.starts)
		for i := range set.Files {
			node, err := startNode(f.starts, &set.Files[i])
			if err != nil {
				return o, fmt.Errorf("--starts %w; or own, or all", err)
			}
			o.Start = node
		}
	}
	return o, nil
}

// solveTarget is where the solutions go: the names of the files, by set and instance. With names nil nothing is
// written.
type solveTarget struct {
	names    [][]string
	standard bool // the only solution goes to standard output
}

// target checks --out against what is there, before anything is solved.
func (f solveFlags) target(sets []testset.Set) (t solveTarget, err error) {
	if f.out == "" {
		return t, nil
	}
	count := 0
	for _, set := range sets {
		count += len(set.Files)
	}
	extension := filepath.Ext(f.out)
	single := f.out == standard || extension == ".tour" || extension == ".sol"
	want := instances.SolutionExtension(sets[0].Instances[0].Problem)
	switch {
	case single && count != 1:
		return t, fmt.Errorf("--out %s takes the solution of one instance, and there are %d: name a folder", f.out,
			count)
	case f.out == standard && f.json:
		return t, errors.New("--out -: both the solution and --json want standard output; leave one of them out")
	case f.out == standard:
		return solveTarget{standard: true}, nil
	case single && extension != want:
		return t, fmt.Errorf("--out %s: solutions of %s are written as %s", f.out, sets[0].Instances[0].Problem, want)
	case single && instances.Reference(sets[0].Path, f.out):
		return t, fmt.Errorf("--out %s: beside %s it would be read as a solution that is known; choose another name",
			f.out, sets[0].Path)
	case single:
		return solveTarget{names: [][]string{{f.out}}}, checkOut(f.out, f.force)
	}
	of := map[string]string{} // where the instance of each file is from
	for _, set := range sets {
		var names []string
		for i := range set.Files {
			name := filepath.Join(f.out, solutionName(set, i)+".student"+want)
			if other, ok := of[name]; ok {
				return t, fmt.Errorf("--out %s: instances of %s and %s would both be %s: solve one of them apart",
					f.out, other, set.Path, name)
			}
			of[name] = set.Path
			if err := checkFree(name, f.force); err != nil {
				return t, err
			}
			names = append(names, name)
		}
		t.names = append(t.names, names)
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return t, fmt.Errorf("--out: %w", err)
	}
	return t, nil
}

// solutionName is the name of a file for the solution of instance i of a set: that of its own file, with its number
// there where the file holds several.
func solutionName(set testset.Set, i int) string {
	name := strings.TrimSuffix(filepath.Base(set.Path), filepath.Ext(set.Path))
	if set.Path == standard {
		name = "instance"
	}
	if f := &set.Files[i]; f.Of > 1 {
		name += fmt.Sprintf("-%d", f.Number)
	}
	return name
}

// write writes the solutions of set number k.
func (t solveTarget) write(k int, set testset.Set, tours [][]int32, stdout io.Writer) error {
	for i, tour := range tours {
		if !t.standard && t.names == nil {
			return nil
		}
		text, err := set.Files[i].Solution(tour)
		if err != nil {
			return err
		}
		if t.standard {
			_, err = io.WriteString(stdout, text)
			return err
		}
		if _, err := regular.WriteFile(t.names[k][i], func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

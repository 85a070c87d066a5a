// Command solver is the program to which epb export student appends a student: a static binary that solves instances
// and needs nothing else. Built by itself it has no student and asks for one with --wasm.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/solver"
	"github.com/epb-nco/epb/internal/terminal"
)

func main() {
	if err := command().Execute(); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %s\n", filepath.Base(os.Args[0]), terminal.Error(err))
		os.Exit(1)
	}
}

// flags of the command.
type flags struct {
	wasm, starts, out string
	capacity          int32
	limit, maxNodes   int
	json, matrix      bool
}

func command() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   filepath.Base(os.Args[0]) + " FILE...",
		Short: "Solve routing instances with a distilled student",
		Long: `Solve instances of TSPLIB (.tsp), CVRPLIB (.vrp), sets (npz, pickle, text) and CSV files of points: a
line x,y for each node, with a third column demand and --capacity for a CVRP, whose depot is the first node. - is
standard input. For each instance it prints its name, nodes, cost in the file's own units and milliseconds.

With --matrix a FILE is a square matrix of distances, symmetric, a line for each node; in a CVRP each line begins with
the node's demand. It serves students that need distances only; others refuse it and say what needs coordinates.

  --starts own   one solution, which begins where the student begins (the default)
  --starts N     one solution, which begins at this node, by the file's numbers
  --starts all   the best of the solutions from every node or customer`,
		Args: func(cmd *cobra.Command, files []string) error {
			if len(files) == 0 {
				return fmt.Errorf("no FILE is named: %s --help says which files are read", cmd.Name())
			}
			return nil
		},
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, files []string) error {
			return f.run(cmd.Context(), files, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&f.wasm, "wasm", "", "solver.wasm to use, in place of the student in this program")
	cmd.Flags().StringVar(&f.starts, "starts", "own", "own, all, or the number of a node")
	cmd.Flags().StringVar(&f.out, "out", "", "folder for the solutions: NAME.student.tour or .sol of a file NAME")
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for a CSV with demands")
	cmd.Flags().BoolVar(&f.matrix, "matrix", false, "files are matrices of distances")
	cmd.Flags().IntVar(&f.limit, "limit", 0,
		"solve the first instances of each file only, of those that --max-nodes leaves (0: all)")
	cmd.Flags().IntVar(&f.maxNodes, "max-nodes", 0, "leave out instances of more nodes (0: none)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print a line of JSON for each instance, nodes from 0")
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetContext(context.Background())
	return cmd
}

// solved is what is printed of an instance.
type solved struct {
	Name         string  `json:"name"`
	Nodes        int     `json:"nodes"`
	Cost         float64 `json:"cost"`      // by the file's rounding rule
	Unrounded    float64 `json:"unrounded"` // by the same metric
	BestKnown    float64 `json:"best_known,omitempty"`
	Milliseconds float64 `json:"milliseconds"`
	Actions      []int   `json:"actions"` // nodes of a tour, or customers and 0 for each return to the depot
}

func (f *flags) run(ctx context.Context, paths []string, w io.Writer) error {
	if ext := filepath.Ext(f.out); ext == ".tour" || ext == ".sol" {
		return fmt.Errorf("--out %s: it is the name of a folder, in which FILE becomes FILE.student%s", f.out, ext)
	}
	if f.limit < 0 || f.maxNodes < 0 {
		return fmt.Errorf("--limit is %d and --max-nodes %d: want 0 or more", f.limit, f.maxNodes)
	}
	if f.matrix && (f.limit > 0 || f.maxNodes > 0) {
		return errors.New("--matrix reads one instance of a file: leave --limit and --max-nodes out")
	}
	wasm, err := f.student()
	if err != nil {
		return err
	}
	s, err := solver.New(ctx, wasm)
	if err != nil {
		return err
	}
	defer s.Close()
	if f.matrix {
		for _, path := range paths {
			out, err := f.solveMatrix(ctx, s, path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if err := f.print(w, out); err != nil {
				return err
			}
		}
		return nil
	}
	tasks, err := f.tasks(s, paths)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		out, err := f.solve(ctx, s, t)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", t.path, t.file.Instance.Name, err)
		}
		if err := f.print(w, out); err != nil {
			return err
		}
		if err := t.write(out.Actions); err != nil {
			return err
		}
	}
	return nil
}

// task is an instance to be solved.
type task struct {
	path   string // of the file that holds it
	file   *instances.File
	starts []int
	out    string // file for the solution, "" for none
}

// tasks reads all files, and refuses what cannot be solved or written before anything is solved.
func (f *flags) tasks(s *solver.Solver, paths []string) (all []task, err error) {
	taken := map[string]bool{}
	for _, path := range paths {
		files, err := instances.Read(path, f.capacity)
		if err != nil {
			return nil, err
		}
		files = instances.Choose(files, f.limit, f.maxNodes)
		for i := range files {
			in := &files[i].Instance
			t := task{path: path, file: &files[i]}
			if t.starts, err = f.check(s, t.file); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", path, in.Name, err)
			}
			if f.out != "" {
				// NAME.tour beside NAME.tsp would be read as a solution that is known.
				t.out = filepath.Join(f.out,
					name(path, t.file.Number, t.file.Of)+".student"+instances.SolutionExtension(in.Problem))
				if _, err := os.Lstat(t.out); err == nil || taken[t.out] {
					return nil, fmt.Errorf("--out: %s: %s is there already, or another FILE has this name", path, t.out)
				}
				taken[t.out] = true
			}
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no instance has at most %d nodes", f.maxNodes)
	}
	return all, nil
}

// check returns where to begin an instance, and refuses one that the student does not solve.
func (f *flags) check(s *solver.Solver, file *instances.File) (starts []int, err error) {
	in := &file.Instance
	switch {
	case string(in.Problem) != s.Problem:
		return nil, fmt.Errorf("it is a %s, and this student solves %s", in.Problem, s.Problem)
	case in.N() > s.MaxNodes:
		return nil, fmt.Errorf("it has %d nodes, want %d to %d: --max-nodes %d leaves larger ones out", in.N(),
			s.LeastNodes, s.MaxNodes, s.MaxNodes)
	}
	return f.from(s, in.N(), file.First)
}

// student returns the module: that of --wasm, or the one behind this program.
func (f *flags) student() ([]byte, error) {
	if f.wasm != "" {
		return os.ReadFile(f.wasm)
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	wasm, err := solver.Appended(path)
	if errors.Is(err, solver.ErrNone) {
		return nil, errors.New("there is no student in this program: give --wasm solver.wasm, or make one with epb " +
			"export student")
	}
	return wasm, err
}

// solve solves one instance.
func (f *flags) solve(ctx context.Context, s *solver.Solver, t task) (solved, error) {
	file, in := t.file, &t.file.Instance
	x := solver.Instance{Demand: in.Demand, Capacity: in.Capacity, Unit: true}
	for i := range in.N() {
		a, b := in.XY(i)
		x.X, x.Y = append(x.X, float64(a)), append(x.Y, float64(b))
	}
	out := solved{Name: in.Name, Nodes: in.N(), BestKnown: file.BestKnown}
	began := time.Now()
	for i, start := range t.starts {
		actions, err := s.Solve(ctx, x, start)
		if err != nil {
			return solved{}, err
		}
		rounded, unrounded, err := file.Cost(int32s(actions))
		if err != nil {
			return solved{}, err
		}
		if i == 0 || rounded < out.Cost {
			out.Cost, out.Unrounded, out.Actions = rounded, unrounded, actions
		}
	}
	out.Milliseconds = float64(time.Since(began).Microseconds()) / 1000
	return out, nil
}

// from returns the nodes to begin at. Node 0 has the number first in its file.
func (f *flags) from(s *solver.Solver, nodes, first int) ([]int, error) {
	least := 0
	if s.Problem == "cvrp" {
		least = 1
	}
	switch f.starts {
	case "own":
		return []int{solver.OwnStart}, nil
	case "all":
		var all []int
		for i := least; i < nodes; i++ {
			all = append(all, i)
		}
		return all, nil
	}
	n, err := strconv.Atoi(f.starts)
	if node := n - first; err == nil && node >= least && node < nodes {
		return []int{node}, nil
	}
	return nil, fmt.Errorf("--starts %s: want own, all, or a node from %d to %d", f.starts, least+first,
		nodes-1+first)
}

func (f *flags) print(w io.Writer, out solved) error {
	if f.json {
		return json.NewEncoder(w).Encode(out)
	}
	gap := ""
	if out.BestKnown > 0 {
		gap = "  " + decimal.Gap(100*(out.Cost/out.BestKnown-1)) + " to the best known"
	}
	_, err := fmt.Fprintf(w, "%-20s %5d nodes  cost %.10g%s  %.1f ms\n", terminal.Line(out.Name), out.Nodes, out.Cost,
		gap, out.Milliseconds)
	return err
}

// write writes a solution to the folder of --out. It overwrites nothing.
func (t task) write(actions []int) error {
	if t.out == "" {
		return nil
	}
	text, err := t.file.Solution(int32s(actions))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(t.out), 0o755); err != nil {
		return err
	}
	w, err := os.OpenFile(t.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	_, err = io.WriteString(w, text)
	return errors.Join(err, w.Close())
}

// int32s returns actions in the type that package instances has them in.
func int32s(actions []int) []int32 {
	list := make([]int32, len(actions))
	for i, a := range actions {
		list[i] = int32(a)
	}
	return list
}

// name returns the name of a solution: that of the file, with the instance's number there where it holds several.
func name(path string, number, of int) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if path == "-" {
		base = "instance"
	}
	if of > 1 {
		base += fmt.Sprintf("-%d", number)
	}
	return base
}

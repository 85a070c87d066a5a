package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/player"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/textreport"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// bestStart is the value of --start for the first node of the cheapest solution.
const bestStart = "best"

// explainFlags are the flags of epb explain.
type explainFlags struct {
	student, teacher, start, steps string
	instance                       int
	capacity                       int32
	disagreements, json            bool
	noBaselines, along             bool
	html                           string
}

func explainCommand() *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain FILE --student S",
		Short: "Say step by step why a student solves an instance as it does",
		Long: `explain lets a student solve one instance greedily and says at every step what each of its programs would
choose, which one leads, by how much, and why the router trusts that one. No server and no teacher is needed, but TinyGo
is, where programs have to be compiled.

FILE is an instance of TSPLIB (.tsp) or CVRPLIB (.vrp), a set (npz, pickle, PyTorch, text), or a CSV of points: a line
x,y for each node, in any unit, with a line of names first if you like. With a third column demand and --capacity it is
a CVRP whose depot is the first node. - is standard input. The student is the folder that epb report or epb sketch
writes, or the name of a run in the store.

Costs are in the file's own units, by its rounding rule, beside farthest insertion or Clarke and Wright's savings, and
the best known solution where the file or its library has one. Policies see the coordinates, scaled to the unit square.
So they do where a file measures its edges by a matrix (EXPLICIT) or on the sphere (GEO): the student then decides by
the coordinates as if they lay in a plane, only the cost is by the file's rule, and the output says so. A matrix without
coordinates is refused.

In the table, a line is a step:
  from, to       nodes by the file's numbers (in .tsp and CSV files from 1; with a depot, that is 0; in sets from 0)
  rank           of the choice by distance: 1 is the nearest, the depot has the last
  probability    that the student gives its choice
  leader         the program of the largest weight, and how much of the weight it has
  ahead by       the second program, in percentage points; a tie is less than 1
  agree          how many programs would choose the same by themselves
  others would choose   what the others would choose by themselves
  teacher        with --teacher: what it would choose in the same state, and its probabilities
  student        with --along: what the student would choose in the same state
With --along the steps are those of the teacher's own solution: the table says which rule accounts for each of them, and
where the student would choose otherwise.

Below each step: what the leader's terms give the choice more than the next best candidate, or than the teacher's
choice where that is another one, and what the student would do without its leader. Then why the router prefers the
leader to the second program: by how much its logit is larger, the logarithm of the ratio of their weights, with the
heaviest terms of that, for it and against it. Only a named router has reasons that can be read.`,
		Example: `  epb explain berlin52.tsp --student runs/tsp50
  epb explain cities.csv --student runs/tsp50 --steps 10-20
  epb explain customers.csv --capacity 50 --student runs/cvrp50
  epb explain tsp_uniform_20.npz --instance 3 --student runs/demo \
    --teacher ` + config.BuiltinTeacher + ` --disagreements
  epb explain cities.csv --student runs/tsp20 --teacher pretrained/tsp_20 --along --html why.html
  epb explain cities.csv --student runs/tsp50 --html cities.html
  curl -s https://example.org/cities.csv | epb explain - --student runs/tsp50 --json`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return explainFile(cmd.Context(), args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.student, "student", "", "folder of an exported student, or a run")
	cmd.Flags().StringVar(&f.teacher, "teacher", "",
		"also say where this teacher parts: its checkpoint, its folder, or "+config.BuiltinTeacher)
	cmd.Flags().BoolVar(&f.along, "along", false,
		"explain the solution of --teacher, step by step, in place of the student's")
	cmd.Flags().IntVar(&f.instance, "instance", 0, "which instance of a file of several, from 0")
	cmd.Flags().StringVar(&f.start, "start", "",
		"begin at this node, by the file's numbers, or where the cheapest solution begins: "+bestStart+
			" (default: where the student begins)")
	cmd.Flags().StringVar(&f.steps, "steps", "", "show these steps only, such as 7 or 10-20 or 1,5-8")
	cmd.Flags().BoolVar(&f.disagreements, "disagreements", false,
		"show only steps at which the teacher would choose otherwise")
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for a CSV with demands")
	cmd.Flags().BoolVar(&f.noBaselines, "no-baselines", false, "do not solve the instance with classic methods as well")
	cmd.Flags().BoolVar(&f.json, "json", false,
		"print all steps as JSON, with every candidate under every policy; nodes are numbered from 0")
	cmd.Flags().StringVar(&f.html, "html", "",
		"in place of the table write a page here on which one steps through the solution and solves other nodes; it "+
			"needs no network")
	_ = cmd.MarkFlagRequired("student") // the flag exists

	for _, whole := range []string{"json", "html"} { // which have all steps
		cmd.MarkFlagsMutuallyExclusive("steps", whole)
		cmd.MarkFlagsMutuallyExclusive("disagreements", whole)
	}
	return cmd
}

// oneFile wants one argument, the file of instances.
func oneFile(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want one FILE of instances, or - for standard input; got %d arguments", len(args))
	}
	return nil
}

// explanation explains the student's solution of an instance, with the cost of the teacher's where there is a teacher,
// or with --along the teacher's with the cost of the student's.
func (f *explainFlags) explanation(
	ctx context.Context, x *explain.Explainer, s *evaluate.Student, of *teacher.Teacher, file *instances.File,
) (explain.Explanation, error) {
	start, words := explain.Start(s)
	if f.along {
		start = routing.OwnStart
	}
	var err error
	switch f.start {
	case "":
	case bestStart:
		if start, err = explain.BestStart(ctx, s, file); err != nil {
			return explain.Explanation{}, err
		}
		words = "The start is that of the student's cheapest solution from all first nodes."
	default:
		if start, err = startNode(f.start, file); err != nil {
			return explain.Explanation{}, fmt.Errorf("--start %w; or %s", err, bestStart)
		}
		words = "The start was given."
	}
	var e explain.Explanation
	var other routing.Policy
	if f.along {
		e, err = x.Along(ctx, file, start)
		other = contrast.AsPolicy(s)
	} else {
		e, err = x.Explain(ctx, file, start, words)
		if of != nil {
			other = *of
		}
	}
	if err != nil || other == nil {
		return e, err
	}
	c, err := explain.SolutionBy(ctx, other, file)
	e.Others = append(e.Others, c)
	return e, err
}

// explainFile runs epb explain.
func explainFile(ctx context.Context, path string, f explainFlags, stdout, stderr io.Writer) error {
	shown, err := parseSteps(f.steps)
	if err != nil {
		return err
	}
	if err := checkPage(f.html); err != nil {
		return err
	}
	var of *teacher.Teacher
	if f.teacher != "" {
		t, err := loadTeacher(f.teacher)
		if err != nil {
			return err
		}
		of = &t
	} else if f.disagreements || f.along {
		return errors.New("--disagreements and --along: name the teacher by --teacher")
	}
	if f.along && f.start == bestStart {
		return fmt.Errorf("--start %s is of the student's solutions, and --along explains the teacher's: name a node",
			bestStart)
	}
	exported, err := readStudent(ctx, f.student)
	if err != nil {
		return fmt.Errorf("--student %s: %w", f.student, err)
	}
	set, others, err := ownFiles{capacity: f.capacity, one: true, instance: f.instance}.read(f.student,
		exported.Manifest, path)
	if err != nil {
		return err
	}
	file := &set.Files[0]
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	s, err := buildStudent(ctx, f.student, exported, screen)
	if err != nil {
		return err
	}
	defer s.Programs.Close()
	x, err := explain.New(s, exported.Manifest, of)
	if err != nil {
		return err
	}
	e, err := f.explanation(ctx, x, s, of, file)
	if err != nil {
		return err
	}
	if !f.noBaselines {
		classics, err := explain.Classics(file)
		if err != nil {
			return err
		}
		e.Others = append(e.Others, classics...)
	}
	if f.html != "" {
		screen.Status("compiling the student for the page")
		err := writePlayer(ctx, f.html, exported, e.Trim(player.Candidates))
		if screen.Clear(); err != nil {
			return err
		}
		if !f.json {
			fmt.Fprintf(stdout, "Page: %s\n", f.html)
			return nil
		}
	}
	if f.json {
		return json.NewEncoder(stdout).Encode(e)
	}
	if others > 0 {
		fmt.Fprintf(stdout, "Instance %d of %d in the file; --instance N chooses another.\n", f.instance, others+1)
	}
	if last := e.Steps[len(e.Steps)-1].Step; shown.from > last {
		return fmt.Errorf("--steps %s: the solution has steps up to %d", f.steps, last)
	}
	return printText(stdout, func(w io.Writer) {
		_ = textreport.Explanation(w, &e, func(s *explain.Step) bool { // w takes everything
			return shown.has(s.Step) && (!f.disagreements || s.Parts())
		})
		if f.start == "" && s.Start == startrule.None && !e.HasDepot() && !f.along {
			fmt.Fprintf(w, "--start %s explains the cheapest of the solutions from all nodes.\n", bestStart)
		}
		name := f.student
		if !evaluate.IsStudent(name) {
			name = runBank + name
		}
		fmt.Fprintf(w, "The programs, with what their terms are: epb bank show %s --code\n", name)
	})
}

// writePlayer writes the page of --html. The student is in it, if it can be: then the page solves other nodes too.
func writePlayer(ctx context.Context, path string, files evaluate.StudentFiles, e explain.Explanation) error {
	tools, err := compile.Find()
	if err != nil {
		return err
	}
	d := player.Deck{Explanations: []explain.Explanation{e}}
	if d.Solver, err = export.Wasm(ctx, tools, files); err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.NoSolver = err.Error()
	}
	return writePage(path, func(w io.Writer) error { return player.HTML(w, d) })
}

// stepRanges are the steps that --steps names.
type stepRanges struct {
	from int // the first of them
	list [][2]int
}

// has reports whether a step is among them. No ranges have all steps.
func (r stepRanges) has(step int) bool {
	for _, x := range r.list {
		if step >= x[0] && step <= x[1] {
			return true
		}
	}
	return r.list == nil
}

// parseSteps reads steps and ranges of steps, such as 1,5-8.
func parseSteps(text string) (stepRanges, error) {
	var r stepRanges
	if text == "" {
		return r, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			high = low
		}
		from, errFrom := strconv.Atoi(low)
		to, errTo := strconv.Atoi(high)
		if errFrom != nil || errTo != nil || from < 0 || to < from {
			return r, fmt.Errorf("--steps %.40s: want steps such as 7, 10-20 or 1,5-8", text)
		}
		if r.list == nil || from < r.from {
			r.from = from
		}
		r.list = append(r.list, [2]int{from, to})
	}
	return r, nil
}

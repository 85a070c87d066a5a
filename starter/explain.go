package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/locate"
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
	instance, reasons              int
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
  probability    that the student gives the step
  leader         the program of the largest weight, and how much of the weight it has
  ahead by       the second program, in percentage points; a tie is less than 1
  agree          how many programs would take the step by themselves
  others would choose   what the others would choose by themselves
  teacher        with --teacher: what it would choose in the same state, and its probabilities
  student        with --along: what the student would choose in the same state
With --along the steps are those of the teacher's own solution: the table says which rule accounts for each of them, and
where the student would choose otherwise. There the leader has its own choice beside it (H07 → 14), and the line below
names the programs that would take the teacher's step.

Below each step: what the leader's terms give the choice more than the next best candidate, or than the teacher's
choice where that is another one, and what the student would do without its leader. Then why the router prefers the
leader to the second program: by how much its logit is larger, the logarithm of the ratio of their weights, with the
heaviest terms of that, for it and against it (--reasons). Where they make up less than half of it, the terms are added
up by the feature of the state that they have in common, and the heaviest sums are shown; where these make up less than
half too, the first line says so. Only a named router has reasons that can be read.`,
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
		"also say at which steps this teacher would go elsewhere: checkpoint, folder, "+config.BuiltinTeacher+" or "+
			config.LocalSearchTeacher)
	cmd.Flags().BoolVar(&f.along, "along", false,
		"explain the solution of --teacher, step by step, in place of the student's")
	cmd.Flags().IntVar(&f.instance, "instance", 0, "which instance of a file of several, from 0")
	cmd.Flags().StringVar(&f.start, "start", "",
		"begin at this node, by the file's numbers, or where the cheapest solution begins: "+bestStart+
			" (default: where the student begins)")
	cmd.Flags().StringVar(&f.steps, "steps", "", "show these steps only, such as 7 or 10-20 or 1,5-8")
	cmd.Flags().BoolVar(&f.disagreements, "disagreements", false,
		"show only steps at which the teacher would choose otherwise")
	cmd.Flags().IntVar(&f.reasons, "reasons", explain.MostReasons,
		"how many terms a step has of why the router prefers its leader, in JSON and on the page too")
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for a CSV with demands")
	cmd.Flags().BoolVar(&f.noBaselines, "no-baselines", false, "do not solve the instance with classic methods as well")
	cmd.Flags().BoolVar(&f.json, "json", false,
		"print the steps as JSON, with every candidate under every policy; nodes are numbered from 0")
	cmd.Flags().StringVar(&f.html, "html", "",
		"in place of the table write a page here on which one steps through the solution and solves other nodes; it "+
			"needs no network")
	require(cmd, "student")
	return cmd
}

// oneFile wants one argument, the file of instances.
func oneFile(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want one FILE of instances, or - for standard input; got %d arguments", len(args))
	}
	return nil
}

// check refuses flags that do not fit together, before anything is read. It returns the steps that --steps names.
func (f *explainFlags) check() (stepRanges, error) {
	shown, err := parseSteps(f.steps)
	switch {
	case err != nil:
		return shown, err
	case f.reasons < 1:
		return shown, fmt.Errorf("--reasons %d: want a positive number", f.reasons)
	case f.teacher == "" && (f.disagreements || f.along):
		return shown, errors.New("--disagreements and --along: name the teacher by --teacher")
	case f.along && f.start == bestStart:
		return shown, fmt.Errorf("--start %s is of the student's solutions, and --along explains the teacher's: "+
			"name a node", bestStart)
	case f.html != "" && (f.steps != "" || f.disagreements):
		return shown, errors.New("the page of --html has all steps: leave out --steps and --disagreements")
	}
	return shown, checkPage(f.html)
}

// asked is what epb explain was asked about, read and checked.
type asked struct {
	student distilled.Files
	teacher *teacher.Teacher // nil without one
	file    *instances.File
}

// read reads the files that the flags and the argument name.
func (f *explainFlags) read(ctx context.Context, path string) (asked, error) {
	var in asked
	if f.teacher != "" {
		t, err := input.LoadTeacher(f.teacher)
		if err != nil {
			return in, err
		}
		in.teacher = &t
	}
	var err error
	if in.student, err = locate.Of(f.student).Student(ctx); err != nil {
		return in, fmt.Errorf("--student %s: %w", f.student, err)
	}
	set, err := ownFiles{capacity: f.capacity, one: true, instance: f.instance}.read(f.student,
		in.student.Manifest, path)
	if err != nil {
		return in, err
	}
	in.file = &set.Files[0]
	return in, nil
}

// startOf returns the first node of the solution that is explained, and how it comes about in words.
func (f *explainFlags) startOf(
	ctx context.Context, s *evaluate.Student, file *instances.File,
) (start int, words string, err error) {
	switch {
	case f.start == bestStart:
		start, err = explain.BestStart(ctx, s, file)
		return start, "The start is that of the student's cheapest solution from all first nodes.", err
	case f.start != "":
		if start, err = startNode(f.start, file); err != nil {
			return 0, "", fmt.Errorf("--start %w; or %s", err, bestStart)
		}
		return start, "The start was given.", nil
	case f.along:
		return routing.OwnStart, "", nil
	}
	start, words = explain.Start(s)
	return start, words, nil
}

// explanation explains the student's solution of an instance, with the cost of the teacher's where there is a teacher,
// or with --along the teacher's with the cost of the student's. The classic methods follow.
func (f *explainFlags) explanation(
	ctx context.Context, in asked, s *evaluate.Student,
) (e explain.Explanation, err error) {
	x, err := explain.New(s, in.student.Manifest, in.teacher)
	if err != nil {
		return e, err
	}
	x.MostReasons = f.reasons
	start, words, err := f.startOf(ctx, s, in.file)
	if err != nil {
		return e, err
	}
	var other routing.Policy
	if f.along {
		e, err = x.Along(ctx, in.file, start)
		other = contrast.AsPolicy(s)
	} else {
		e, err = x.Explain(ctx, in.file, start, words)
		if in.teacher != nil {
			other = *in.teacher
		}
	}
	if err != nil {
		return e, err
	}
	if other != nil {
		c, err := explain.SolutionBy(ctx, other, in.file)
		if err != nil {
			return e, err
		}
		e.Others = append(e.Others, c)
	}
	if f.noBaselines {
		return e, nil
	}
	classics, err := explain.Classics(in.file)
	e.Others = append(e.Others, classics...)
	return e, err
}

// explainFile runs epb explain.
func explainFile(ctx context.Context, path string, f explainFlags, stdout, stderr io.Writer) error {
	steps, err := f.check()
	if err != nil {
		return err
	}
	in, err := f.read(ctx, path)
	if err != nil {
		return err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	s, err := buildStudent(ctx, f.student, in.student, screen)
	if err != nil {
		return err
	}
	defer s.Programs.Close()
	e, err := f.explanation(ctx, in, s)
	if err != nil {
		return err
	}
	if first, last := e.Steps[0].Step, e.Steps[len(e.Steps)-1].Step; !steps.meets(first, last) {
		return fmt.Errorf("--steps %s: the solution has steps %d to %d", f.steps, first, last)
	}
	if f.html != "" {
		screen.Status("compiling the student for the page")
		err := writePlayer(ctx, f.html, in.student, e.Trim(player.Candidates))
		if screen.Clear(); err != nil {
			return err
		}
	}
	show := func(s *explain.Step) bool { return steps.has(s.Step) && (!f.disagreements || s.Parts()) }
	return f.print(stdout, in, &e, s.Start, show)
}

// print prints an explanation of a student with a start rule: as JSON, as the name of its page, or as text.
func (f *explainFlags) print(
	stdout io.Writer, in asked, e *explain.Explanation, start startrule.Rule, show func(*explain.Step) bool,
) error {
	switch {
	case f.json:
		e.Steps = slices.DeleteFunc(e.Steps, func(s explain.Step) bool { return !show(&s) })
		return printJSON(stdout, e)
	case f.html != "":
		fmt.Fprintf(stdout, "Page: %s\n", f.html)
		return nil
	}
	return printText(stdout, func(w io.Writer) {
		if in.file.Of > 1 {
			fmt.Fprintf(w, "Instance %d of %d in the file; --instance N chooses another.\n", f.instance, in.file.Of)
		}
		_ = textreport.Explanation(w, e, show) // w takes everything
		if f.start == "" && start == startrule.None && !e.HasDepot() && !f.along {
			fmt.Fprintf(w, "--start %s explains the cheapest of the solutions from all nodes.\n", bestStart)
		}
		fmt.Fprintf(w, "The programs, with what their terms are: epb bank show %s --code\n",
			locate.Of(f.student).ForBank())
	})
}

// writePlayer writes the page of --html. The student is in it, if it can be: then the page solves other nodes too.
func writePlayer(ctx context.Context, path string, files distilled.Files, e explain.Explanation) error {
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
type stepRanges [][2]int

// has reports whether a step is among them. No ranges have all steps.
func (r stepRanges) has(step int) bool { return r.meets(step, step) }

// meets reports whether some of the steps from first to last are among them.
func (r stepRanges) meets(first, last int) bool {
	for _, x := range r {
		if last >= x[0] && first <= x[1] {
			return true
		}
	}
	return r == nil
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
		r = append(r, [2]int{from, to})
	}
	return r, nil
}

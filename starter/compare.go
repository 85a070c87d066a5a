package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/compare"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/textreport"
)

// compareFlags are the flags of epb compare.
type compareFlags struct {
	history, json    bool
	html             string
	teachers         []string
	bank             string
	instances, train int
	nodes, products  int
	seed             uint64
}

func compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare [RUN...]",
		Short: "Set runs, students or teachers side by side",
		Long: `Print a line per finished run: bank size, epochs, agreement with the teacher on the test states, greedy
gap to the teacher, both with the rules mixed and where one rule decides each step, the gaps of the best single program
and of the best classic construction, and what was spent. Runs that differ in their seed alone are summed up in a
further line, in which several of one seed count as their mean. With --history, validation top-1 over the epochs
follows, as in the paper's ablation figure. RUN is the name of a run, or the folder of a student that epb report or epb
sketch wrote.

--html writes all of it as one page that needs no network, with the learning curves over each other, the ablation
figure, who leads at which stage, the part of phase-aware and of geometry-aware programs (the paper's figure), and the
banks side by side. Names mean nothing across runs, so programs are matched by what they choose in the same states.

With --html or --teachers, students decide in common states, and a further table has a line for each two of them: in how
many states both choose the same; in how many the leaders match, which means that the program of the largest weight in
the one was matched with that in the other; in how many they would match by lot, if each student drew its leader in
every state by lot, each program as often as it leads; and the two pairs of matched programs that agree most, with the
share of states in which both have the same first choice.

--teachers names the students' teachers: one for all, or one for each. Students without a report are then measured on
fresh instances. Where two teachers are named, one bank, that of --bank or the programs of all students, is routed for
both on the same states, and the differences of the routers are told: what one teacher does, late in the tour, that the
other does not. A student can stand in the place of a teacher. The category of a program is the paper's, by what it asks
about: phase-aware, lookahead (what would follow the next step), capacity-aware or geometry-aware. It is not the class
of epb bank show, which says how far a program looks: one of class local may weigh what would follow.`,
		Example: `  epb compare ablation-numeric-1 ablation-both-1 --history --html ablation.html
  epb compare sketches/am20 sketches/pomo20 --teachers am/tsp_20,` + config.BuiltinTeacher + ` --html teachers.html
  epb compare --teachers am/tsp_20,` + config.BuiltinTeacher + ` --bank builtin:tsp-local`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.validate(args); err != nil {
				return err
			}
			for _, name := range []string{"instances", "nodes", "seed", "train", "products"} {
				switch ofTwo := name == "train" || name == "products"; {
				case !cmd.Flags().Changed(name):
				case ofTwo && len(f.teachers) != 2:
					return fmt.Errorf("--%s: it is of the routers for two teachers, which --teachers names", name)
				case !f.deep():
					return fmt.Errorf("--%s: reports are compared as they are; it counts with --html or --teachers",
						name)
				}
			}
			return compareAll(cmd.Context(), args, f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&f.history, "history", false, "print validation top-1 over the epochs")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON: for each run its line of the table and, "+
		"as over_seeds, the summary of its seeds; with --html or --teachers an object that has them as runs, "+
		"beside line (the students in common states, in pairs), apart (those that see less) and contrast")
	cmd.Flags().StringVar(&f.html, "html", "", "write a page to this `file`")
	cmd.Flags().StringSliceVar(&f.teachers, "teachers", nil, "checkpoints, their folders, "+config.BuiltinTeacher+
		" or students, by their folder or run:ID: one for all students, or one for each")
	cmd.Flags().StringVar(&f.bank, "bank", "", "what to route for two teachers (default: the programs of all students)")
	cmd.Flags().IntVar(&f.instances, "instances", 200, "fresh instances that students and teachers are compared on")
	cmd.Flags().IntVar(&f.train, "train", 1000, "instances that the routers for two teachers are fitted on")
	cmd.Flags().IntVar(&f.nodes, "nodes", 0,
		"nodes of an instance, a depot not counted (default: as the first student learned, else 20)")
	cmd.Flags().IntVar(&f.products, "products", config.DefaultSketch().Products,
		"products of features that the routers for two teachers have; 0: all")
	seedFlag(cmd.Flags(), &f.seed, "seed", 1, "of the fresh instances, the routers and the intervals")
	return cmd
}

// validate refuses what cannot be compared.
func (f compareFlags) validate(args []string) error {
	for i, name := range args {
		if slices.ContainsFunc(args[:i], func(other string) bool { return sameStudent(other, name) }) {
			return fmt.Errorf("run %s is named twice: leave one out", locate.Of(name).ID())
		}
	}
	n := len(f.teachers)
	switch {
	case len(args) == 0 && (n != 2 || f.bank == ""):
		return errors.New("want the runs to compare, or two teachers by --teachers and a bank for both by --bank")
	case n > 2 && n != len(args):
		return fmt.Errorf("--teachers names %d for %d students: want one for all, or one for each", n, len(args))
	case n == 2 && len(args) > 2:
		return fmt.Errorf("--teachers names 2 for %d students: want one for all, or one for each", len(args))
	case n == 2 && (f.teachers[0] == f.teachers[1] || same(f.teachers[0], f.teachers[1])):
		return fmt.Errorf("--teachers names %s twice: name it once", f.teachers[0])
	case f.bank != "" && n != 2:
		return errors.New("--bank is routed for two teachers: name them by --teachers")
	case f.products < 0:
		return fmt.Errorf("--products is %d, want 0 or more", f.products)
	}
	if err := checkCount("instances", f.instances, 10, mostInstances); err != nil {
		return err
	}
	if err := checkCount("train", f.train, 10, mostInstances); err != nil {
		return err
	}
	return checkPage(f.html)
}

// deep says whether students are to decide in common states, for which their programs are compiled.
func (f compareFlags) deep() bool { return f.html != "" || len(f.teachers) > 0 }

// fit returns how the routers for two teachers are fitted.
func (f compareFlags) fit() sketch.RouterConfig {
	return sketch.RouterConfig{
		Products: f.products, Batch: 256, Memory: memory.WorkerFeatures(), Seed: f.seed,
	}
}

// compareAll runs epb compare.
func compareAll(ctx context.Context, args []string, f compareFlags, stdout, stderr io.Writer) error {
	var page compare.Page
	if f.deep() {
		var err error
		if page, err = sideBySide(ctx, args, f, stderr); err != nil {
			return err
		}
	} else {
		named := reportedRuns{}
		for _, name := range args {
			d, err := locate.Of(name).Report(ctx)
			if errors.Is(err, locate.ErrNoReport) {
				err = fmt.Errorf("%w. epb compare measures a student without one with --teachers, and shows it with "+
					"--html", err)
			}
			if err == nil {
				err = named.add(d, name)
			}
			if err != nil {
				return err
			}
			page.Runs = append(page.Runs, d)
		}
	}
	if f.html != "" {
		if err := writePage(f.html, page.HTML); err != nil {
			return err
		}
	}
	all, err := compare.Groups(page.Runs)
	if err != nil {
		return err
	}
	if f.json {
		rows := compare.Rows(page.Runs, all, f.history)
		if !f.deep() {
			return printJSON(stdout, rows)
		}
		return printJSON(stdout, map[string]any{"runs": rows, "line": page.Line, "contrast": page.Contrast,
			"apart": page.Apart})
	}
	if len(page.Runs) > 0 {
		compare.PrintTable(stdout, page.Runs, all)
		if f.history {
			compare.PrintHistories(stdout, all)
		}
	}
	return printText(stdout, func(w io.Writer) {
		textreport.Lineup(w, page.Line)
		if len(page.Apart) > 0 {
			fmt.Fprintf(w, "\nNot among them, since they see less of a state than the first: %s.\n",
				strings.Join(page.Apart, ", "))
		}
		textreport.Contrast(w, page.Contrast)
		if f.html != "" {
			fmt.Fprintf(w, "\nPage: %s\n", f.html)
		}
	})
}

// reportedRuns are the arguments that named the runs whose reports were read, by the IDs of these runs.
type reportedRuns map[string]string

// add refuses a report of a run that another argument has named.
func (r reportedRuns) add(d report.Data, name string) error {
	id := d.Run.ID
	if id == "" { // of an earlier version
		return nil
	}
	if other, ok := r[id]; ok {
		return fmt.Errorf("run %s is named twice, by %s and by %s: leave one out", id, other, name)
	}
	r[id] = name
	return nil
}

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
)

// printHeading names what follows.
func printHeading(w io.Writer, first bool, text string) {
	if !first {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s\n\n", text)
}

// printEval prints the table, costs in the file's units, and, with a student, how it agrees with the teacher.
func printEval(w io.Writer, out testset.Outcome, t evaluate.Table) {
	if len(out.Files) == 1 && (out.OwnUnits() || out.Scaled()) {
		printOne(w, out)
		printCuts(w, out)
	} else {
		printTable(w, t, out.Measured)
		printCuts(w, out)
		printFileCosts(w, out)
	}
	printNotes(w, out)
	if out.Student == nil {
		return
	}
	if a := out.Agreement; a != nil {
		fmt.Fprintf(w, "On %d states of the teacher's greedy solutions: top-1 %.1f %%, top-2 %.1f %%, coverage %.1f %%, KL %.4f nats.\n",
			a.States, 100*a.Top1, 100*a.Top2, 100*a.Coverage, a.Loss)
	}
	if words := otherTeacher(*out.Student, out.Policies[0].Name); words != "" {
		fmt.Fprintln(w, words)
	}
	fmt.Fprintf(w, "Edges in common with the teacher's solutions: %.1f ± %.1f %%.\n", 100*out.Overlap.Mean, 100*out.Overlap.Std)
	if words := out.Student.WriterWords("these programs"); words != "" {
		fmt.Fprintln(w, words)
	}
}

// otherTeacher says that the student learned from another teacher than the one it is compared with, or nothing.
func otherTeacher(student evaluate.Manifest, teacher string) string {
	if student.Teacher == "" || student.Teacher == teacher {
		return ""
	}
	return fmt.Sprintf("The student was distilled from %s: its gaps are to another teacher, %s.", student.Teacher, teacher)
}

// printCuts says where the time limit ended a search.
func printCuts(w io.Writer, out testset.Outcome) {
	for _, p := range out.Policies {
		if p.Cut > 0 {
			fmt.Fprintf(w, "%s: the time limit ended the search on %d of %d instances.\n", p.Name, p.Cut, out.Count)
		}
	}
}

// printFileCosts prints what was found in some modes, costs in the file's units where these are not the unit square's, and gaps to the best
// known solutions where there are any.
func printFileCosts(w io.Writer, modes ...testset.Outcome) {
	for _, out := range modes {
		switch {
		case out.OwnUnits():
			printInstances(w, out)
		case out.Scaled():
			printMeans(w, out)
		}
	}
	if modes[0].Policies[0].KnownGap != nil {
		printGaps(w, modes)
	}
}

// printMeans prints everybody's mean cost in the file's units, which no metric rounds.
func printMeans(w io.Writer, out testset.Outcome) {
	fmt.Fprintf(w, "\n%s, %s\n", filepath.Base(out.Instances), out.Decode.Words())
	var table terminal.Table
	table.Row("policy", "in the file's units")
	for _, p := range out.Policies {
		s := evaluate.Summarise(p.Unrounded, out.Seed)
		table.Row(p.Name, fmt.Sprintf("%.4f ± %.3f", s.Mean, s.Std))
	}
	table.Fprint(w)
	fmt.Fprintln(w, "The file's coordinates are not in the unit square: each instance by itself is scaled to it, so that means in the file's units\n"+
		"weigh the instances otherwise.")
}

// printGaps prints mean gaps to the best known solutions.
func printGaps(w io.Writer, modes []testset.Outcome) {
	units, head := modes[0].OwnUnits(), []string{"gap to best known"}
	for _, out := range modes {
		if head = append(head, out.Decode.Words()); units {
			head[len(head)-1] += ", rounded"
			head = append(head, "unrounded")
		}
	}
	fmt.Fprintln(w)
	var table terminal.Table
	table.Row(head...)
	cell := func(s *evaluate.Summary) string {
		return fmt.Sprintf("%+.2f %% %s", s.Mean, intervalCell(s.CI, 1, 2))
	}
	for _, p := range modes[0].Policies {
		cells := []string{p.Name}
		for _, out := range modes {
			for _, q := range out.Policies {
				if q.Name != p.Name {
					continue
				}
				if cells = append(cells, cell(q.KnownGap)); units {
					cells = append(cells, cell(q.KnownGapUnrounded))
				}
			}
		}
		table.Row(cells...)
	}
	table.Fprint(w)
	fmt.Fprintf(w, "Means of cost / best known - 1 over %d instances, with 95 %% bootstrap interval. ", modes[0].Policies[0].KnownGap.N)
	if units {
		fmt.Fprintln(w, "Best known costs are rounded as the file's metric says; unrounded lengths may fall below.")
	} else {
		fmt.Fprintln(w, "The file's solutions are the best known. Its metric has no rounding rule.")
	}
}

// printInstances prints a line per instance: the best known cost beside those of teacher and student, and the gaps of the
// baselines, or their costs where no best cost is known.
func printInstances(w io.Writer, out testset.Outcome) {
	fmt.Fprintf(w, "\n%s, %s\n", filepath.Base(out.Instances), out.Decode.Words())
	head, shown, named, known := []string{"instance", "nodes", "metric"}, []testset.Policy{}, 0, out.Policies[0].KnownGap != nil
	if known {
		head = append(head, "best known")
	}
	for _, kind := range []evaluate.Kind{evaluate.KindTeacher, evaluate.KindStudent} {
		if i := slices.IndexFunc(out.Policies, func(p testset.Policy) bool { return p.Kind == kind }); i >= 0 {
			shown, head, named = append(shown, out.Policies[i]), append(head, string(kind), "unrounded"), named+1
			if known {
				head = append(head, "gap")
			}
		}
	}
	for _, p := range out.Policies {
		if p.Kind == evaluate.KindBaseline {
			shown, head = append(shown, p), append(head, p.Name)
		}
	}
	var table terminal.Table
	table.Row(head...)
	for i, f := range out.Files {
		cells := []string{f.Name, fmt.Sprint(f.Nodes), string(f.Metric)}
		if known {
			best := "?"
			if f.BestKnown > 0 {
				best = costCell(f.BestKnown)
			}
			cells = append(cells, best)
		}
		for k, p := range shown {
			gap := gapCell(p.Rounded[i], f.BestKnown)
			if k < named {
				cells = append(cells, costCell(p.Rounded[i]), fmt.Sprintf("%.2f", p.Unrounded[i]))
			} else if f.BestKnown == 0 {
				gap = costCell(p.Rounded[i])
			}
			if known || k >= named {
				cells = append(cells, gap)
			}
		}
		table.Row(cells...)
	}
	table.Fprint(w)
	words := "Costs in the file's units: by its metric's rounding rule, edge by edge, and unrounded."
	switch {
	case known:
		words += " Gaps are those of rounded costs to the best known one."
	case len(shown) > named:
		words += " Those of baselines are rounded."
	}
	fmt.Fprintln(w, words)
	if below := out.BelowBest(shown); len(below) > 0 {
		what := "Below the best known cost"
		if problems.Must(out.Teacher.Problem).Traits().Depot {
			what += ", which may hold for the number of vehicles in the name only"
		}
		fmt.Fprintf(w, "%s: %s.\n", what, strings.Join(below, ", "))
	}
}

// Package textreport prints evaluations for a terminal: the comparison of policies, costs in a file's own units beside
// the best known solutions, and the paper's tables.
package textreport

import (
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/testset"
)

// Heading prints a heading. first says that nothing stands before it.
func Heading(w io.Writer, first bool, text string) {
	if !first {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s\n\n", text)
}

// Outcome prints the table, costs in the file's units, and, with a student, how it agrees with the teacher.
func Outcome(w io.Writer, out testset.Outcome, t evaluate.Table) {
	if len(out.Files) == 1 && (out.OwnUnits() || out.Scaled()) {
		oneInstance(w, out)
		cuts(w, out)
	} else {
		Table(w, t, out.Measured)
		cuts(w, out)
		fileCosts(w, out)
	}
	notes(w, out)
	if out.Student == nil {
		return
	}
	if a := out.Agreement; a != nil {
		fmt.Fprintf(w, "On %d states of the teacher's greedy solutions: top-1 %s (rules mixed %s, one rule a step "+
			"%s), top-2 %s, coverage %s, KL %.4f nats.\n", a.States, decimal.Percent(a.Top1), decimal.Percent(a.Mixed),
			decimal.Percent(a.Hard), decimal.Percent(a.Top2), decimal.Percent(a.Coverage), a.Loss)
	}
	if words := otherTeacher(*out.Student, out.Policies[0].Name); words != "" {
		fmt.Fprintln(w, words)
	}
	fmt.Fprintf(w, "Edges in common with the teacher's solutions: %.1f ± %.1f %%.\n", 100*out.Overlap.Mean,
		100*out.Overlap.Std)
	if words := out.Student.WriterWords("these programs"); words != "" {
		fmt.Fprintln(w, words)
	}
}

// otherTeacher says that the student learned from another teacher than the one it is compared with, or nothing.
func otherTeacher(student distilled.Manifest, teacher string) string {
	if student.Teacher == "" || student.Teacher == teacher {
		return ""
	}
	return fmt.Sprintf("The student was distilled from %s: its gaps are to another teacher, %s.", student.Teacher,
		teacher)
}

// cuts says where the time limit ended a search.
func cuts(w io.Writer, out testset.Outcome) {
	for _, p := range out.Policies {
		if p.Cut > 0 {
			fmt.Fprintf(w, "%s: the time limit ended the search on %d of %d instances.\n", p.Name, p.Cut, out.Count)
		}
	}
}

// fileCosts prints what was found in some modes, costs in the file's units where these are not the unit square's, and
// gaps to the best known solutions where there are any.
func fileCosts(w io.Writer, modes ...testset.Outcome) {
	for _, out := range modes {
		switch {
		case out.OwnUnits():
			instanceTable(w, out)
		case out.Scaled():
			meansTable(w, out)
		}
	}
	if modes[0].Policies[0].KnownGap != nil {
		gapsTable(w, modes)
	}
}

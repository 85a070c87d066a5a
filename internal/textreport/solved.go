package textreport

import (
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
)

// solvedShown is how many instances of a set Solved prints.
const solvedShown = 20

// Solved prints what a student's solutions cost in the file's units, beside the classic methods and the best known
// solutions: a line for each of the first instances, and the means of all.
func Solved(w io.Writer, out testset.Solved) error {
	rounds, known, depot := false, false, problems.Must(out.Student.Problem).Traits().Depot
	for _, f := range out.Files {
		rounds = rounds || f.Metric.Rounds()
		known = known || f.BestKnown > 0
	}
	var table terminal.Table
	head := []string{"instance", "nodes", "metric", "student"}
	if rounds {
		head = append(head, "unrounded")
	}
	if depot {
		head = append(head, "routes")
	}
	for _, p := range out.Policies[1:] {
		head = append(head, p.Name, "student to "+p.Name)
	}
	if known {
		head = append(head, "best known", "student to best known")
	}
	table.Row(head...)
	student := out.Policies[0]
	for i, f := range out.Files[:min(solvedShown, len(out.Files))] {
		cells := []string{f.Name, fmt.Sprint(f.Nodes), string(f.Metric), costCell(student.Rounded[i])}
		if rounds {
			cells = append(cells, fmt.Sprintf("%.2f", student.Unrounded[i]))
		}
		if depot {
			cells = append(cells, fmt.Sprint(len(routing.Routes(student.Tours[i]))))
		}
		for _, p := range out.Policies[1:] {
			cells = append(cells, costCell(p.Rounded[i]), gapCell(student.Rounded[i], p.Rounded[i]))
		}
		if known && f.BestKnown > 0 {
			cells = append(cells, costCell(f.BestKnown), gapCell(student.Rounded[i], f.BestKnown))
		}
		table.Row(cells...)
	}
	if err := table.Fprint(w); err != nil {
		return err
	}
	if more := len(out.Files) - solvedShown; more > 0 {
		fmt.Fprintf(w, "… and %d more: --json has all of them.\n", more)
	}
	fmt.Fprintln(w)
	if len(out.Files) > 1 {
		solvedMeans(w, out)
	}
	fmt.Fprint(w, belowBest(out.Student.Problem, testset.BelowBest(out.Student.Problem, out.Files, out.Policies)))
	for _, note := range out.Notes {
		fmt.Fprintln(w, note)
	}
	fmt.Fprintf(w, "%s %.3f s an instance.\n", out.Start, student.Seconds)
	return nil
}

// solvedMeans prints everybody's mean cost, and the student's mean gap to the best known solutions.
func solvedMeans(w io.Writer, out testset.Solved) {
	fmt.Fprintf(w, "Means of %d instances, in the file's units:", len(out.Files))
	for i, p := range out.Policies {
		comma := ","
		if i == 0 {
			comma = ""
		}
		fmt.Fprintf(w, "%s %s %s", comma, p.Name, costCell(mean(p.Rounded)))
		if i > 0 {
			fmt.Fprintf(w, " (student %s)", gapCell(mean(out.Policies[0].Rounded), mean(p.Rounded)))
		}
	}
	fmt.Fprintln(w, ".")
	if gap := out.Policies[0].KnownGap; gap != nil {
		fmt.Fprintf(w, "The student's mean gap to the best known solutions: %s.\n", decimal.Gap(gap.Mean))
	}
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

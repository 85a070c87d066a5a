package textreport

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
)

func notes(w io.Writer, out testset.Outcome) {
	for _, note := range out.Notes {
		fmt.Fprintln(w, note)
	}
}

// oneInstance prints everybody's cost of a single instance in its file's units.
func oneInstance(w io.Writer, out testset.Outcome) {
	f, teacher := out.Files[0], out.Policies[0]
	rounds := f.Metric.Rounds()
	head := []string{"policy", out.Decode.Words()}
	if rounds {
		head = append(head, "unrounded")
	}
	head = append(head, "gap to teacher")
	if f.BestKnown > 0 {
		head = append(head, "gap to best known")
	}
	if out.Agreement != nil {
		head = append(head, "top-1")
	}
	var table terminal.Table
	table.Row(head...)
	for i, p := range out.Policies {
		cells := []string{p.Name, costCell(p.Rounded[0])}
		if p.Kind == evaluate.KindHeuristic {
			cells[0] = "  " + p.Name
		}
		if rounds {
			cells = append(cells, fmt.Sprintf("%.2f", p.Unrounded[0]))
		}
		gap := gapCell(p.Rounded[0], teacher.Rounded[0])
		if i == 0 {
			gap = ""
		}
		cells = append(cells, gap)
		if f.BestKnown > 0 {
			cells = append(cells, gapCell(p.Rounded[0], f.BestKnown))
		}
		if p.Top1 != nil {
			cells = append(cells, decimal.Percent(*p.Top1))
		}
		table.Row(cells...)
	}
	table.Fprint(w)
	fmt.Fprintf(w, "\n%s: %s of %d nodes, %s", filepath.Base(out.Instances), f.Name, f.Nodes, f.Metric)
	if f.BestKnown > 0 {
		fmt.Fprintf(w, ", best known %s", costCell(f.BestKnown))
	}
	fmt.Fprintln(w, ". Costs are in the file's units.")
	if rounds {
		fmt.Fprintln(w, "They are rounded edge by edge as the metric says, and unrounded. Gaps are those of rounded "+
			"costs.")
	}
	fmt.Fprint(w, belowBest(out.Teacher.Problem, testset.BelowBest(out.Teacher.Problem, out.Files, out.Policies)))
	fmt.Fprintln(w, out.Start)
}

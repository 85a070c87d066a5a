package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/epb-nco/epb/internal/evaluate"
)

// printTable prints a comparison for a terminal: costs with standard deviation, and gaps to the teacher with their 95 %
// interval. Modes that no row has are left out.
func printTable(w io.Writer, t evaluate.Table) {
	modes, top1 := t.Modes(), false
	head := []string{"policy"}
	for _, mode := range modes {
		head = append(head, mode.Words(), "gap to teacher")
	}
	for _, r := range t.Rows {
		top1 = top1 || r.Top1 != nil
	}
	if top1 {
		head = append(head, "top-1")
	}
	show, flush := columns(w, head...)
	for _, r := range t.Rows {
		cells := []string{r.Name}
		if r.Kind == evaluate.KindHeuristic {
			cells[0] = "  " + r.Name
		}
		for _, mode := range modes {
			cells = append(cells, scoreCells(r.Score(mode))...)
		}
		if top1 && r.Top1 != nil {
			cells = append(cells, fmt.Sprintf("%.1f %%", 100**r.Top1))
		}
		show(cells...)
	}
	flush()
	fmt.Fprintf(w, "\n%d instances of %s in the unit square; mean ± standard deviation, gap of the means with 95 %% bootstrap interval.\n%s\n",
		t.Instances, t.Sizes(), t.Start)
}

func scoreCells(s *evaluate.Score) []string {
	if s == nil {
		return []string{"", ""}
	}
	gap := ""
	if s.Gap != (evaluate.Gap{}) {
		gap = fmt.Sprintf("%+.2f %% [%.2f, %.2f]", s.Gap.Percent, s.Gap.CI.Lo, s.Gap.CI.Hi)
	}
	return []string{fmt.Sprintf("%.4f ± %.3f", s.Cost.Mean, s.Cost.Std), gap}
}

// columns returns how to add a line to a table with this head, and how to print it.
func columns(w io.Writer, head ...string) (show func(cells ...string), flush func()) {
	var lines bytes.Buffer
	tw := tabwriter.NewWriter(&lines, 0, 0, 3, ' ', 0)
	show = func(cells ...string) {
		// A column ends at a line without it.
		fmt.Fprintln(tw, strings.Join(append(cells, make([]string, len(head)-len(cells))...), "\t"))
	}
	show(head...)
	return show, func() {
		tw.Flush()
		for line := range strings.Lines(lines.String()) {
			fmt.Fprintln(w, strings.TrimRight(line, " \n"))
		}
	}
}

package main

import (
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
	tw := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(tw, strings.Join(head, "\t"))
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
		fmt.Fprintln(tw, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	tw.Flush()
	fmt.Fprintf(w, "\n%d instances of %s nodes in the unit square; mean ± standard deviation, gap of the means with 95 %% bootstrap interval.\n%s\n",
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

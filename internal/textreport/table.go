package textreport

import (
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/terminal"
)

// Table prints a comparison for a terminal: costs with standard deviation, and gaps to the teacher with their 95 %
// interval; of one instance there is neither. Modes that no row has are left out, and a mode that was tested on fewer
// instances than the table says on how many. measured says how costs are measured.
func Table(w io.Writer, t evaluate.Table, measured string) {
	modes, top1, natures := t.Modes(), false, false
	head := []string{"policy"}
	for _, mode := range modes {
		head = append(head, columnOf(t, mode), "gap to teacher")
	}
	for _, r := range t.Rows {
		top1, natures = top1 || r.Top1 != nil, natures || r.Nature != nil
	}
	if top1 {
		head = append(head, "top-1")
	}
	if natures {
		head = append(head, "class", "cost", "lines/nodes")
	}
	var table terminal.Table
	table.Row(head...)
	for _, r := range t.Rows {
		cells := []string{r.Name}
		if r.Kind == evaluate.KindHeuristic {
			cells[0] = "  " + r.Name
		}
		for _, mode := range modes {
			cells = append(cells, scoreCells(r, mode)...)
		}
		switch {
		case r.Top1 != nil:
			cells = append(cells, decimal.Percent(*r.Top1))
		case top1:
			cells = append(cells, "")
		}
		if n := r.Nature; n != nil {
			cells = append(cells, string(n.Class), n.Cost, fmt.Sprintf("%d/%d", n.Lines, n.Nodes))
		}
		table.Row(cells...)
	}
	table.Fprint(w)
	fmt.Fprintln(w)
	if t.Instances == 1 {
		fmt.Fprintf(w, "Costs of 1 instance of %s, %s.\n%s\n", t.Sizes(), measured, t.Start)
		return
	}
	fmt.Fprintf(w, "%d instances of %s, %s; mean ± standard deviation, gap of the means with 95 %% bootstrap "+
		"interval.\n",
		t.Instances, t.Sizes(), measured)
	if natures {
		fmt.Fprintln(w, "Class, cost of a state (K candidates), lines and syntax nodes count all that a program calls.")
	}
	for _, mode := range t.Fewer() {
		fmt.Fprintf(w, "%s: the first %d of them.\n", columnOf(t, mode), t.Tested(mode))
	}
	fmt.Fprintln(w, t.Start)
}

// columnOf is the head of a mode's column: its name and, if it was tested on fewer instances than the table has, on how
// many.
func columnOf(t evaluate.Table, mode evaluate.Mode) string {
	if n := t.Tested(mode); n != t.Instances {
		return fmt.Sprintf("%s (%d)", mode.Words(), n)
	}
	return mode.Words()
}

// scoreCells are a policy's cost in a mode and its gap to the teacher, which has none itself.
func scoreCells(r evaluate.Row, mode evaluate.Mode) []string {
	s := r.Costing(mode)
	if s == nil {
		return []string{"", ""}
	}
	cost, gap := fmt.Sprintf("%.4f", s.Cost.Mean), decimal.Gap(s.Gap.Percent)
	if s.Cost.N > 1 {
		cost += fmt.Sprintf(" ± %.3f", s.Cost.Std)
		gap += " " + intervalCell(s.Cost.N, s.Gap.CI, 1, 2)
	}
	if r.Kind == evaluate.KindTeacher {
		gap = ""
	}
	return []string{cost, gap}
}

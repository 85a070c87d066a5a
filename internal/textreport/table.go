package textreport

import (
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/terminal"
)

// Table prints a comparison for a terminal: costs with standard deviation, and gaps to the teacher with their 95 %
// interval; of one instance there is neither. Modes that no row has are left out. measured says how costs are measured.
func Table(w io.Writer, t evaluate.Table, measured string) {
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
		if top1 && r.Top1 != nil {
			cells = append(cells, fmt.Sprintf("%.1f %%", 100**r.Top1))
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
		"interval.\n%s\n",
		t.Instances, t.Sizes(), measured, t.Start)
}

// scoreCells are a policy's cost in a mode and its gap to the teacher, which has none itself.
func scoreCells(r evaluate.Row, mode evaluate.Mode) []string {
	s := r.Score(mode)
	if s == nil {
		return []string{"", ""}
	}
	cost, gap := fmt.Sprintf("%.4f", s.Cost.Mean), fmt.Sprintf("%+.2f %%", s.Gap.Percent)
	if s.Cost.N > 1 {
		cost += fmt.Sprintf(" ± %.3f", s.Cost.Std)
		gap += " " + intervalCell(s.Gap.CI, 1, 2)
	}
	if r.Kind == evaluate.KindTeacher {
		gap = ""
	}
	return []string{cost, gap}
}

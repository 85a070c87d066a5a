package compare

import (
	"fmt"
	"io"
	"slices"

	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/terminal"
)

// PrintTable prints a line per run and, where some differ in their seed alone, a line per group. all are the groups of
// the runs.
func PrintTable(w io.Writer, runs []report.Data, all []Group) {
	table := terminal.Table{Right: true, Gap: 2}
	teachers := TeachersOf(runs)
	head := func(cells ...string) {
		if teachers != nil {
			cells = append(cells, "teacher")
		}
		for _, m := range MeasuresOf(runs) {
			cells = append(cells, m.Name)
		}
		table.Row(cells...)
	}
	line := func(name, seed string, s Group) {
		cells := []string{name, seed}
		if teachers != nil {
			cells = append(cells, teachers.Of(s.Runs[0]))
		}
		for _, m := range MeasuresOf(runs) {
			values := s.Values(m.Known)
			cells = append(cells, m.Cell(values))
		}
		table.Row(cells...)
	}
	head("run", "seed")
	for _, d := range runs {
		line(d.Run.ID, fmt.Sprint(d.Config.Seed), Group{Runs: []report.Data{d}})
	}
	table.Fprint(w)
	if !slices.ContainsFunc(all, func(s Group) bool { return len(s.Seeds()) > 1 }) {
		return
	}
	fmt.Fprintln(w, "\nover seeds: mean ± standard deviation")
	table = terminal.Table{Right: true, Gap: 2}
	head("runs", "seeds")
	for _, s := range all {
		line(s.Name, fmt.Sprint(len(s.Seeds())), s)
	}
	table.Fprint(w)
}

// PrintHistories prints validation top-1 of every group, an epoch a line, as the page draws it.
func PrintHistories(w io.Writer, all []Group) {
	fmt.Fprintln(w, "\nvalidation top-1 by epoch")
	table := terminal.Table{Right: true, Gap: 2}
	top1 := Measure{Digits: 2, Unit: Share}
	head, longest := []string{"epoch"}, 0
	for _, s := range all {
		head = append(head, s.Name)
		longest = max(longest, s.Longest())
	}
	table.Row(head...)
	for e := range longest {
		cells := []string{fmt.Sprint(e + 1)}
		for _, s := range all {
			values := s.At(e, func(at report.Epoch) float64 { return at.ValTop1 })
			cells = append(cells, top1.Cell(values))
		}
		table.Row(cells...)
	}
	table.Fprint(w)
}

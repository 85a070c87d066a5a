package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/terminal"
)

// line is a row of the table of runs: of one, or of a group with several seeds.
type line struct {
	Name, Seed, Teacher string // Seed is the number of seeds of a group
	Group               bool
	Cells               []string // by measure
}

// lines returns the table of runs with their measures, and below it that of the groups with several seeds.
func lines(runs []report.Data, groups []Group, measures []Measure) (rows []line) {
	teachers := TeachersOf(runs)
	add := func(row line, of Group) {
		row.Teacher = teachers.Of(of.Runs[0])
		for _, m := range measures {
			row.Cells = append(row.Cells, m.Cell(of.Values(m.Known)))
		}
		rows = append(rows, row)
	}
	for _, d := range runs {
		add(line{Name: d.Run.ID, Seed: fmt.Sprint(d.Config.Seed)}, Group{Runs: []report.Data{d}})
	}
	for _, g := range groups {
		if n := len(g.Seeds()); n > 1 {
			add(line{Name: g.Name, Seed: fmt.Sprint(n), Group: true}, g)
		}
	}
	return rows
}

// PrintTable prints a line per run and, where some differ in their seed alone, a line per group of several seeds. all
// are the groups of the runs.
func PrintTable(w io.Writer, runs []report.Data, all []Group) {
	several, measures := TeachersOf(runs) != nil, measuresOf(runs)
	show := func(rows []line, head ...string) {
		table := terminal.Table{Right: true, Gap: 2}
		if several {
			head = append(head, "teacher")
		}
		for _, m := range measures {
			head = append(head, m.Name)
		}
		table.Row(head...)
		for _, row := range rows {
			cells := []string{row.Name, row.Seed}
			if several {
				cells = append(cells, row.Teacher)
			}
			table.Row(append(cells, row.Cells...)...)
		}
		table.Fprint(w)
	}
	rows := lines(runs, all, measures) // the groups last
	n := len(runs)
	show(rows[:n], "run", "seed")
	for i, text := range legendOf(measures, runs) {
		if i == 0 {
			fmt.Fprintln(w)
		}
		terminal.Wrapped(w, text)
	}
	if len(rows) == n {
		return
	}
	fmt.Fprintln(w, "\nover seeds: mean ± standard deviation")
	show(rows[n:], "runs", "seeds")
}

// legendOf says of the measures that are shown what they were measured on, in which unit, and what their names mean.
func legendOf(measures []Measure, runs []report.Data) (lines []string) {
	var states, gaps, notes []string
	nats := ""
	for _, m := range measures {
		switch m.Unit {
		case Nats:
			states, nats = append(states, m.Name), fmt.Sprintf("; %s in nats", m.Name)
		case Share:
			states = append(states, m.Name)
		case Gap:
			gaps = append(gaps, m.Name)
		}
		if m.Note != "" && !slices.Contains(notes, m.Note) {
			notes = append(notes, m.Note)
		}
	}
	if len(states) > 0 {
		lines = append(lines, strings.Join(states, ", ")+": of test states"+nats)
	}
	if len(gaps) > 0 {
		lines = append(lines, strings.Join(gaps, ", ")+": gaps of greedy solutions to "+whose(runs)+
			tested(runs))
	}
	for _, d := range runs {
		if d.Teacher.Asked != "" {
			lines = append(lines, fmt.Sprintf("%s: measured against %s, and distilled from %s", d.Run.ID,
				d.Teacher.Asked, d.Teacher.Name))
		}
	}
	if len(notes) > 0 {
		lines = append(lines, strings.Join(notes, "; "))
	}
	return lines
}

// whose says whom gaps are measured against.
func whose(runs []report.Data) string {
	if slices.ContainsFunc(runs, func(d report.Data) bool { return d.Teacher.Asked != "" }) {
		return "the run’s own teacher, or to the one that the legend of the runs names"
	}
	return "the run’s own teacher"
}

// tested says on how many instances the gaps of runs were measured, "" where no run says it.
func tested(runs []report.Data) string {
	var all []int
	for _, d := range runs {
		if n := d.Table.Instances; n > 0 {
			all = append(all, n)
		}
	}
	switch {
	case len(all) == 0:
		return ""
	case slices.Min(all) == slices.Max(all):
		return fmt.Sprintf(", on %d test instances of each run", all[0])
	}
	return fmt.Sprintf(", on %d to %d test instances of each run", slices.Min(all), slices.Max(all))
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

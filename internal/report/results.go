package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/paper"
)

// resultRow is a line of the table of results: a policy, or the paper's figures for it.
type resultRow struct {
	Name, Class string
	Cells       []resultCell // [decode modes]
	Top1        *float64
}

type resultCell struct{ Cost, Std, Gap, CI string }

// results sets the paper's figures below the teacher's and the student's if it has any for the same experiment.
func results(d Data) []resultRow {
	modes := d.Table.Modes()
	paper, inPaper := paperRow(d)
	var rows []resultRow
	seen := map[evaluate.Kind]bool{}
	for _, r := range d.Table.Rows {
		row := resultRow{Name: r.Name, Class: string(r.Kind), Top1: r.Top1}
		given := resultRow{Name: fmt.Sprintf("%s in the paper", r.Kind), Class: "paper"}
		for _, mode := range modes {
			row.Cells = append(row.Cells, scoreCell(r, mode))
			given.Cells = append(given.Cells, paperCell(paper, r.Kind, mode))
		}
		rows = append(rows, row)
		if inPaper && !seen[r.Kind] && (r.Kind == evaluate.KindTeacher || r.Kind == evaluate.KindStudent) {
			rows = append(rows, given)
		}
		seen[r.Kind] = true
	}
	return rows
}

func scoreCell(r evaluate.Row, mode evaluate.Mode) resultCell {
	s := r.Costing(mode)
	if s == nil {
		return resultCell{}
	}
	c := resultCell{Cost: number(s.Cost.Mean, 3), Std: number(s.Cost.Std, 2)}
	if r.Kind != evaluate.KindTeacher {
		c.Gap, c.CI = percent(s.Gap.Percent), number(s.Gap.CI.Lo, 2)+", "+number(s.Gap.CI.Hi, 2)
	}
	return c
}

func paperCell(row paper.Row, kind evaluate.Kind, mode evaluate.Mode) resultCell {
	var cells paper.Cells
	switch mode {
	case evaluate.Greedy:
		cells = row.Greedy
	case paper.Search(row.Arch):
		cells = row.Search
	default:
		return resultCell{}
	}
	if kind == evaluate.KindTeacher {
		return resultCell{Cost: number(cells.Teacher, 3)}
	}
	return resultCell{Cost: number(cells.Student, 3), Gap: percent(cells.Gap)}
}

// experiment returns the run as an experiment of the paper. The test instances have the size of the training
// instances.
func experiment(d Data) paper.Experiment {
	return paper.Experiment{Arch: d.Teacher.Arch, Problem: d.Config.Problem, Size: d.Config.Nodes}
}

func paperRow(d Data) (paper.Row, bool) {
	i := slices.IndexFunc(paper.Table1, func(r paper.Row) bool { return r.Experiment == experiment(d) })
	if i < 0 {
		return paper.Row{}, false
	}
	return paper.Table1[i], true
}

// overlapRow is a line of the table of common edges.
type overlapRow struct {
	Mode      evaluate.Mode
	Overlap   string
	Identical float64
	Paper     string
}

func overlaps(d Data) []overlapRow {
	i := slices.IndexFunc(paper.Overlaps, func(r paper.Overlap) bool { return r.Experiment == experiment(d) })
	spread := func(mean, std float64) string { return number(mean, 1) + " ± " + number(std, 1) + "\u00a0%" }
	var rows []overlapRow
	for _, mode := range d.Table.Modes() {
		o, ok := d.Overlap[mode]
		if !ok {
			continue
		}
		row := overlapRow{Mode: mode, Overlap: spread(100*o.Mean, 100*o.Std), Identical: o.Identical}
		if i >= 0 {
			switch p := paper.Overlaps[i]; mode {
			case evaluate.Greedy:
				row.Paper = spread(p.Greedy, p.GreedyStd)
			case paper.Search(p.Arch):
				row.Paper = spread(p.Search, p.SearchStd)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Searched names the searches that ran on fewer instances than the table shows, each in a sentence.
func (p page) Searched() string {
	var notes []string
	for _, mode := range p.Table.Fewer() {
		notes = append(notes, fmt.Sprintf("%s on the first %s instances.", modeName(mode), count(p.Table.Tested(mode))))
	}
	return strings.Join(notes, " ")
}

// OverlapInPaper reports whether the paper has such an overlap.
func (p page) OverlapInPaper() bool {
	return slices.ContainsFunc(p.Overlaps, func(r overlapRow) bool { return r.Paper != "" })
}

// InPaper reports whether the paper has figures for this teacher, problem and size.
func (p page) InPaper() bool {
	_, ok := paperRow(p.Data)
	return ok
}

// modeName returns a decode mode as a heading.
func modeName(m evaluate.Mode) string {
	words := m.Words()
	return strings.ToUpper(words[:1]) + words[1:]
}

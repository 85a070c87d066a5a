package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/routing"
)

// printPaper prints the paper's tables 1 and 3 and its table of edge overlap, and beneath each setting's line what was found here.
func printPaper(w io.Writer, in evalInput, c evaluate.Comparison) {
	s, uniform := paperSetting(in)
	search := in.mode()
	ours := func(show func(cells ...string)) {
		cells := append([]string{"", "", "", "ours"}, paperCells(c.Table, evaluate.Greedy)...)
		show(append(cells, paperCells(c.Table, search)...)...)
	}
	place := 0
	if s.Unseen {
		place = 1
	}
	for i, table := range [][]evaluate.PaperRow{evaluate.PaperTable1, evaluate.PaperTable3} {
		title := []string{"Table 1. Teacher vs. student (mean cost)", "\nTable 3. Unseen sizes (mean cost)"}[i]
		fmt.Fprintln(w, title)
		show, flush := columns(w, "model", "problem", "size", "", "greedy: teacher", "student", "gap", "search: teacher", "student", "gap")
		for _, row := range table {
			name := append(settingCells(row.Setting), "paper")
			show(append(name, append(givenCells(row.Greedy), givenCells(row.Search)...)...)...)
			if uniform && row.Setting == s {
				ours(show)
			}
		}
		if i == place && (!uniform || !evaluate.InPaper(s)) {
			show(append(settingCells(s), "not in the paper")...)
			ours(show)
		}
		flush()
	}
	printPaperOverlap(w, s, uniform, search, c)
	fmt.Fprintln(w, "\nOurs with 95 % bootstrap intervals over instances. Where this is not the paper's setting:")
	if !uniform {
		fmt.Fprintln(w, "- The instances are not uniform ones of one size, as the paper's are: they stand on lines of their own.")
	}
	var manifest *evaluate.Manifest
	if in.student != nil {
		manifest = &in.student.Manifest
	}
	for _, line := range evaluate.Differences(s, c.Table, search, manifest) {
		fmt.Fprintln(w, "-", line)
	}
}

// paperSetting returns the setting in the paper's terms. Uniform says that the instances may be the paper's: unrounded lengths in
// the unit square, all of one size.
func paperSetting(in evalInput) (s evaluate.Setting, uniform bool) {
	info := in.teacher.Info()
	s = evaluate.Setting{Arch: info.Arch, Problem: info.Problem, Size: in.insts[0].N()}
	if s.Problem == routing.CVRP {
		s.Size--
	}
	if in.student != nil {
		s.Unseen = in.student.Manifest.Nodes != s.Size
	}
	foreign := func(f instances.File) bool { return f.Metric != instances.Euclidean || f.Span != 1 }
	return s, in.oneSize() && !slices.ContainsFunc(in.files, foreign)
}

func printPaperOverlap(w io.Writer, s evaluate.Setting, uniform bool, search evaluate.Mode, c evaluate.Comparison) {
	fmt.Fprintln(w, "\nUndirected edge overlap of teacher's and student's tours (mean ± std)")
	show, flush := columns(w, "model", "problem", "size", "", "greedy", "search")
	ours := func() {
		g, m := c.Overlap[evaluate.Greedy], c.Overlap[search]
		show("", "", "", "ours", overlapCell(100*g.Mean, 100*g.Std), overlapCell(100*m.Mean, 100*m.Std))
	}
	found := false
	for _, row := range evaluate.PaperOverlaps {
		show(append(settingCells(row.Setting), "paper", overlapCell(row.Greedy, row.GreedyStd), overlapCell(row.Search, row.SearchStd))...)
		if uniform && row.Setting == s && c.Overlap != nil {
			ours()
			found = true
		}
	}
	if !found && c.Overlap != nil {
		show(append(settingCells(s), "not in the paper")...)
		ours()
	}
	flush()
}

func overlapCell(mean, std float64) string { return fmt.Sprintf("%.1f ± %.1f %%", mean, std) }

func settingCells(s evaluate.Setting) []string {
	return []string{strings.ToUpper(s.Arch), strings.ToUpper(string(s.Problem)), fmt.Sprint(s.Size)}
}

func givenCells(c evaluate.PaperCells) []string {
	return []string{fmt.Sprintf("%.3f", c.Teacher), fmt.Sprintf("%.3f", c.Student), fmt.Sprintf("%+.2f %%", c.Gap)}
}

// paperCells are teacher, student and gap in a mode, with their intervals.
func paperCells(t evaluate.Table, mode evaluate.Mode) []string {
	cells := []string{"", "", ""}
	mean := func(s *evaluate.Score) string {
		return fmt.Sprintf("%.3f [%.3f, %.3f]", s.Cost.Mean, s.Cost.CI.Lo, s.Cost.CI.Hi)
	}
	if row, ok := t.Find(evaluate.KindTeacher); ok {
		cells[0] = mean(row.Score(mode))
	}
	if row, ok := t.Find(evaluate.KindStudent); ok {
		s := row.Score(mode)
		cells[1], cells[2] = mean(s), fmt.Sprintf("%+.2f %% [%.2f, %.2f]", s.Gap.Percent, s.Gap.CI.Lo, s.Gap.CI.Hi)
	}
	return cells
}

// columns returns how to add a line to a table with this head, and how to print it.
func columns(w io.Writer, head ...string) (show func(cells ...string), flush func()) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	show = func(cells ...string) { fmt.Fprintln(tw, strings.TrimRight(strings.Join(cells, "\t"), "\t ")) }
	show(head...)
	return show, func() { tw.Flush() }
}

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/terminal"

	"github.com/epb-nco/epb/internal/paper"
	"github.com/epb-nco/epb/internal/testset"
)

// printPaper prints the paper's tables 1 and 3 and its table of edge overlap, what was found here beneath the closest line
// of the paper's, and then what the paper has no table for: instances in their own units, and the baselines.
func printPaper(w io.Writer, f evalFlags, in evalInput, found []testset.Result) error {
	var results []paper.Result
	for _, r := range found {
		results = append(results, paper.Of(r.Files, r.Comparison, in.teacher.Info(), in.mode(), in.trained()))
	}
	settings := printPaperCosts(w, in.mode(), results)
	printPaperOverlap(w, in.mode(), results)
	for _, r := range found {
		if err := printOwnUnits(w, f, in, r); err != nil {
			return err
		}
	}
	if f.baselines {
		for _, r := range found {
			printHeading(w, false, "Everybody on "+filepath.Base(r.Path))
			printTable(w, r.Comparison.Table, r.Measured())
		}
	}
	fmt.Fprintln(w, "\nOurs are means over instances with 95 % bootstrap intervals. Where they are not the paper's:")
	for i, r := range results {
		for _, line := range r.Words(settings) {
			fmt.Fprintf(w, "- %s: %s\n", filepath.Base(found[i].Path), line)
		}
	}
	if in.student != nil {
		if words := otherTeacher(in.student.Manifest, in.teacher.Name()); words != "" {
			fmt.Fprintln(w, "-", words)
		}
	}
	for _, line := range paper.Differences(in.teacher.Info().Arch, in.mode(), in.trained()) {
		fmt.Fprintln(w, "-", line)
	}
	return nil
}

// printPaperCosts prints tables 1 and 3, and returns the settings of their lines.
func printPaperCosts(w io.Writer, search evaluate.Mode, results []paper.Result) (settings []paper.Setting) {
	for _, row := range slices.Concat(paper.Table1, paper.Table3) {
		settings = append(settings, row.Setting)
	}
	placed := paper.Place(results, settings)
	at := 0
	for i, rows := range [][]paper.Row{paper.Table1, paper.Table3} {
		title := []string{"Table 1. Teacher vs. student (mean cost)", "\nTable 3. Unseen sizes (mean cost)"}[i]
		fmt.Fprintln(w, title)
		var table terminal.Table
		table.Row("model", "problem", "size", "",
			"greedy: teacher", "student", "gap", "search: teacher", "student", "gap")
		for _, row := range rows {
			table.Row(slices.Concat(row.Setting.Words(), []string{"paper"}, givenCells(row.Greedy), givenCells(row.Search))...)
			for _, p := range placed[at] {
				means, intervals := costCells(p.Comparison.Table, evaluate.Greedy, search)
				table.Row(slices.Concat(p.Setting.Words(), []string{p.Label()}, means)...)
				table.Row(slices.Concat([]string{"", "", "", sampleCell(p)}, intervals)...)
			}
			at++
		}
		table.Fprint(w)
	}
	return settings
}

func sampleCell(p paper.Placed) string {
	return fmt.Sprintf("  95 %%, %d instances", p.Comparison.Table.Instances)
}

func printPaperOverlap(w io.Writer, search evaluate.Mode, results []paper.Result) {
	fmt.Fprintln(w, "\nUndirected edge overlap of teacher's and student's tours (mean ± std)")
	var table terminal.Table
	table.Row("model", "problem", "size", "", "greedy", "search")
	var settings []paper.Setting
	for _, row := range paper.Overlaps {
		settings = append(settings, row.Setting)
	}
	placed := paper.Place(results, settings)
	ours := func(p paper.Placed, label string) {
		if p.Comparison.Overlap == nil {
			return
		}
		g, m := p.Comparison.Overlap[evaluate.Greedy], p.Comparison.Overlap[search]
		table.Row(append(p.Setting.Words(), label, overlapCell(100*g.Mean, 100*g.Std), overlapCell(100*m.Mean, 100*m.Std))...)
		table.Row("", "", "", sampleCell(p), intervalCell(g.CI, 100, 1), intervalCell(m.CI, 100, 1))
	}
	for i, row := range paper.Overlaps {
		greedy, search := overlapCell(row.Greedy, row.GreedyStd), overlapCell(row.Search, row.SearchStd)
		table.Row(append(row.Setting.Words(), "paper", greedy, search)...)
		for _, p := range placed[i] {
			ours(p, p.Label())
		}
	}
	for _, p := range placed[-1] {
		ours(p, "ours (not in the paper)")
	}
	table.Fprint(w)
}

// printOwnUnits prints what a file says of its instances beside what was found, in either mode, if it says anything.
func printOwnUnits(w io.Writer, f evalFlags, in evalInput, r testset.Result) error {
	var outs []testset.Outcome
	for _, mode := range in.modes {
		out, err := r.Outcome(mode, in.teacher.Info(), in.trained(), f.seed)
		if err != nil {
			return err
		}
		outs = append(outs, out)
	}
	known := outs[0].Policies[0].KnownGap != nil
	if !outs[0].OwnUnits() && !outs[0].Scaled() && !known {
		return nil
	}
	against := "in the file's units"
	if known {
		against = "against the best known solutions"
	}
	t := r.Comparison.Table
	fmt.Fprintf(w, "\n%s: %d instances of %s, %s\n", filepath.Base(r.Path), t.Instances, t.Sizes(), against)
	printFileCosts(w, outs...)
	printNotes(w, outs[0])
	return nil
}

func overlapCell(mean, std float64) string { return fmt.Sprintf("%.1f ± %.1f %%", mean, std) }

func intervalCell(i evaluate.Interval, scale float64, digits int) string {
	return fmt.Sprintf("[%.*f, %.*f]", digits, scale*i.Lo, digits, scale*i.Hi)
}

func givenCells(c paper.Cells) []string {
	return []string{fmt.Sprintf("%.3f", c.Teacher), fmt.Sprintf("%.3f", c.Student), fmt.Sprintf("%+.2f %%", c.Gap)}
}

// costCells are teacher, student and gap in each mode, and their intervals.
func costCells(t evaluate.Table, modes ...evaluate.Mode) (means, intervals []string) {
	for _, mode := range modes {
		mean, interval := []string{"", "", ""}, []string{"", "", ""}
		for k, kind := range []evaluate.Kind{evaluate.KindTeacher, evaluate.KindStudent} {
			row, ok := t.Find(kind)
			if !ok {
				continue
			}
			s := row.Score(mode)
			mean[k], interval[k] = fmt.Sprintf("%.3f", s.Cost.Mean), intervalCell(s.Cost.CI, 1, 3)
			if kind == evaluate.KindStudent {
				mean[2], interval[2] = fmt.Sprintf("%+.2f %%", s.Gap.Percent), intervalCell(s.Gap.CI, 1, 2)
			}
		}
		means, intervals = append(means, mean...), append(intervals, interval...)
	}
	return means, intervals
}

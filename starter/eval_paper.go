package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/terminal"
)

// printPaper prints the paper's tables 1 and 3 and its table of edge overlap, what was found here beneath the closest line of the
// paper's, and then what the paper has no table for: instances in their own units, and the baselines.
func printPaper(w io.Writer, f evalFlags, in evalInput, results []evalResult) error {
	search := in.mode()
	var settings []evaluate.Setting
	for _, row := range slices.Concat(evaluate.PaperTable1, evaluate.PaperTable3) {
		settings = append(settings, row.Setting)
	}
	placed := place(in, results, settings)
	at := 0
	for i, rows := range [][]evaluate.PaperRow{evaluate.PaperTable1, evaluate.PaperTable3} {
		fmt.Fprintln(w, []string{"Table 1. Teacher vs. student (mean cost)", "\nTable 3. Unseen sizes (mean cost)"}[i])
		var table terminal.Table
		table.Row("model", "problem", "size", "", "greedy: teacher", "student", "gap", "search: teacher", "student", "gap")
		for _, row := range rows {
			table.Row(append(append(settingCells(row.Setting), "paper"), append(givenCells(row.Greedy), givenCells(row.Search)...)...)...)
			for _, p := range placed[at] {
				means, intervals := costCells(p.c.Table, evaluate.Greedy, search)
				table.Row(append(append(settingCells(p.setting), p.label()), means...)...)
				table.Row(append(append([]string{"", "", ""}, p.sample()), intervals...)...)
			}
			at++
		}
		table.Fprint(w)
	}
	printPaperOverlap(w, in, results)
	for _, r := range results {
		if err := printOwnUnits(w, f, in, r); err != nil {
			return err
		}
	}
	if f.baselines {
		for _, r := range results {
			printHeading(w, false, "Everybody on "+filepath.Base(r.set.path))
			printTable(w, r.c.Table, r.set.measured())
		}
	}
	fmt.Fprintln(w, "\nOurs are means over instances with 95 % bootstrap intervals. Where they are not the paper's:")
	for _, r := range results {
		for _, line := range settingWords(in, r, settings) {
			fmt.Fprintf(w, "- %s: %s\n", filepath.Base(r.set.path), line)
		}
	}
	var manifest *evaluate.Manifest
	if in.student != nil {
		manifest = &in.student.Manifest
		if words := otherTeacher(*manifest, in.teacher.Name()); words != "" {
			fmt.Fprintln(w, "-", words)
		}
	}
	for _, line := range evaluate.Differences(in.teacher.Info().Arch, search, manifest) {
		fmt.Fprintln(w, "-", line)
	}
	return nil
}

// placedResult is a result beside a line of the paper's.
type placedResult struct {
	evalResult
	setting evaluate.Setting
	differs []string // in what the setting is not that line's
}

func (p placedResult) label() string {
	if len(p.differs) == 0 {
		return "ours"
	}
	return "ours (other " + strings.Join(p.differs, ", ") + ")"
}

func (p placedResult) sample() string {
	return fmt.Sprintf("  95 %%, %d instances", p.c.Table.Instances)
}

// place returns the results that stand beneath each of the paper's settings; -1 holds those whose problem the paper's do not have.
func place(in evalInput, results []evalResult, paper []evaluate.Setting) map[int][]placedResult {
	placed := map[int][]placedResult{}
	for _, r := range results {
		s, uniform := paperSetting(in, r.set)
		if !uniform {
			continue
		}
		at, differs := evaluate.Closest(s, paper)
		placed[at] = append(placed[at], placedResult{r, s, differs})
	}
	return placed
}

// paperSetting returns the setting in the paper's terms. Uniform says that the instances may be the paper's: unrounded lengths in
// the unit square, all of one size.
func paperSetting(in evalInput, set evalSet) (s evaluate.Setting, uniform bool) {
	info := in.teacher.Info()
	s = evaluate.Setting{Arch: info.Arch, Problem: info.Problem}
	s.Size = set.insts[0].N() - problems.Must(s.Problem).Traits().Depots()
	// No student of the paper learned from more than 100 nodes.
	if s.Unseen = s.Size > 100; in.student != nil {
		s.Unseen = in.student.Manifest.Nodes != s.Size
	}
	foreign := func(f instances.File) bool { return f.Metric != instances.Euclidean || f.Span != 1 }
	return s, set.oneSize() && !slices.ContainsFunc(set.files, foreign)
}

// settingWords says how a result's setting relates to the paper's.
func settingWords(in evalInput, r evalResult, paper []evaluate.Setting) []string {
	s, uniform := paperSetting(in, r.set)
	if !uniform {
		return []string{"not uniform instances of one size, for which alone the paper has figures; costs stand in the file's units."}
	}
	var words []string
	if at, differs := evaluate.Closest(s, paper); len(differs) > 0 {
		words = append(words, fmt.Sprintf("the paper has no %s; the line above ours, %s, is another %s.",
			strings.Join(settingCells(s), " "), strings.Join(settingCells(paper[at]), " "), strings.Join(differs, " and another ")))
	}
	if s.Unseen && in.student != nil {
		words = append(words, fmt.Sprintf("the student learned from size %d.", in.student.Manifest.Nodes))
	}
	for i, row := range r.c.Table.Rows {
		if cut := r.c.Tours[i][in.mode()].Cut; cut > 0 {
			words = append(words, fmt.Sprintf("the time limit ended the search of %s on %d of %d instances.", row.Name, cut, r.c.Table.Instances))
		}
	}
	return words
}

func printPaperOverlap(w io.Writer, in evalInput, results []evalResult) {
	fmt.Fprintln(w, "\nUndirected edge overlap of teacher's and student's tours (mean ± std)")
	var table terminal.Table
	table.Row("model", "problem", "size", "", "greedy", "search")
	var settings []evaluate.Setting
	for _, row := range evaluate.PaperOverlaps {
		settings = append(settings, row.Setting)
	}
	placed := place(in, results, settings)
	ours := func(p placedResult, label string) {
		if p.c.Overlap == nil {
			return
		}
		g, m := p.c.Overlap[evaluate.Greedy], p.c.Overlap[in.mode()]
		table.Row(append(settingCells(p.setting), label, overlapCell(100*g.Mean, 100*g.Std), overlapCell(100*m.Mean, 100*m.Std))...)
		table.Row("", "", "", p.sample(), intervalCell(g.CI, 100, 1), intervalCell(m.CI, 100, 1))
	}
	for i, row := range evaluate.PaperOverlaps {
		table.Row(append(settingCells(row.Setting), "paper", overlapCell(row.Greedy, row.GreedyStd), overlapCell(row.Search, row.SearchStd))...)
		for _, p := range placed[i] {
			ours(p, p.label())
		}
	}
	for _, p := range placed[-1] {
		ours(p, "ours (not in the paper)")
	}
	table.Fprint(w)
}

// printOwnUnits prints what a file says of its instances beside what was found, in either mode, if it says anything.
func printOwnUnits(w io.Writer, f evalFlags, in evalInput, r evalResult) error {
	var outs []evalOutput
	for _, mode := range in.modes {
		out, err := newEvalOutput(f, in, r, mode)
		if err != nil {
			return err
		}
		outs = append(outs, out)
	}
	known := outs[0].Policies[0].KnownGap != nil
	if !outs[0].units() && !outs[0].scaled() && !known {
		return nil
	}
	against := "in the file's units"
	if known {
		against = "against the best known solutions"
	}
	fmt.Fprintf(w, "\n%s: %d instances of %s, %s\n", filepath.Base(r.set.path), r.c.Table.Instances, r.c.Table.Sizes(), against)
	printFileCosts(w, outs...)
	printNotes(w, outs[0])
	return nil
}

func overlapCell(mean, std float64) string { return fmt.Sprintf("%.1f ± %.1f %%", mean, std) }

func intervalCell(i evaluate.Interval, scale float64, digits int) string {
	return fmt.Sprintf("[%.*f, %.*f]", digits, scale*i.Lo, digits, scale*i.Hi)
}

func settingCells(s evaluate.Setting) []string {
	return []string{strings.ToUpper(s.Arch), strings.ToUpper(string(s.Problem)), fmt.Sprint(s.Size)}
}

func givenCells(c evaluate.PaperCells) []string {
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

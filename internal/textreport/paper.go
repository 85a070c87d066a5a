package textreport

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/paper"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
)

// Evaluation is what was found on test sets, in the words of the paper's tables.
type Evaluation struct {
	Teacher   teacher.Teacher
	Student   *distilled.Manifest // nil without one
	Modes     []evaluate.Mode     // greedy and the search
	Seed      uint64              // of the bootstrap
	Baselines bool                // print everybody, too
	Results   []testset.Result
}

// Paper prints the paper's tables 1 and 3 and its table of edge overlap, with each result below the closest line of the
// paper's. Then it prints what the paper has no table for: instances in their own units, and the baselines.
func Paper(w io.Writer, e Evaluation) error {
	about, search := e.Teacher.Info(), e.Modes[len(e.Modes)-1]
	var results []paper.Result
	for _, r := range e.Results {
		results = append(results, paper.Of(r.Files, r.Comparison, about, search, e.Student))
	}
	settings := paperCosts(w, search, results)
	paperOverlap(w, search, results)
	for _, r := range e.Results {
		if err := e.ownUnits(w, r); err != nil {
			return err
		}
	}
	if e.Baselines {
		for _, r := range e.Results {
			Heading(w, false, "Everybody on "+filepath.Base(r.Path))
			Table(w, r.Comparison.Table, r.Measured())
		}
	}
	fmt.Fprintln(w, "\nOurs are means over instances with 95 % bootstrap intervals. Where they are not the paper's:")
	for i, r := range results {
		for _, line := range r.Words(settings) {
			fmt.Fprintf(w, "- %s: %s\n", filepath.Base(e.Results[i].Path), line)
		}
	}
	if e.Student != nil {
		if words := otherTeacher(*e.Student, e.Teacher.Name()); words != "" {
			fmt.Fprintln(w, "-", words)
		}
	}
	for _, line := range paper.Differences(about.Arch, search, e.Student) {
		fmt.Fprintln(w, "-", line)
	}
	return nil
}

// ownUnits prints what a file says of its instances beside what was found, in either mode, if it says anything.
func (e Evaluation) ownUnits(w io.Writer, r testset.Result) error {
	var outs []testset.Outcome
	for _, mode := range e.Modes {
		out, err := r.Outcome(mode, e.Teacher.Info(), e.Student, e.Seed)
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
	fileCosts(w, outs...)
	notes(w, outs[0])
	return nil
}

// paperCosts prints tables 1 and 3, and returns the settings of their lines.
func paperCosts(w io.Writer, search evaluate.Mode, results []paper.Result) (settings []paper.Experiment) {
	settings = paper.Experiments()
	placed := paper.Place(results, settings)
	at := 0
	for i, rows := range [][]paper.Row{paper.Table1, paper.Table3} {
		title := []string{"Table 1. Teacher vs. student (mean cost)", "\nTable 3. Unseen sizes (mean cost)"}[i]
		fmt.Fprintln(w, title)
		var table terminal.Table
		table.Row("model", "problem", "size", "",
			"greedy: teacher", "student", "gap", "search: teacher", "student", "gap")
		for _, row := range rows {
			table.Row(slices.Concat(row.Experiment.Words(), []string{"paper"}, givenCells(row.Greedy),
				givenCells(row.Search))...)
			for _, p := range placed[at] {
				means, intervals := costCells(p.Comparison.Table, evaluate.Greedy, search)
				table.Row(slices.Concat(p.Experiment.Words(), []string{p.Label()}, means)...)
				table.Row(slices.Concat([]string{"", "", "", sampleCell(p)}, intervals)...)
			}
			at++
		}
		table.Fprint(w)
	}
	return settings
}

func sampleCell(p paper.Placed) string {
	n := p.Comparison.Table.Instances
	if n == 1 {
		return "  95 %, 1 instance"
	}
	return fmt.Sprintf("  95 %%, %d instances", n)
}

func paperOverlap(w io.Writer, search evaluate.Mode, results []paper.Result) {
	fmt.Fprintln(w, "\nUndirected edge overlap of teacher's and student's tours (mean ± std)")
	var table terminal.Table
	table.Row("model", "problem", "size", "", "greedy", "search")
	var settings []paper.Experiment
	for _, row := range paper.Overlaps {
		settings = append(settings, row.Experiment)
	}
	placed := paper.Place(results, settings)
	ours := func(p paper.Placed, label string) {
		if len(p.Comparison.Overlap) == 0 {
			return
		}
		g, m := p.Comparison.Overlap[evaluate.Greedy], p.Comparison.Overlap[search]
		table.Row(append(p.Experiment.Words(), label, overlapCell(100*g.Mean, 100*g.Std),
			overlapCell(100*m.Mean, 100*m.Std))...)
		table.Row("", "", "", sampleCell(p), intervalCell(p.Comparison.Table.Instances, g.CI, 100, 1),
			intervalCell(p.Comparison.Table.Instances, m.CI, 100, 1))
	}
	for i, row := range paper.Overlaps {
		greedy, search := overlapCell(row.Greedy, row.GreedyStd), overlapCell(row.Search, row.SearchStd)
		table.Row(append(row.Experiment.Words(), "paper", greedy, search)...)
		for _, p := range placed[i] {
			ours(p, p.Label())
		}
	}
	for _, p := range placed[-1] {
		ours(p, "ours (not in the paper)")
	}
	table.Fprint(w)
}

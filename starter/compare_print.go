package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/epb-nco/epb/internal/compare"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/terminal"
)

// comparedRun is what epb compare --json says of a run.
type comparedRun struct {
	Run      string             `json:"run"`
	Seed     uint64             `json:"seed"`
	Teacher  string             `json:"teacher"`
	Measures map[string]float64 `json:"measures"` // by the names of the table's columns
	History  []report.Epoch     `json:"history,omitempty"`
	Group    *comparedGroup     `json:"over_seeds,omitempty"` // of runs that differ from it in the seed alone
}

// comparedGroup is what epb compare --json says of runs that differ in their seed alone.
type comparedGroup struct {
	Name     string            `json:"name"`
	Runs     []string          `json:"runs"`
	Seeds    int               `json:"seeds"`
	Measures map[string]spread `json:"measures"` // by the names of the table's columns
}

// spread is a measure over seeds.
type spread struct {
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"`    // of the sample; 0 for one seed
	Seeds int     `json:"seeds"` // that have the measure
}

// inJSON returns a line for each run. all are the groups of the runs.
func inJSON(runs []report.Data, all []compare.Group, history bool) []comparedRun {
	groups := map[string]*comparedGroup{} // by run
	for _, g := range all {
		if of := groupInJSON(g); of.Seeds > 1 {
			for _, run := range of.Runs {
				groups[run] = &of
			}
		}
	}
	lines := make([]comparedRun, len(runs))
	for i, d := range runs {
		lines[i] = comparedRun{
			Run: d.Run.ID, Seed: d.Config.Seed, Teacher: d.Teacher.Name, Measures: map[string]float64{},
			Group: groups[d.Run.ID],
		}
		for _, m := range compare.Measures() {
			if v := m.Of(d); !math.IsNaN(v) { // a run has not every measure
				lines[i].Measures[m.Name] = v
			}
		}
		if history {
			lines[i].History = d.History
		}
	}
	return lines
}

// groupInJSON sums up a group.
func groupInJSON(g compare.Group) comparedGroup {
	of := comparedGroup{Name: g.Name, Seeds: len(g.Seeds()), Measures: map[string]spread{}}
	for _, d := range g.Runs {
		of.Runs = append(of.Runs, d.Run.ID)
	}
	for _, m := range compare.Measures() {
		values := g.Values(m.Known)
		if len(values) == 0 {
			continue
		}
		s := spread{Mean: stat.Mean(values, nil), Seeds: len(values)}
		if len(values) > 1 {
			s.SD = stat.StdDev(values, nil)
		}
		of.Measures[m.Name] = s
	}
	return of
}

// printComparison prints a line per run and, where some differ in their seed alone, a line per group.
func printComparison(w io.Writer, runs []report.Data, all []compare.Group) {
	table := terminal.Table{Right: true, Gap: 2}
	teachers := compare.TeachersOf(runs)
	head := func(cells ...string) {
		if teachers != nil {
			cells = append(cells, "teacher")
		}
		for _, m := range compare.MeasuresOf(runs) {
			cells = append(cells, m.Name)
		}
		table.Row(cells...)
	}
	line := func(name, seed string, s compare.Group) {
		cells := []string{name, seed}
		if teachers != nil {
			cells = append(cells, teachers.Of(s.Runs[0]))
		}
		for _, m := range compare.MeasuresOf(runs) {
			values := s.Values(m.Known)
			cells = append(cells, m.Cell(values))
		}
		table.Row(cells...)
	}
	head("run", "seed")
	for _, d := range runs {
		line(d.Run.ID, fmt.Sprint(d.Config.Seed), compare.Group{Runs: []report.Data{d}})
	}
	table.Fprint(w)
	if !slices.ContainsFunc(all, func(s compare.Group) bool { return len(s.Seeds()) > 1 }) {
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

// printHistories prints validation top-1 of every group, an epoch a line, as the page draws it.
func printHistories(w io.Writer, all []compare.Group) {
	fmt.Fprintln(w, "\nvalidation top-1 by epoch")
	table := terminal.Table{Right: true, Gap: 2}
	top1 := compare.Measure{Digits: 2, Unit: compare.Share}
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

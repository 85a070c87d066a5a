package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/terminal"
)

func compareCommand() *cobra.Command {
	var history bool
	cmd := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Set finished runs side by side",
		Long: `Print a line per finished run: bank size, epochs, agreement with the teacher on the test states, greedy gap to the teacher, and
the best single program's. Runs that differ in their seed alone are summed up in a further line, in which several of one seed count as
their mean. With --history, validation top-1 over the epochs follows, as in the paper's ablation figure.`,
		Example: "  epb compare ablation-numeric-1 ablation-both-1 --history",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for i, id := range args {
				if slices.ContainsFunc(args[:i], func(other string) bool { return runID(other) == runID(id) }) {
					return fmt.Errorf("run %s is named twice: leave one out", runID(id))
				}
			}
			var runs []report.Data
			for _, id := range args {
				d, err := readReport(cmd.Context(), id)
				if err != nil {
					return err
				}
				runs = append(runs, d)
			}
			all, err := settings(runs)
			if err != nil {
				return err
			}
			printComparison(cmd.OutOrStdout(), runs, all)
			if history {
				printHistories(cmd.OutOrStdout(), all)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&history, "history", false, "print validation top-1 over the epochs")
	return cmd
}

// readReport reads the data of a finished run's report.
func readReport(ctx context.Context, id string) (report.Data, error) {
	r, err := findResult(ctx, []string{id})
	if err != nil {
		return report.Data{}, err
	}
	return r.ReportData(ctx)
}

// measures are what a comparison shows of a run, NaN where there is nothing to show.
var measures = []struct {
	head    string
	digits  int
	percent bool
	of      func(d report.Data) float64
}{
	{"minutes", 1, false, func(d report.Data) float64 { return d.Run.Minutes }},
	{"bank", 0, false, func(d report.Data) float64 { return float64(len(d.Bank)) }},
	{"edits", 0, false, func(d report.Data) float64 { return count(d, report.EditAccepted) }},
	{"added", 0, false, func(d report.Data) float64 { return count(d, report.Added) }},
	{"dropped", 0, false, func(d report.Data) float64 { return count(d, report.Dropped) }},
	{"epochs", 0, false, func(d report.Data) float64 { return float64(len(d.History)) }},
	{"coverage", 3, false, func(d report.Data) float64 { return d.Fidelity.Coverage }},
	{"top-1", 3, false, func(d report.Data) float64 { return d.Fidelity.Top1 }},
	{"KL", 3, false, func(d report.Data) float64 { return d.Fidelity.Loss }},
	{"gap", 2, true, func(d report.Data) float64 { return greedyGap(d.Table.Find(evaluate.KindStudent)) }},
	{"best program", 2, true, func(d report.Data) float64 { return greedyGap(d.Table.BestHeuristic()) }},
}

func count(d report.Data, kind string) (n float64) {
	for _, e := range d.Events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

func greedyGap(row evaluate.Row, ok bool) float64 {
	if !ok || row.Greedy == nil {
		return math.NaN()
	}
	return row.Greedy.Gap.Percent
}

// setting is runs that differ in nothing but seed and name.
type setting struct {
	name string // what the runs' names have in common, or the first and the last of them where other runs have that in common too
	runs []report.Data
}

// settings sorts runs into settings, in the order of their first runs.
func settings(runs []report.Data) ([]setting, error) {
	var found []setting
	at := map[string]int{}
	for _, d := range runs {
		c := d.Config
		c.Seed, c.Name = 0, ""
		spec, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		key := d.Teacher.SHA256 + string(spec)
		i, ok := at[key]
		if !ok {
			i = len(found)
			at[key], found = i, append(found, setting{})
		}
		found[i].runs = append(found[i].runs, d)
	}
	names := map[string]int{}
	for i := range found {
		found[i].name = found[i].common()
		names[found[i].name]++
	}
	for i, s := range found {
		if last := len(s.runs) - 1; last > 0 && (s.name == "" || names[s.name] > 1) {
			found[i].name = s.runs[0].Run.ID + "…" + s.runs[last].Run.ID
		}
	}
	return found, nil
}

// common is what the names of the setting's runs begin with.
func (s setting) common() string {
	name := s.runs[0].Run.ID
	for _, d := range s.runs[1:] {
		for !strings.HasPrefix(d.Run.ID, name) {
			name = name[:len(name)-1]
		}
	}
	if len(s.runs) > 1 {
		name = strings.TrimRight(name, "-")
	}
	return name
}

// seeds returns the setting's runs by their seeds, in the order of the first runs.
func (s setting) seeds() [][]report.Data {
	var found [][]report.Data
	for _, d := range s.runs {
		same := func(runs []report.Data) bool { return runs[0].Config.Seed == d.Config.Seed }
		if i := slices.IndexFunc(found, same); i >= 0 {
			found[i] = append(found[i], d)
		} else {
			found = append(found, []report.Data{d})
		}
	}
	return found
}

// values returns a measure of every seed, the mean where several runs are of one; what of has none of is left out.
func (s setting) values(of func(d report.Data) (float64, bool)) []float64 {
	var all []float64
	for _, runs := range s.seeds() {
		var values []float64
		for _, d := range runs {
			if v, ok := of(d); ok {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			all = append(all, stat.Mean(values, nil))
		}
	}
	return all
}

// teacherNames returns what to call each checkpoint by its hash, or nothing where all runs have the same.
func teacherNames(runs []report.Data) map[string]string {
	names, hashes := map[string]string{}, map[string]int{}
	for _, d := range runs {
		if _, ok := names[d.Teacher.SHA256]; !ok {
			names[d.Teacher.SHA256] = d.Teacher.Name
			hashes[d.Teacher.Name]++
		}
	}
	if len(names) < 2 {
		return nil
	}
	for hash, name := range names {
		if hashes[name] > 1 {
			names[hash] = name + " " + hash[:min(8, len(hash))]
		}
	}
	return names
}

// printComparison prints a line per run and, where some differ in their seed alone, a line per setting.
func printComparison(w io.Writer, runs []report.Data, all []setting) {
	table := terminal.Table{Right: true, Gap: 2}
	names := teacherNames(runs)
	head := func(cells ...string) {
		if names != nil {
			cells = append(cells, "teacher")
		}
		for _, m := range measures {
			cells = append(cells, m.head)
		}
		table.Row(cells...)
	}
	line := func(name, seed string, s setting) {
		cells := []string{name, seed}
		if names != nil {
			cells = append(cells, names[s.runs[0].Teacher.SHA256])
		}
		for _, m := range measures {
			values := s.values(func(d report.Data) (float64, bool) { return m.of(d), true })
			cells = append(cells, meanCell(values, m.digits, m.percent))
		}
		table.Row(cells...)
	}
	head("run", "seed")
	for _, d := range runs {
		line(d.Run.ID, fmt.Sprint(d.Config.Seed), setting{runs: []report.Data{d}})
	}
	table.Fprint(w)
	if !slices.ContainsFunc(all, func(s setting) bool { return len(s.seeds()) > 1 }) {
		return
	}
	fmt.Fprintln(w, "\nover seeds: mean ± standard deviation")
	table = terminal.Table{Right: true, Gap: 2}
	head("runs", "seeds")
	for _, s := range all {
		line(s.name, fmt.Sprint(len(s.seeds())), s)
	}
	table.Fprint(w)
}

// meanCell is a mean with the sample standard deviation, or the value where there is but one.
func meanCell(values []float64, digits int, percent bool) string {
	mean := stat.Mean(values, nil)
	if math.IsNaN(mean) {
		return ""
	}
	sign, unit := "", ""
	if percent {
		sign, unit = "+", " %"
	}
	if len(values) == 1 {
		return fmt.Sprintf("%"+sign+".*f%s", digits, mean, unit)
	}
	digits = max(1, digits)
	return fmt.Sprintf("%"+sign+".*f ± %.*f%s", digits, mean, digits, stat.StdDev(values, nil), unit)
}

// printHistories prints validation top-1 of every setting, an epoch a line.
func printHistories(w io.Writer, all []setting) {
	fmt.Fprintln(w, "\nvalidation top-1 by epoch")
	table := terminal.Table{Right: true, Gap: 2}
	head, longest := []string{"epoch"}, 0
	for _, s := range all {
		head = append(head, s.name)
		for _, d := range s.runs {
			longest = max(longest, len(d.History))
		}
	}
	table.Row(head...)
	for e := range longest {
		cells := []string{fmt.Sprint(e + 1)}
		for _, s := range all {
			values := s.values(func(d report.Data) (float64, bool) {
				if e >= len(d.History) {
					return 0, false
				}
				return d.History[e].ValTop1, true
			})
			cells = append(cells, meanCell(values, 4, false))
		}
		table.Row(cells...)
	}
	table.Fprint(w)
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/epb-nco/epb/internal/compare"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/internal/textreport"
)

// print prints what was found out, given by products and then by seed: of the first number of products everything, of
// the others what they cost.
func (f sketchFlags) print(w io.Writer, each [][]sketched) error {
	if err := f.printFirst(w, each[0]); err != nil || len(each) == 1 {
		return err
	}
	table := terminal.Table{}
	table.Row("products", "loss, nats", "top-1 %, mixed", "top-1 %, one rule", "gap, mixed", "gap, one rule")
	for _, all := range each {
		row := func(digits int, percent bool, of func(sketched) float64) string {
			return compare.Cell(overSeeds(all, of), digits, percent)
		}
		gap := func(role evaluate.Role) func(sketched) float64 {
			return func(s sketched) float64 {
				row, _ := s.Table.WithRole(role)
				return row.Greedy.Gap.Percent
			}
		}
		table.Row(fmt.Sprint(all[0].Products), row(4, false, func(s sketched) float64 { return s.Fidelity.Plain }),
			row(1, false, func(s sketched) float64 { return 100 * s.Fidelity.Top1 }),
			row(1, false, func(s sketched) float64 { return 100 * s.Fidelity.Hard }),
			row(2, true, gap(evaluate.RoleMixed)), row(2, true, gap(evaluate.RoleOneRule)))
	}
	fmt.Fprint(w, "\nWhat fewer products cost; gaps are to the teacher:\n")
	return table.Fprint(w)
}

// printFirst prints the table of one seed, or means over several.
func (f sketchFlags) printFirst(w io.Writer, all []sketched) error {
	first := all[0]
	if len(all) == 1 {
		textreport.Table(w, first.Table, testset.InUnitSquare)
	} else {
		f.printMeans(w, all)
	}
	mean := func(of func(sketched) float64) float64 { return stat.Mean(overSeeds(all, of), nil) }
	together := ""
	if n := len(f.products); n > 1 {
		together = fmt.Sprintf(", %d students together", n)
	}
	fmt.Fprintf(w, "\nFitted in %.0f s%s: %d programs of at most %d terms beside the distance, "+
		"%.0f products in the router.\n"+
		"Loss %.4f nats. Top-1 %.1f %%, by the leader alone %.1f %%. Some program names the teacher's choice "+
		"in %.1f %% of the states.\nThe largest weight is %.2f in the mean, %.2f ahead of the second.\n",
		mean(func(s sketched) float64 { return s.Seconds }), together, f.programs, f.terms,
		mean(func(s sketched) float64 { return float64(s.Products) }),
		mean(func(s sketched) float64 { return s.Fidelity.Plain }),
		mean(func(s sketched) float64 { return 100 * s.Fidelity.Top1 }),
		mean(func(s sketched) float64 { return 100 * s.Fidelity.Hard }),
		mean(func(s sketched) float64 { return 100 * s.Fidelity.Coverage }),
		mean(func(s sketched) float64 { return s.Fidelity.Leader }),
		mean(func(s sketched) float64 { return s.Fidelity.Margin }))
	if first.Router != nil && len(all) == 1 {
		fmt.Fprintln(w)
		textreport.Router(w, *first.Router, shownWords)
		fmt.Fprintln(w)
	}
	if f.dagger > 0 {
		fmt.Fprintf(w, "Routers of few products have also learned from the states that the student reaches itself on "+
			"%d of the instances.\n", f.dagger)
	}
	for i, r := range first.Rankers {
		fmt.Fprintf(w, "%s: %d parameters, fitted in %.0f s, loss %.4f nats.\n", r.Name, r.Parameters,
			mean(func(s sketched) float64 { return s.Rankers[i].Seconds }),
			mean(func(s sketched) float64 { return s.Rankers[i].Fidelity.Loss }))
	}
	_, err := fmt.Fprintf(w, "%s; %s; %s.\n", first.Machine, first.Kernels, seedWords(all))
	if f.out != "" && err == nil {
		_, err = fmt.Fprintf(w, "Student: %[1]s. Next: epb explain FILE --student %[1]s\n", f.out)
	}
	return err
}

// overSeeds returns a figure of each seed.
func overSeeds(all []sketched, of func(sketched) float64) []float64 {
	values := make([]float64, len(all))
	for i, s := range all {
		values[i] = of(s)
	}
	return values
}

// seedWords names the seeds, such as "seeds 1, 2, 3".
func seedWords(all []sketched) string {
	var seeds []string
	for _, s := range all {
		seeds = append(seeds, fmt.Sprint(s.Seed))
	}
	if len(seeds) == 1 {
		return "seed " + seeds[0]
	}
	return "seeds " + strings.Join(seeds, ", ")
}

// printMeans prints a table of means over seeds. Programs by themselves have no rows: they differ from seed to seed.
func (f sketchFlags) printMeans(w io.Writer, all []sketched) {
	var table terminal.Table
	table.Row("policy", "greedy", "gap to teacher", "top-1")
	for _, row := range all[0].Table.Rows {
		if row.Kind == evaluate.KindHeuristic {
			continue
		}
		cell := func(digits int, percent bool, of func(evaluate.Row) (float64, bool)) string {
			var values []float64
			for _, s := range all {
				same := func(r evaluate.Row) bool { return r.Kind == row.Kind && r.Name == row.Name }
				if i := slices.IndexFunc(s.Table.Rows, same); i >= 0 {
					if v, ok := of(s.Table.Rows[i]); ok {
						values = append(values, v)
					}
				}
			}
			return compare.Cell(values, digits, percent)
		}
		cells := []string{
			row.Name,
			cell(4, false, func(r evaluate.Row) (float64, bool) { return r.Greedy.Cost.Mean, true }),
			cell(2, true, func(r evaluate.Row) (float64, bool) { return r.Greedy.Gap.Percent, true }),
			cell(1, false, func(r evaluate.Row) (float64, bool) {
				if r.Top1 == nil {
					return 0, false
				}
				return 100 * *r.Top1, true
			}),
		}
		if row.Kind == evaluate.KindTeacher {
			cells[2] = ""
		}
		table.Row(cells...)
	}
	table.Fprint(w)
	t := all[0].Table
	fmt.Fprintf(w, "\n%d instances of %s, %s; mean ± standard deviation over %d seeds; top-1 in %%.\n%s\n",
		t.Instances, t.Sizes(), testset.InUnitSquare, len(all), t.Start)
}

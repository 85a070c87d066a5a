package textreport

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
)

// sizeClasses are the largest sizes of the classes over which Measured takes means.
var sizeClasses = []int{101, 201, 501, 1024} // a depot counts

// Measured prints a line for each instance of a problem that an exported solver solved, at least one, and where best
// known solutions are given, means by size. The error is that of the writer.
func Measured(w io.Writer, problem routing.Problem, all []export.Measured) error {
	var table terminal.Table
	head := []string{"instance", "nodes", "ms", "solver"}
	for _, c := range all[0].Classics {
		head = append(head, c.Method, "solver to "+c.Method)
	}
	known := slices.ContainsFunc(all, func(m export.Measured) bool { return m.BestKnown > 0 })
	if known {
		head = append(head, "best known", "solver to best known")
	}
	table.Row(head...)
	for _, m := range all {
		cells := []string{
			terminal.Line(m.Name), fmt.Sprint(m.Nodes), fmt.Sprintf("%.1f", m.Milliseconds),
			fmt.Sprintf("%.6g", m.Cost),
		}
		for _, c := range m.Classics {
			cells = append(cells, fmt.Sprintf("%.6g", c.Cost), gapCell(m.Cost, c.Cost))
		}
		if m.BestKnown > 0 {
			cells = append(cells, fmt.Sprintf("%.6g", m.BestKnown), gapCell(m.Cost, m.BestKnown))
		}
		table.Row(cells...)
	}
	if err := table.Fprint(w); err != nil || !known {
		return err
	}
	fmt.Fprintln(w)
	if err := measuredMeans(w, all); err != nil {
		return err
	}
	_, err := fmt.Fprint(w, belowBest(problem, belowMeasured(all)))
	return err
}

// belowMeasured reports, by instance, the cheapest solution that costs less than the best known one.
func belowMeasured(all []export.Measured) []string {
	var below []string
	for _, m := range all {
		best := export.Classic{Method: "the solver", Cost: m.Cost}
		for _, c := range m.Classics {
			if c.Cost < best.Cost {
				best = c
			}
		}
		if instances.Below(best.Cost, m.BestKnown) {
			below = append(below, fmt.Sprintf("%s (%v by %s)", terminal.Line(m.Name), best.Cost, best.Method))
		}
	}
	return below
}

// measuredMeans prints the means over instances whose best known solution is given, by size and over all sizes.
func measuredMeans(w io.Writer, all []export.Measured) error {
	var means terminal.Table
	head := []string{"up to nodes", "instances", "ms", "solver to best known"}
	for _, c := range all[0].Classics {
		head = append(head, c.Method+" to best known")
	}
	means.Row(head...)
	least := 0
	for _, most := range sizeClasses {
		if row := meanRow(all, least, most); row != nil {
			means.Row(append([]string{fmt.Sprint(most)}, row...)...)
		}
		least = most
	}
	if row := meanRow(all, 0, math.MaxInt); row != nil {
		means.Row(append([]string{"all"}, row...)...)
	}
	return means.Fprint(w)
}

// meanRow returns the cells of the means over instances of more than least and at most most nodes whose best known
// cost is given, without the size; nil if there are none.
func meanRow(all []export.Measured, least, most int) []string {
	n, ms, gap := 0.0, 0.0, 0.0
	classics := make([]float64, len(all[0].Classics))
	for _, m := range all {
		if m.Nodes <= least || m.Nodes > most || m.BestKnown == 0 {
			continue
		}
		n, ms, gap = n+1, ms+m.Milliseconds, gap+m.Cost/m.BestKnown
		for i, c := range m.Classics {
			classics[i] += c.Cost / m.BestKnown
		}
	}
	if n == 0 {
		return nil
	}
	row := []string{fmt.Sprint(n), fmt.Sprintf("%.1f", ms/n), gapCell(gap, n)}
	for _, c := range classics {
		row = append(row, gapCell(c, n))
	}
	return row
}

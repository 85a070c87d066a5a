package compare

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
)

// Measure is a figure of a run.
type Measure struct {
	Name    string
	Digits  int // after the point
	Percent bool
	Of      func(d report.Data) float64 // NaN where a run has none
}

// Measures returns what a comparison shows of a run.
func Measures() []Measure {
	return []Measure{
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
}

func count(d report.Data, kind string) (n float64) {
	for _, e := range d.Events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// greedyGap is the gap of a row of the report to the teacher, in per cent, when all decode greedily.
func greedyGap(row evaluate.Row, ok bool) float64 {
	if !ok || row.Greedy == nil {
		return math.NaN()
	}
	return row.Greedy.Gap.Percent
}

// Cell says the mean of values with their sample standard deviation, or the value where there is but one. It is empty
// where there is none.
func Cell(values []float64, digits int, percent bool) string {
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

package compare

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
)

// Measure is a figure of a run.
type Measure struct {
	Name   string
	Digits int // after the point
	Unit   Unit
	Note   string                      // what the name means, for the legend; "" where it says so itself
	Of     func(d report.Data) float64 // NaN where a run has none
}

// Unit is how a measure is shown.
type Unit int

// How measures are shown.
const (
	Number Unit = iota // as it is
	Nats               // as it is, of test states
	Gap                // in per cent, with its sign
	Share              // of test states: of 1, shown in per cent
)

// What the names of measures mean.
const (
	mixedNote   = "mixed: rules are mixed by their weights"
	oneRuleNote = "one-rule: the rule of the largest weight decides each step alone"
)

// Measures returns what a comparison shows of a run. Agreement and gap of the student are shown for both routings,
// whichever it has.
func Measures() []Measure {
	return []Measure{
		{"minutes", 1, Number, "", func(d report.Data) float64 { return known(d.Run.Minutes, d.Run.Minutes > 0) }},
		{"bank", 0, Number, "bank: programs in the end", func(d report.Data) float64 { return float64(len(d.Bank)) }},
		{"edits", 0, Number, "edits: those that were accepted", func(d report.Data) float64 {
			return known(count(d, report.EditAccepted), trained(d))
		}},
		{"added", 0, Number, "", func(d report.Data) float64 { return known(count(d, report.Added), trained(d)) }},
		{"dropped", 0, Number, "", func(d report.Data) float64 { return known(count(d, report.Dropped), trained(d)) }},
		{"epochs", 0, Number, "", func(d report.Data) float64 { return known(float64(len(d.History)), trained(d)) }},
		{"coverage", 1, Share, "", func(d report.Data) float64 { return known(d.Fidelity.Coverage, measured(d)) }},
		{"mixed top-1", 1, Share, mixedNote, func(d report.Data) float64 {
			return known(d.MixedTop1(), d.MixedTop1() > 0)
		}},
		{"one-rule top-1", 1, Share, oneRuleNote, func(d report.Data) float64 {
			return known(hardTop1(d), hardTop1(d) > 0)
		}},
		{"KL", 3, Nats, "", func(d report.Data) float64 { return known(d.Fidelity.Loss, measured(d)) }},
		{"mixed gap", 2, Gap, mixedNote, func(d report.Data) float64 {
			return greedyGap(routed(d, evaluate.RoleMixed))
		}},
		{"one-rule gap", 2, Gap, oneRuleNote, func(d report.Data) float64 {
			return greedyGap(routed(d, evaluate.RoleOneRule))
		}},
		{"best program", 2, Gap, "best program: the cheapest on these very instances", func(d report.Data) float64 {
			return greedyGap(d.Table.BestHeuristic())
		}},
		{"best classic", 2, Gap, "best classic: the cheapest classic construction", func(d report.Data) float64 {
			return greedyGap(d.Table.BestClassic())
		}},
		{"USD", 2, Number, "", func(d report.Data) float64 { return known(d.LLM.CostUSD, d.LLM.Calls > 0) }},
	}
}

// Known returns the measure of a run, and whether it has one.
func (m Measure) Known(d report.Data) (float64, bool) {
	v := m.Of(d)
	return v, !math.IsNaN(v)
}

// Cell is Cell for values of the measure.
func (m Measure) Cell(values []float64) string {
	if m.Unit != Share {
		return Cell(values, m.Digits, m.Unit == Gap)
	}
	percents := make([]float64, len(values))
	for i, v := range values {
		percents[i] = 100 * v
	}
	text := Cell(percents, m.Digits, false)
	if text != "" {
		text += " %"
	}
	return text
}

// measuresOf returns the measures that any of the runs has.
func measuresOf(runs []report.Data) []Measure {
	return slices.DeleteFunc(Measures(), func(m Measure) bool {
		return !slices.ContainsFunc(runs, func(d report.Data) bool {
			_, ok := m.Known(d)
			return ok
		})
	})
}

// known returns v, or NaN where it is not known.
func known(v float64, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	return v
}

// trained says whether the course of a distillation is known: a sketch has none.
func trained(d report.Data) bool { return len(d.History) > 0 }

// measured says whether the run's student was compared with its teacher.
func measured(d report.Data) bool { return d.Fidelity.States > 0 || d.Fidelity.Top1 > 0 }

func count(d report.Data, kind string) (n float64) {
	for _, e := range d.Events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// hardTop1 is the agreement of the leader alone with the teacher. Reports before it was measured have none, unless the
// student is so routed.
func hardTop1(d report.Data) float64 {
	if d.Fidelity.Hard == 0 && d.OneRule() {
		return d.Fidelity.Top1
	}
	return d.Fidelity.Hard
}

// routed returns the student's row of one of the two routings, and whether there is one.
func routed(d report.Data, role evaluate.Role) (evaluate.Row, bool) {
	for _, r := range d.Table.Rows {
		if r.Kind == evaluate.KindStudent && routingOf(d, r) == role {
			return r, true
		}
	}
	return evaluate.Row{}, false
}

// routingOf returns the role of a student's row. A student whose table does not tell its routing is routed as its
// config says.
func routingOf(d report.Data, r evaluate.Row) evaluate.Role {
	if role := d.Table.RoleOf(r); role != "" {
		return role
	}
	if d.OneRule() {
		return evaluate.RoleOneRule
	}
	return evaluate.RoleMixed
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
	write, unit := decimal.Fixed, ""
	if percent {
		write, unit = decimal.Signed, " %"
	}
	if len(values) == 1 {
		return write(mean, digits) + unit
	}
	digits = max(1, digits)
	return write(mean, digits) + " ± " + decimal.Fixed(stat.StdDev(values, nil), digits) + unit
}

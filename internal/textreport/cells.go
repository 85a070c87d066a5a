package textreport

import (
	"fmt"
	"strconv"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/paper"
)

// costCell prints a cost in a file's units.
func costCell(cost float64) string {
	text := fmt.Sprintf("%.4f", cost)
	if short := strconv.FormatFloat(cost, 'f', -1, 64); len(short) < len(text) {
		return short
	}
	return text
}

// gapCell says by how much a cost exceeds another, in percent; "?" where the other is 0, not known.
func gapCell(cost, to float64) string {
	if to == 0 {
		return "?"
	}
	return decimal.Gap(100 * (cost/to - 1))
}

func overlapCell(mean, std float64) string { return fmt.Sprintf("%.1f ± %.1f %%", mean, std) }

// intervalCell is an interval over n instances, "" of one: it has none.
func intervalCell(n int, i bootstrap.Interval, scale float64, digits int) string {
	if n == 1 {
		return ""
	}
	return decimal.Interval(scale*i.Lo, scale*i.Hi, digits)
}

func givenCells(c paper.Cells) []string {
	return []string{fmt.Sprintf("%.3f", c.Teacher), fmt.Sprintf("%.3f", c.Student), decimal.Gap(c.Gap)}
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
			s := row.Costing(mode)
			mean[k], interval[k] = fmt.Sprintf("%.3f", s.Cost.Mean), intervalCell(s.Cost.N, s.Cost.CI, 1, 3)
			if kind == evaluate.KindStudent {
				mean[2], interval[2] = decimal.Gap(s.Gap.Percent), intervalCell(s.Cost.N, s.Gap.CI, 1, 2)
			}
		}
		means, intervals = append(means, mean...), append(intervals, interval...)
	}
	return means, intervals
}

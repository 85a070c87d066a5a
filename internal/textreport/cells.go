package textreport

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/bootstrap"
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
	return percentCell(100 * (cost/to - 1))
}

// percentCell prints a percentage with its sign, without a minus where it rounds to 0.
func percentCell(percent float64) string {
	return strings.Replace(fmt.Sprintf("%+.2f %%", percent), "-0.00", "+0.00", 1)
}

func overlapCell(mean, std float64) string { return fmt.Sprintf("%.1f ± %.1f %%", mean, std) }

func intervalCell(i bootstrap.Interval, scale float64, digits int) string {
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
			s := row.Costing(mode)
			mean[k], interval[k] = fmt.Sprintf("%.3f", s.Cost.Mean), intervalCell(s.Cost.CI, 1, 3)
			if kind == evaluate.KindStudent {
				mean[2], interval[2] = percentCell(s.Gap.Percent), intervalCell(s.Gap.CI, 1, 2)
			}
		}
		means, intervals = append(means, mean...), append(intervals, interval...)
	}
	return means, intervals
}

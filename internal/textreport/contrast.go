package textreport

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/terminal"
)

// Lineup prints how far students that decide in the same states agree, and which of their programs match. Nothing is
// printed of nil or of fewer than two.
func Lineup(w io.Writer, l *contrast.Lineup) {
	if l == nil || len(l.Portraits) < 2 {
		return
	}
	fmt.Fprintf(w, "\nIn %d states of the solutions of %s of %d instances of %s:\n", l.States, l.Whose, l.Instances,
		problems.Sized(l.Problem, l.Nodes))
	table := terminal.Table{Right: true, Gap: 2}
	table.Row("students", "choose the same", "95 %", "leaders match", "by lot", "programs that agree most")
	for _, p := range l.Pairs {
		a, b := l.Portraits[p.A], l.Portraits[p.B]
		var most []string
		for _, m := range p.Matches[:min(2, len(p.Matches))] {
			most = append(most, fmt.Sprintf("%s and %s %s", a.Programs[m.A], b.Programs[m.B], decimal.Percent(m.Same)))
		}
		table.Row(a.Name+" and "+b.Name, decimal.Percent(p.Choices.Mean), estimateBounds(p.Choices),
			decimal.Percent(p.Leaders.Mean), decimal.Percent(p.Chance), strings.Join(most, ", "))
	}
	table.Fprint(w)
}

// Contrast prints how two policies differ: the findings first, then what programs weigh by stage. Nothing is printed of
// nil.
func Contrast(w io.Writer, c *contrast.Contrast) {
	if c == nil {
		return
	}
	fmt.Fprintf(w, "\n%s against %s: %s, routed for each on the same states of %d instances, and compared on %d "+
		"others of %s; seed %d. Stages are fifths of %s.\n\n", c.Names[0], c.Names[1], c.Bank, c.TrainInstances,
		c.Instances, problems.Sized(c.Problem, c.Nodes), c.Seed, c.Way)
	for _, line := range c.Findings {
		fmt.Fprintln(w, "  - "+line)
	}
	fmt.Fprintf(w, "\nHow much more a program weighs for %s than for %s, in points of the weight by fifth of the way; "+
		"in brackets what is not shown to differ from 0:\n", c.Names[0], c.Names[1])
	table := terminal.Table{Right: true, Gap: 2}
	head := []string{"program", "category", c.Names[0], c.Names[1], "more"}
	for q := range habits.Stages {
		head = append(head, habits.Stretch(q))
	}
	table.Row(head...)
	programs := slices.Clone(c.Programs)
	slices.SortStableFunc(programs, func(a, b contrast.Program) int {
		return cmp.Compare(math.Abs(b.More.Mean), math.Abs(a.More.Mean))
	})
	for _, p := range programs {
		row := []string{
			p.Name, string(p.Category), decimal.Percent(p.Weight[0]), decimal.Percent(p.Weight[1]), morePoints(p.More),
		}
		for _, e := range p.Stages {
			row = append(row, morePoints(e))
		}
		table.Row(row...)
	}
	table.Fprint(w)
	fmt.Fprintf(w, "\n%s; %s.\n", c.Machine, c.Kernels)
}

// morePoints says a difference of weights in points, in brackets where it is not shown to differ from 0.
func morePoints(e contrast.Estimate) string {
	switch {
	case e.N == 0:
		return ""
	case !e.Shown():
		return "(" + decimal.Signed(100*e.Mean, 1) + ")"
	}
	return decimal.Signed(100*e.Mean, 1)
}

func estimateBounds(e contrast.Estimate) string {
	return decimal.Interval(100*e.CI.Lo, 100*e.CI.Hi, 1)
}

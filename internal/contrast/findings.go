package contrast

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/habits"
)

// findings says in plain words what the figures mean.
func (c *Contrast) findings() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	A, B := c.Names[0], c.Names[1]
	least, at := c.Same, -1
	for q, e := range c.Stages {
		if e.N >= fewest && (at < 0 || e.Mean < least.Mean) {
			least, at = e, q
		}
	}
	text := fmt.Sprintf("%s and %s choose the same in %s of %d decisions %s: in %s of those on the way of %s, in %s "+
		"of those on the way of %s", A, B, decimal.Percent(c.Same.Mean), c.Same.N, interval(c.Same),
		decimal.Percent(c.SameIn[0].Mean), A, decimal.Percent(c.SameIn[1].Mean), B)
	if at >= 0 {
		text += fmt.Sprintf("; least at %s of the way, %s", habits.Stretch(at), decimal.Percent(least.Mean))
	}
	say("%s.", text)
	for i, r := range c.Routed {
		text := fmt.Sprintf("The programs routed for %s choose as %s in %s of the decisions and as %s in %s.",
			c.Names[i], c.Names[i], decimal.Percent(r.Own.Mean), c.Names[1-i], decimal.Percent(r.Other.Mean))
		if r.PartedOwn.N > 0 {
			text += fmt.Sprintf(" Where the two part, they follow %s in %s and %s in %s.",
				c.Names[i], decimal.Percent(r.PartedOwn.Mean), c.Names[1-i], decimal.Percent(r.PartedOther.Mean))
		}
		say("%s", text)
	}
	lines = append(lines, c.byCategory()...)
	lines = append(lines, c.late()...)
	for _, p := range c.Partings {
		var terms []string
		for _, t := range p.Terms[:min(3, len(p.Terms))] {
			if t.More.Shown() {
				terms = append(terms, fmt.Sprintf("%s rather goes to %s, %s to %s (%.2f spreads apart)", A, t.A, B, t.B,
					abs(t.More.Mean)))
			}
		}
		if len(terms) > 0 {
			say("%s they part in %s of the decisions. There, on average, %s.", capital(p.When),
				decimal.Percent(p.Parted.Mean), strings.Join(terms, "; "))
		}
	}
	clear := c.Clear()
	for _, x := range clear[:min(3, len(clear))] {
		say("%s", x.Says(c.Names))
	}
	return lines
}

// lateShown is how many programs late names.
const lateShown = 3

// late says which programs weigh more for one policy in the last fifth of the way: of several those that differ most.
func (c *Contrast) late() (lines []string) {
	last := habits.Stages - 1
	shown := slices.DeleteFunc(slices.Clone(c.Programs), func(x Program) bool { return !x.Stages[last].Shown() })
	slices.SortStableFunc(shown, func(a, b Program) int {
		return cmp.Compare(abs(b.Stages[last].Mean), abs(a.Stages[last].Mean))
	})
	if len(shown) == 0 {
		return []string{fmt.Sprintf("In the last fifth of the way no program is shown to weigh more for %s or for %s.",
			c.Names[0], c.Names[1])}
	}
	picked := ""
	if len(shown) > lateShown {
		picked = fmt.Sprintf("; the %d largest follow, which the same decisions picked, so that they are rather too "+
			"large", lateShown)
	}
	lines = append(lines, fmt.Sprintf("In the last fifth of the way %d of the %d programs are shown to weigh more for "+
		"one of the two, each looked at by itself%s.", len(shown), len(c.Programs), picked))
	for _, x := range shown[:min(lateShown, len(shown))] {
		e := x.Stages[last]
		lines = append(lines, fmt.Sprintf("In the last fifth %s, a %s program, has %s %s.", quoted(x.Name), x.Category,
			c.moreFor(e), bounds(e)))
	}
	return lines
}

// byCategory says which categories of programs weigh more for one policy where it does not go to the nearest candidate.
func (c *Contrast) byCategory() (lines []string) {
	if len(c.Categories) < 2 {
		return nil
	}
	var rest []string
	for _, x := range c.Categories {
		if x.DeviatingMore.N == 0 {
			continue
		}
		e, a, b := x.DeviatingMore, decimal.Percent(x.Deviating[0].Mean), decimal.Percent(x.Deviating[1].Mean)
		if !e.Shown() {
			rest = append(rest, fmt.Sprintf("%s %s and %s (fitting again changes %s)", x.Name, a, b, points(e.Refit)))
			continue
		}
		if e.Mean < 0 { // as moreFor names them
			a, b = b, a
		}
		lines = append(lines, fmt.Sprintf("Where a policy does not go to the nearest, %s programs have %s (%s and %s) "+
			"%s.", x.Name, c.moreFor(e), a, b, bounds(e)))
	}
	if len(rest) > 0 {
		lines = append(lines, fmt.Sprintf("Where %s and %s do not go to the nearest, no difference is shown between "+
			"what these programs weigh: %s.", c.Names[0], c.Names[1], strings.Join(rest, "; ")))
	}
	return lines
}

// Clear returns the conditions that are shown to make a difference.
func (c *Contrast) Clear() (clear []Condition) {
	for _, x := range c.Conditions {
		if x.Change.Shown() && (x.Above.Shown() || x.Below.Shown()) {
			clear = append(clear, x)
		}
	}
	return clear
}

// Says puts a condition into words. names are those of A and B.
func (x Condition) Says(names [2]string) string {
	c := Contrast{Names: names}
	return fmt.Sprintf("%s has %s %s, and %s %s.", quoted(x.Program), c.moreFor(x.Above), x.High, c.moreFor(x.Below),
		x.Low)
}

// moreFor says for which policy a weight is the larger: "3.1 points more of the weight for A than for B".
func (c *Contrast) moreFor(e Estimate) string {
	who, other := c.Names[0], c.Names[1]
	switch {
	case !e.Shown():
		return fmt.Sprintf("no shown difference (%s)", points(e.Mean))
	case e.Mean < 0:
		who, other = other, who
	}
	return fmt.Sprintf("%s more of the weight for %s than for %s", points(abs(e.Mean)), who, other)
}

func quoted(name string) string { return "`" + name + "`" }

func abs(v float64) float64 { return max(v, -v) }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func points(v float64) string { return decimal.Fixed(100*v, 1) + " points" }

func interval(e Estimate) string { return decimal.Interval(100*e.CI.Lo, 100*e.CI.Hi, 1) }

// bounds writes the interval of what moreFor says: the other way round where that is more for B.
func bounds(e Estimate) string {
	ci := e.CI
	if e.Mean < 0 {
		ci = bootstrap.Interval{Lo: -ci.Hi, Hi: -ci.Lo}
	}
	return decimal.SignedInterval(100*ci.Lo, 100*ci.Hi, 1)
}

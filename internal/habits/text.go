package habits

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/terminal"
)

// Told says in words what the policy usually does, one fact a sentence, as a person reads it.
func (p Profile) Told() []string {
	if p.Routes != nil {
		return p.sentences("steps to a customer", " within a route") // a choice of the depot has no rank
	}
	return p.Sentences()
}

// Sentences says what Told says, as prompts quote it: of a vehicle, too, they call decisions what has a rank, and do
// not say that edges of two routes may cross. Other words would make other runs.
func (p Profile) Sentences() []string { return p.sentences("decisions", "") }

// sentences says what the policy usually does. ranked names the decisions that have a rank, within the walks whose
// crossings are counted.
func (p Profile) sentences(ranked, within string) []string {
	walks := "tours"
	if p.Routes != nil {
		walks = "routes of two customers or more"
	}
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if s := p.Counterclockwise; s.Of > 0 {
		way := "counterclockwise"
		if s.Value() < 0.5 {
			s.Count, way = s.Of-s.Count, "clockwise"
		}
		say("Direction: %s %s run %s%s.", s, walks, way, emphasis(s))
	}
	if s := p.Start; s != nil {
		say("Start: near (%.2f, %.2f), %.2f from there on average, in %d tours.", s.X, s.Y, s.Spread, s.Of)
	}
	if text := p.nearness(ranked); text != "" {
		out = append(out, text)
	}
	if text := p.sureness(); text != "" {
		out = append(out, text)
	}
	if p.HullOrder.Of > 0 {
		say("Hull: %s tours meet the corners of the convex hull in order, as every optimal tour does.", p.HullOrder)
	}
	if p.Uncrossed.Of > 0 {
		say("Crossings: %s %s have none; %.2f pairs of edges%s cross in a solution.", p.Uncrossed, walks, p.Crossings,
			within)
	}
	if r := p.Routes; r != nil {
		say("Load: %.1f %% of the capacity is in use when the vehicle comes home, from %.1f routes a solution.",
			100*r.Load, r.PerTour)
		say("Early returns: at %s decisions where a customer fits, the vehicle goes home.", r.Voluntary)
		say("Order of routes: %s lie counterclockwise of the route before, seen from the depot%s.", r.NextLeft,
			emphasis(r.NextLeft))
	}
	if g := p.Gap; g != nil {
		say("Length: %s %% above local search on average; %s solutions are at most 1 %% above it.",
			decimal.Fixed(g.Percent, 1), g.Within1)
	}
	return out
}

// emphasis tells a habit from chance where a share of one half is chance. Of few cases it says nothing.
func emphasis(s Share) string {
	switch v := s.Value(); {
	case s.Of < 20:
		return ""
	case v >= 0.95 || v <= 0.05:
		return ", a fixed habit"
	case math.Abs(v-0.5) <= 1/math.Sqrt(float64(s.Of)): // two standard errors
		return ", which shows no preference"
	}
	return ""
}

// nearness says how near the choices are: over the whole way, in its first part and in its last one. ranked names the
// decisions that count.
func (p Profile) nearness(ranked string) string {
	var all [4]int
	var ends []string
	for k, s := range p.Stages {
		for i, n := range s.Rank {
			all[i] += n
		}
		if k == 0 && s.ranked() > 0 {
			ends = append(ends, percent(s.Rank[0], s.ranked())+" in the first fifth of the way")
		}
		if k == Stages-1 && s.ranked() > 0 {
			ends = append(ends, percent(s.Rank[0], s.ranked())+" in the last")
		}
	}
	total := Stage{Rank: all}.ranked()
	if total == 0 {
		return ""
	}
	text := fmt.Sprintf(
		"Nearness: it takes the nearest in %s of its %s, the second nearest in %s, the third in %s",
		percent(all[0], total), ranked, percent(all[1], total), percent(all[2], total))
	if len(ends) > 0 {
		text += "; the nearest in " + strings.Join(ends, ", ")
	}
	return text + "."
}

// sureness says how much of the probability the first choice has, where it has least, and how many choices are close.
func (p Profile) sureness() string {
	var sum float64
	least, ties, decisions := -1, 0, 0
	for k, s := range p.Stages {
		if s.Decisions == 0 {
			continue
		}
		sum += s.Top1 * float64(s.Decisions)
		ties, decisions = ties+s.NearTies, decisions+s.Decisions
		if least < 0 || s.Top1 < p.Stages[least].Top1 {
			least = k
		}
	}
	if decisions == 0 {
		return ""
	}
	return fmt.Sprintf("Sureness: the first choice has %.3f of the probability on average, least at %s of the way "+
		"(%.3f); in %s of the decisions the first two are less than %g apart, a near-tie.",
		sum/float64(decisions), Stretch(least), p.Stages[least].Top1, percent(ties, decisions), nearTie)
}

// ranked counts the decisions that have a rank.
func (s Stage) ranked() int {
	n := 0
	for _, r := range s.Rank {
		n += r
	}
	return n
}

// Stretch names part k of the way through a solution: "40–60 %".
func Stretch(k int) string { return fmt.Sprintf("%d–%d %%", 100*k/Stages, 100*(k+1)/Stages) }

// Fprint writes the profile in words, and the stages as a table.
func (p Profile) Fprint(w io.Writer) error {
	fmt.Fprintf(w, "%s, %s of %s: %d solutions, %d decisions\n\n", terminal.Line(p.Teacher), p.Problem,
		problems.Sized(p.Problem, problems.Size(p.Problem, p.N)), p.Solutions, p.States)
	for _, s := range p.Told() {
		fmt.Fprintln(w, s)
	}
	fmt.Fprintln(w)
	t := terminal.Table{Right: true}
	t.Row("way", "decisions", "nearest", "second", "third", "farther", "first choice", "second choice", "near-ties")
	for k, s := range p.Stages {
		if s.Decisions == 0 {
			continue
		}
		row := []string{Stretch(k), fmt.Sprint(s.Decisions)}
		for _, n := range s.Rank {
			row = append(row, percent(n, s.ranked()))
		}
		row = append(row, fmt.Sprintf("%.3f", s.Top1), fmt.Sprintf("%.3f", s.Top2), percent(s.NearTies, s.Decisions))
		t.Row(row...)
	}
	return t.Fprint(w)
}

// String returns the share as a count, such as "998 of 1000".
func (s Share) String() string { return fmt.Sprintf("%d of %d", s.Count, s.Of) }

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

package habits

import (
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/terminal"
)

// Fprint writes the profile in words, and the stages as a table.
func (p Profile) Fprint(w io.Writer) error {
	walks := "tours"
	if p.Routes != nil {
		walks = "routes of two customers or more"
	}
	fmt.Fprintf(w, "%s, %s of %d nodes: %d solutions, %d decisions\n\n",
		terminal.Line(p.Teacher), p.Problem, p.N, p.Solutions, p.States)
	fmt.Fprintf(w, "Direction: %s %s run counterclockwise.\n", p.Counterclockwise, walks)
	if s := p.Start; s != nil {
		fmt.Fprintf(w, "Start: near (%.2f, %.2f), %.2f from there on average, in %d tours.\n", s.X, s.Y, s.Spread, s.Of)
	}
	if p.HullOrder.Of > 0 {
		fmt.Fprintf(w, "Hull: %s tours meet the corners of the convex hull in order, as every optimal tour does.\n",
			p.HullOrder)
	}
	fmt.Fprintf(w, "Crossings: %s %s have none; %.2f pairs of edges cross in a solution.\n",
		p.Uncrossed, walks, p.Crossings)
	if r := p.Routes; r != nil {
		fmt.Fprintf(w, "Load: %.1f %% of the capacity is in use when the vehicle comes home, from %.1f routes "+
			"a solution.\n", 100*r.Load, r.PerTour)
		fmt.Fprintf(w, "Early returns: at %s decisions where a customer fits, the vehicle goes home.\n", r.Voluntary)
		fmt.Fprintf(w, "Order of routes: %s lie counterclockwise of the route before, seen from the depot.\n",
			r.NextLeft)
	}
	fmt.Fprintln(w)
	t := terminal.Table{Right: true}
	t.Row("way", "decisions", "nearest", "second", "third", "farther", "first choice", "second choice", "near-ties")
	for k, s := range p.Stages {
		if s.Decisions == 0 {
			continue
		}
		ranked := 0
		for _, n := range s.Rank {
			ranked += n
		}
		row := []string{fmt.Sprintf("%d–%d %%", 100*k/Stages, 100*(k+1)/Stages), fmt.Sprint(s.Decisions)}
		for _, n := range s.Rank {
			row = append(row, percent(n, ranked))
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

package textreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
)

// Certificate prints how far an explanation may be trusted: the findings first, then the figures. Figures in square
// brackets are 95 % intervals.
func Certificate(w io.Writer, c *certify.Certificate) error {
	p := printer{w: w}
	p.line("%s explains %s on %d decisions of %d %s of %s; seed %d.", terminal.Line(c.Student),
		terminal.Line(c.Teacher), c.Decisions, c.Instances, terminal.Line(c.Data),
		problems.Sized(routing.Problem(c.Problem), c.Nodes), c.Seed)
	p.findings("What was found", c.Good)
	p.findings("What speaks against it", c.Warnings)
	p.findings("What could not be found out", c.Unclear)
	p.line("\nShares are in %%, with 95 %% intervals over instances, or the number of decisions where these are too " +
		"few.")
	p.agreement(c)
	p.programs(c)
	p.leader(c)
	p.changes(c)
	p.stability(c)
	return p.err
}

// agreement prints where student, nearest candidate and rivals choose as the teacher does.
func (p *printer) agreement(c *certify.Certificate) {
	var agreement terminal.Table
	agreement.Row("agreement with the teacher", "decisions", "student", "nearest")
	for _, s := range c.Agreement.Slices() {
		agreement.Row(s.What, fmt.Sprint(s.Student.N), share(s.Student), share(s.Nearest))
	}
	p.table(&agreement)
	var rivals terminal.Table
	rivals.Row("on the same decisions", "agreement", "student ahead by, points")
	for _, r := range c.Rivals {
		rivals.Row(r.Name, share(r.Top1), withInterval(r.Ahead, r.AheadCI, 100, 1))
	}
	p.table(&rivals)
}

// programs prints what each program does, and what the student loses without it.
func (p *printer) programs(c *certify.Certificate) {
	var programs, without terminal.Table
	programs.Row("program", "leads", "right where it leads", "right alone", "τ_h", "τ_h that fits")
	without.Row("without it", "the choice changes", "agreement then", "points lost",
		"loss of the mixture rises by, nats")
	for _, x := range c.Programs {
		programs.Row(x.Name, share(x.Leads), share(x.Niche), share(x.Top1), fmt.Sprintf("%.3g", x.TauH), fits(x))
		lost := "–"
		if x.Changed.N > 0 {
			lost = withInterval(x.Lost, x.LostCI, 100, 1)
		}
		without.Row(x.Name, share(x.Changed), share(x.Right), lost, withInterval(x.Loss, x.LossCI, 1, 4))
	}
	p.table(&programs)
	if len(c.Programs) > 1 {
		p.table(&without)
	}
}

// fits prints the τ_h that fits a program, a dash where it is not known. Old certificates have no interval.
func fits(p certify.Program) string {
	switch {
	case !p.HasFit():
		return "–"
	case p.FitsCI == bootstrap.Interval{}:
		return fmt.Sprintf("%.3g", p.Fits)
	}
	return fmt.Sprintf("%.3g [%.2g, %.2g]", p.Fits, p.FitsCI.Lo, p.FitsCI.Hi)
}

// leader prints how far one program decides a step, and what happens without it.
func (p *printer) leader(c *certify.Certificate) {
	a := c.Leader
	var leader terminal.Table
	leader.Row("the leader, which has the largest weight", "share of the decisions", "agreement then")
	if !c.OneRule() {
		leader.Row("alone would choose as the student does", share(a.Alone))
	}
	leader.Row("is ahead by less than 1 point", share(a.Ties))
	if len(c.Programs) > 1 {
		leader.Row("is left out: the choice changes", share(a.Removed), share(a.RemovedTop1))
		leader.Row("is replaced by lot: the choice changes", share(a.Swapped), share(a.SwappedTop1))
	}
	p.table(&leader)
	lead := make([]string, len(a.Margins))
	for i, m := range a.Margins {
		lead[i] = fmt.Sprintf("%s in %.0f %%", decimal.Fixed(100*m.Lead, 1), 100*m.Quantile)
	}
	p.line("")
	p.words(fmt.Sprintf("It is ahead by at most so many points of the weight: %s of the decisions. On average %s %s "+
		"of the programs would by themselves choose as the student does.", strings.Join(lead, ", "),
		decimal.Percent(a.Consensus), decimal.Interval(100*a.ConsensusCI.Lo, 100*a.ConsensusCI.Hi, 1)))
	if len(c.Tours) == 0 {
		return
	}
	var tours terminal.Table
	tours.Row("cost of greedy solutions, in %", "gap to the teacher", "over the student")
	for _, t := range c.Tours {
		tours.Row(t.What, gapAndInterval(t.Gap), gapAndInterval(t.Rise))
	}
	p.table(&tours)
}

// changes prints who changes the decision when an instance changes.
func (p *printer) changes(c *certify.Certificate) {
	if len(c.Changes) == 0 {
		return
	}
	var changes terminal.Table
	changes.Row("when", "cases", "teacher changes", "then the student", "then both agree", "else the student")
	for _, x := range c.Changes {
		changes.Row(x.What, fmt.Sprint(x.Teacher.N), share(x.Teacher), share(x.Both), share(x.Same), share(x.Alone))
	}
	p.table(&changes)
}

// stability prints whether other students name the same leaders.
func (p *printer) stability(c *certify.Certificate) {
	if len(c.Stability) == 0 {
		return
	}
	var others terminal.Table
	others.Row("another student", "same choice", "matching leader", "by lot")
	for _, s := range c.Stability {
		others.Row(s.Name, share(s.Choices), share(s.Leaders), fmt.Sprintf("%.1f", 100*s.Chance))
	}
	p.table(&others)
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (p *printer) Write(b []byte) (int, error) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
	return len(b), p.err
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *printer) words(text string) { terminal.Wrapped(p, text) }

// table prints a table below an empty line.
func (p *printer) table(t *terminal.Table) {
	p.line("")
	if err := t.Fprint(p); p.err == nil {
		p.err = err
	}
}

func (p *printer) findings(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.line("\n%s", title)
	for _, l := range lines {
		p.words("  - " + terminal.Line(l))
	}
}

// share prints a share in per cent with its interval, or of how many decisions it is where these are few. One of
// nothing is a dash.
func share(s certify.Share) string {
	switch {
	case s.N == 0:
		return "–"
	case s.Few():
		return fmt.Sprintf("%.1f of %d", 100*s.Of, s.N)
	}
	return decimal.Fixed(100*s.Of, 1) + " " + decimal.Interval(100*s.CI.Lo, 100*s.CI.Hi, 1)
}

// withInterval prints a figure and its interval, both times scale.
func withInterval(v float64, ci bootstrap.Interval, scale float64, decimals int) string {
	return decimal.Signed(scale*v, decimals) + " " + decimal.SignedInterval(scale*ci.Lo, scale*ci.Hi, decimals)
}

// gapAndInterval prints a gap, in per cent.
func gapAndInterval(g bootstrap.Gap) string { return withInterval(g.Percent, g.CI, 1, 2) }

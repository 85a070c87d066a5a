package textreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/terminal"
)

// Certificate prints how far an explanation may be trusted: the findings first, then the figures.
func Certificate(w io.Writer, c *certify.Certificate) error {
	p := printer{w: w}
	p.line("%s explains %s on %d decisions of %d fresh instances of %d nodes; seed %d.", c.Student, c.Teacher,
		c.Decisions, c.Instances, c.Nodes, c.Seed)
	p.findings("What speaks for it", c.Good)
	p.findings("What speaks against it", c.Warnings)
	p.line("")
	var agreement terminal.Table
	agreement.Row("agreement with the teacher", "decisions", "student", "95 %", "nearest")
	all := append([]certify.Slice{c.Agreement.Overall}, c.Agreement.Stages...)
	all = append(append(all, c.Agreement.Candidates...), c.Agreement.Ranks...)
	if c.Agreement.Hard != nil {
		all = append(all, *c.Agreement.Hard)
	}
	for _, s := range all {
		agreement.Row(s.What, fmt.Sprint(s.Student.N), share(s.Student), ci(s.Student), share(s.Nearest))
	}
	p.table(&agreement)
	var rivals terminal.Table
	rivals.Row("on the same decisions", "agreement", "student ahead by", "95 %")
	for _, r := range c.Rivals {
		rivals.Row(r.Name, share(r.Top1), fmt.Sprintf("%+.1f", 100*r.Ahead),
			fmt.Sprintf("[%+.1f, %+.1f]", 100*r.AheadCI.Lo, 100*r.AheadCI.Hi))
	}
	p.table(&rivals)
	var programs terminal.Table
	programs.Row("program", "leads", "right there", "right alone", "τ_h", "fitting τ_h", "loss without it", "95 %")
	for _, x := range c.Programs {
		programs.Row(x.Name, share(x.Leads), share(x.Niche), share(x.Top1), fmt.Sprintf("%.3g", x.TauH),
			fmt.Sprintf("%.3g", x.Fits), fmt.Sprintf("%+.4f", x.Loss),
			fmt.Sprintf("[%+.4f, %+.4f]", x.LossCI.Lo, x.LossCI.Hi))
	}
	p.table(&programs)
	p.line("")
	a := c.Leader
	lead := make([]string, len(a.Margins))
	for i, m := range a.Margins {
		lead[i] = fmt.Sprintf("%.2f in %.0f %%", m.Lead, 100*m.Quantile)
	}
	p.line("The leader decides alone in %s, a tie in %s; on average %s of the programs choose as the student.",
		share(a.Alone), share(a.Ties), percents(a.Consensus))
	p.line("It is ahead by at most: %s of the decisions.", strings.Join(lead, ", "))
	if len(c.Programs) > 1 {
		p.line("Without the leader %s of the decisions change (agreement %s), with a program drawn by lot in its "+
			"place %s (%s).", share(a.Removed), share(a.RemovedTop1), share(a.Swapped), share(a.SwappedTop1))
	}
	var changes terminal.Table
	changes.Row(
		"change", "cases", "teacher changes", "student changes",
		"where the teacher does", "where it does not", "to the same",
	)
	for _, x := range c.Changes {
		changes.Row(x.What, fmt.Sprint(x.Teacher.N), share(x.Teacher), share(x.Student), share(x.Both), share(x.Alone),
			share(x.Same))
	}
	p.table(&changes)
	return p.err
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) table(t *terminal.Table) {
	if p.line(""); p.err == nil {
		p.err = t.Fprint(p.w)
	}
}

func (p *printer) findings(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.line("\n%s", title)
	for _, l := range lines {
		p.line("  - %s", l)
	}
}

func share(s certify.Share) string {
	if s.N == 0 {
		return "–"
	}
	return percents(s.Of)
}

func percents(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

func ci(s certify.Share) string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("[%.1f, %.1f]", 100*s.CI.Lo, 100*s.CI.Hi)
}

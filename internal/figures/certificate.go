package figures

import (
	"fmt"
	"strconv"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/decimal"
)

// certificateTables returns the tables of a certificate, none of none. Shares and gaps are in per cent.
func certificateTables(c *certify.Certificate) []Table {
	if c == nil {
		return nil
	}
	onInstances := func(what string) string {
		return fmt.Sprintf("%s, on %d %s, with 95\u00a0%% intervals", what, c.Instances, c.Data)
	}
	caption := func(what string) string {
		return fmt.Sprintf("%s, on %d decisions of %d %s, with 95\u00a0%% intervals",
			what, c.Decisions, c.Instances, c.Data)
	}
	agreement := Table{
		Name: "certificate-agreement", Caption: caption("Agreement with the teacher"),
		Columns: append([]string{"where", "decisions"}, spans("student", "nearest")...),
	}
	for _, s := range c.Agreement.Slices() {
		agreement.Rows = append(agreement.Rows, append([]string{s.What, strconv.Itoa(s.Student.N)},
			shares(s.Student, s.Nearest)...))
	}
	programs := Table{
		Name: "certificate-programs",
		Caption: caption("Each program, what changes without it, and the rise of the loss of the mixture then, in " +
			"nats a decision"),
		Columns: append(append([]string{"program"},
			spans("leads", "right there", "right alone", "changes", "agreement without it")...),
			"points lost", "lost from", "lost to", "tau_h", "fitting tau_h", "fit from", "fit to", "loss", "loss from",
			"loss to"),
	}
	for m, p := range c.Programs {
		row := append([]string{bank.Label(m) + " " + p.Name},
			shares(p.Leads, p.Niche, p.Top1, p.Changed, p.Right)...)
		row = append(row, span(p.Changed.N > 0, 100*p.Lost, 100*p.LostCI.Lo, 100*p.LostCI.Hi, 1)...)
		row = append(row, decimal.Fixed(p.TauH, 4))
		fit := span(p.HasFit(), p.Fits, p.FitsCI.Lo, p.FitsCI.Hi, 4)
		if p.FitsCI.Hi == 0 { // an old certificate
			fit[1], fit[2] = "", ""
		}
		row = append(row, fit...)
		row = append(row, span(len(c.Programs) > 1, p.Loss, p.LossCI.Lo, p.LossCI.Hi, 4)...)
		programs.Rows = append(programs.Rows, row)
	}
	leader := Table{
		Name: "certificate-leader", Caption: caption("What the leader decides"),
		Columns: append([]string{"what", "decisions"}, spans("share")...),
	}
	alone := c.Leader.Alone
	if c.OneRule() { // by construction
		alone = certify.Share{}
	}
	for _, row := range []struct {
		what string
		of   certify.Share
	}{
		{"the leader alone chooses the same", alone},
		{"the leader is ahead by less than 1 point", c.Leader.Ties},
		{"decisions change without the leader", c.Leader.Removed},
		{"agreement then", c.Leader.RemovedTop1},
		{"decisions change with a program drawn by lot in its place", c.Leader.Swapped},
		{"agreement with it", c.Leader.SwappedTop1},
	} {
		if row.of.N > 0 {
			leader.Rows = append(leader.Rows, append([]string{row.what, strconv.Itoa(row.of.N)}, shares(row.of)...))
		}
	}
	tours := Table{
		Name: "certificate-costs", Caption: onInstances("Cost of greedy solutions from the teacher's first nodes"),
		Columns: append([]string{"who constructs"}, spans("gap", "over the student")...),
	}
	for _, t := range c.Tours {
		tours.Rows = append(tours.Rows, append(append([]string{t.What}, gap(t.Gap)...), gap(t.Rise)...))
	}
	changes := Table{
		Name: "certificate-changes", Caption: onInstances("Who changes a choice that both shared"),
		Columns: append([]string{"when", "cases"}, spans("teacher", "then the student", "else the student")...),
	}
	for _, ch := range c.Changes {
		changes.Rows = append(changes.Rows, append([]string{ch.What, strconv.Itoa(ch.Teacher.N)},
			shares(ch.Teacher, ch.Both, ch.Alone)...))
	}
	rivals := Table{
		Name: "certificate-rivals", Caption: caption("Agreement of simpler policies"),
		Columns: append(append([]string{"policy"}, spans("agreement")...),
			"student ahead by, points", "ahead from", "ahead to"),
	}
	for _, r := range c.Rivals {
		rivals.Rows = append(rivals.Rows, append(append([]string{r.Name}, shares(r.Top1)...),
			span(true, 100*r.Ahead, 100*r.AheadCI.Lo, 100*r.AheadCI.Hi, 1)...))
	}
	return []Table{agreement, programs, leader, tours, changes, rivals}
}

// spans names three columns for each value: the value and its interval.
func spans(names ...string) (columns []string) {
	for _, n := range names {
		columns = append(columns, n+" %", n+" from", n+" to")
	}
	return columns
}

// shares returns the cells of some shares, empty ones where nothing was counted. A share of few has no interval.
func shares(all ...certify.Share) (cells []string) {
	for _, s := range all {
		switch {
		case s.N == 0:
			cells = append(cells, "", "", "")
		case s.Few():
			cells = append(cells, decimal.Fixed(100*s.Of, 1), "", "")
		default:
			cells = append(cells, span(true, 100*s.Of, 100*s.CI.Lo, 100*s.CI.Hi, 1)...)
		}
	}
	return cells
}

// span returns the cells of a value and its interval, empty ones of an unknown value.
func span(known bool, v, lo, hi float64, decimals int) []string {
	if !known {
		return make([]string, 3)
	}
	return []string{decimal.Fixed(v, decimals), decimal.Fixed(lo, decimals), decimal.Fixed(hi, decimals)}
}

func gap(g bootstrap.Gap) []string {
	return span(true, g.Percent, g.CI.Lo, g.CI.Hi, 2)
}

package report_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
)

// certificate has a figure in every table.
func certificate() *certify.Certificate {
	share := certify.Share{Of: 0.9, N: 1234, CI: bootstrap.Interval{Lo: 0.88, Hi: 0.92}}
	slice := func(what string) certify.Slice { return certify.Slice{What: what, Student: share, Nearest: share} }
	gap := bootstrap.Gap{Percent: 1.5, CI: bootstrap.Interval{Lo: 1, Hi: 2}}
	return &certify.Certificate{
		Instances: 20, Decisions: 1234, Data: "instances of the run’s test set",
		Agreement: certify.Agreement{
			Overall: slice("all decisions"), Stages: []certify.Slice{slice("a stage")},
			Candidates: []certify.Slice{slice("some candidates")}, Ranks: []certify.Slice{slice("a rank")},
		},
		Leader: certify.Attribution{Alone: share, Ties: share, Removed: share, Swapped: share,
			RemovedTop1: share, SwappedTop1: share, Consensus: 0.696,
			ConsensusCI: bootstrap.Interval{Lo: 0.68, Hi: 0.71},
			Margins:     []certify.Margin{{Quantile: 0.05, Lead: 0.02}, {Quantile: 0.5, Lead: 0.25}}},
		Programs: []certify.Program{
			{Name: "near", Leads: share, Top1: share, Niche: share, TauH: 0.1, Fits: 0.2, HasScale: true,
				FitsCI: bootstrap.Interval{Lo: 0.15, Hi: 0.25}, Changed: share, Right: share, Lost: 0.012,
				LostCI: bootstrap.Interval{Lo: -0.001, Hi: 0.02}, Loss: 0.0054,
				LossCI: bootstrap.Interval{Lo: 0.0015, Hi: 0.0099}},
			{Name: "seldom", Niche: certify.Share{Of: 1, N: 19}, TauH: 0.1, Fits: 0.777, HasScale: true},
			{Name: "unused", Top1: share, TauH: 0.1, Fits: 0.3},
		},
		Tours:   []certify.Tours{{What: "the student", Gap: gap}, {What: "without its leader", Gap: gap, Rise: gap}},
		Changes: []certify.Change{{What: "a node moves", Teacher: share, Both: share, Alone: share, Same: share}},
		Rivals:  []certify.Rival{{Name: "nearest candidate", Top1: share, Ahead: 0.1}},
		Good:    []string{"It agrees."}, Warnings: []string{"Nobody follows unused."},
	}
}

// A report shows the run's certificate, and the command that measures one where there is none.
func TestPageHasTheCertificate(t *testing.T) {
	d := sample()
	contains(t, render(t, d), `<section id="certificate">`, "epb certify "+d.Run.ID+" --teacher PATH")
	d.Certificate = certificate()
	page := render(t, d)
	contains(t, page, `<a href="#certificate">`, "Without its leader the student would choose otherwise in ",
		"1\u202f234 decisions of the teacher on 20 instances of the run’s test set",
		"<h3>What was found</h3>\n<ul class=\"findings\"><li>It agrees.</li>",
		"<h3>What speaks against it</h3>\n<ul class=\"findings\"><li>Nobody follows unused.</li>",
		`<th scope="row">a stage</th><td>1`+"\u202f"+`234</td>`+"\n<td>90.0 % <small>[88.0, 92.0]</small></td>",
		"<td>+10.0 <small>",                // points ahead
		"<td>100.0 % <small>of 19</small>", // no interval of few decisions
		`<code>unused</code></th><td>–</td>`, "<td>0.2 <small>[0.15, 0.25]</small></td>",
		"It alone would choose as the student does", "It is left out: the choice changes",
		"It is ahead by at most so many points of the weight: 2.0 in 5 %, 25.0 in 50 % of the decisions.",
		"On average 69.6 % <small>[68.0, 71.0]</small> of the programs would by themselves choose as the student does.",
		"<td>+1.2 <small>[−0.1, +2.0]</small></td>\n<td>+0.0054 <small>[+0.0015, +0.0099]</small></td>",
		`without its leader</th><td>+1.50 % <small>[+1.00, +2.00]</small></td>`, "a node moves")
	if strings.Contains(page, "0.777") {
		t.Error("the page shows a τ_h that fits 19 decisions")
	}
	if strings.Contains(page, "What could not be found out") || strings.Contains(page, "ZgotmplZ") {
		t.Error("the page has an empty list of findings, or a value that the template engine refused")
	}
	if hit := loads.FindString(page); hit != "" {
		t.Errorf("the page has %q: it must be self-contained", hit)
	}
}

package report_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
)

// hardened is the sample where one rule decides each step. The first program leads all of the early steps, the second
// all others.
func hardened() report.Data {
	d := sample()
	d.Config.Student.Routing = config.HardRouting
	d.Fidelity.Hard, d.Fidelity.Mixed, d.Fidelity.Leader = d.Fidelity.Top1, 0.93, 0.5
	for m := range d.Activation.Heuristics {
		u := &d.Activation.Heuristics[m]
		u.Dominant, u.LedByProgress = 0, [evaluate.ProgressBins]float64{}
		for b := range u.LedByProgress {
			if m == 0 && b < 3 || m == 1 && b >= 3 {
				u.LedByProgress[b] = 1
				u.Dominant += 0.1
			}
		}
	}
	return d
}

// section cuts one out of a page.
func section(t *testing.T, page, id string) string {
	t.Helper()
	_, from, ok := strings.Cut(page, `<section id="`+id+`">`)
	if !ok {
		t.Fatalf("the page has no section %s", id)
	}
	body, _, _ := strings.Cut(from, "</section>")
	return body
}

// labels returns the programs in the order in which a part of a page names them by a pattern.
func labels(part, pattern string) (order []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(part, -1) {
		order = append(order, m[1])
	}
	return order
}

// A report begins with who decides, when and how well. Rules and cards come in the order of the steps led.
func TestRulesComeFirst(t *testing.T) {
	d := hardened()
	share := certify.Share{Of: 0.95, N: 100, CI: bootstrap.Interval{Lo: 0.9, Hi: 0.98}}
	d.Certificate = &certify.Certificate{Decisions: 500, Programs: []certify.Program{
		{Name: d.Bank[1].Name, Niche: share, Changed: share, Lost: 0.012,
			LostCI: bootstrap.Interval{Lo: 0.001, Hi: 0.02}},
	}}
	page := render(t, d)
	rules := section(t, page, "rules")
	contains(t, rules,
		`postponement_<wbr>regret</a></th><td>70.0 %</td><td class="text">middle, late <small>0, 100, 100 %</small>`+
			`</td><td>95.0 % <small>[90.0, 98.0]</small></td><td>+1.2 <small>[+0.1, +2.0]</small></td>`,
		`nearest_<wbr>neighbour</a></th><td>30.0 %</td><td class="text">early <small>100, 0, 0 %</small></td>`+
			`<td>–</td><td>–</td><td class="text says">Scores each candidate by its distance`,
		"Students of other seeds may name other leaders", "epb certify am-tsp20-7f3a --teacher PATH --also OTHER",
	)
	contains(t, section(t, page, "tours"), "Students of other seeds may name other leaders")
	if order := labels(rules, `href="#(H\d\d)"`); !slices.Equal(order[:3], []string{"H01", "H00", "H02"}) {
		t.Errorf("rules %v, want those that lead most first", order)
	}
	if order := labels(page, `<article id="(H\d\d)"`); !slices.Equal(order[:3], []string{"H01", "H00", "H02"}) {
		t.Errorf("cards %v, want those that lead most first", order)
	}
	want := []string{"rules", "result", "habits", "faithful", "certificate", "decides", "tours", "bank", "start",
		"training", "provenance"}
	if got := labels(page, `<section id="(\w+)"`); !slices.Equal(got, want) {
		t.Errorf("sections %v, want %v", got, want)
	}
	if got := labels(page, `<li><a href="#([a-z]+)"`); !slices.Equal(got, want) {
		t.Errorf("contents %v, want %v", got, want)
	}
}

// Of a student of which one rule decides each step, nothing is said that is true of mixtures only, and nothing twice.
func TestOneRuleIsNoMixture(t *testing.T) {
	d := hardened()
	d.Certificate = certificate()
	d.Certificate.Routing = config.HardRouting
	page := render(t, d)
	contains(t, page,
		`<p class="abstract">One rule decides each step: the program with the largest weight chooses alone.`,
		"and the program with the largest one decides alone", "Share of the steps that a program leads, per tenth of",
		"Whichever rule decided, the student could not agree more often.", "KL of the mixture to the teacher, nats",
		"Top-1 where the rules are mixed")
	for _, bad := range []string{"a mixture may still choose it", "the router mixes these",
		"Mean routing weight per tenth", "Top-1 where one rule decides each step", "It alone would choose",
		"<dt>Mean routing weight</dt>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page of a student of one rule a step says %q", bad)
		}
	}
	heat := section(t, page, "decides")
	if n := strings.Count(heat, `<td title="1.000">`); n != 10 {
		t.Errorf("%d stages are led by one program alone, want all 10", n)
	}
	contains(t, render(t, sample()), "a mixture may still choose it", "the router mixes these",
		"Mean routing weight per tenth", "<dt>Mean routing weight</dt>")
}

// Programs that do not look at the stage may lead at some stage only. Old reports do not know who leads when.
func TestWhoLeadsChangesWithTheStage(t *testing.T) {
	d := hardened()
	contains(t, section(t, render(t, d), "decides"), "Of all programs and tenths of the tour, the share of the steps "+
		"led differs most for H00: 100 % in tenth 1, 0 % in tenth 4. That is the largest of many differences, and "+
		"without an interval: how much of it is chance is not measured, nor where it comes from.")
	d.Activation.StageStates = [evaluate.ProgressBins]int{0: 1500, 3: 40}
	contains(t, section(t, render(t, d), "decides"), "for H00: 100 % of 1\u202f500 states in tenth 1, 0 % of 40 "+
		"states in tenth 4.")
	if page := render(t, sample()); strings.Contains(page, "differs most") || strings.Contains(page, "Mostly") {
		t.Error("an old report says who leads when")
	}
}

// A vehicle chooses its first customer, and no part of the page says otherwise.
func TestFirstCustomerIsChosen(t *testing.T) {
	d := routes()
	d.Table.Start = "Everybody chooses the first customer."
	page := render(t, d)
	contains(t, section(t, page, "start"), "There is none. Everybody chooses the first customer.")
	if strings.Contains(page, "is given its first node") {
		t.Error("the page says that the first customer is given")
	}
}

// A single program is the best one by cost here, and by agreement in the certificate.
func TestBestProgramByCost(t *testing.T) {
	contains(t, render(t, sample()),
		`The student’s best single program by cost, <a href="#table">nearest_neighbour</a>, picked on these very `+
			"instances, has a gap of +9.80 % [+9.40, +10.20] by itself and agrees in 81.0 %.")
}

package certify

import (
	"math"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
)

// sound is a certificate without anything against the explanation.
func sound() *Certificate {
	at := func(of float64, n int) Share {
		return Share{Of: of, N: n, CI: bootstrap.Interval{Lo: of - 0.02, Hi: min(1, of+0.02)}, Instances: n / 10}
	}
	slice := func(what string, student, nearest float64) Slice {
		return Slice{What: what, Student: at(student, 1000), Nearest: at(nearest, 1000)}
	}
	hard := slice("the teacher does what no plan does", 0.7, 0)
	dearer := bootstrap.Gap{Percent: 2, CI: bootstrap.Interval{Lo: 1, Hi: 3}}
	program := func(name string) Program {
		return Program{Name: name, Leads: at(0.5, 1000), Niche: at(0.9, 500), TauH: 1, Fits: 1.5, HasScale: true,
			FitsCI: bootstrap.Interval{Lo: 1.2, Hi: 1.8}, Loss: 0.1, LossCI: bootstrap.Interval{Lo: 0.05, Hi: 0.15},
			Changed: at(0.3, 1000), Lost: 0.2, LostCI: bootstrap.Interval{Lo: 0.1, Hi: 0.3}}
	}
	return &Certificate{
		Agreement: Agreement{Overall: slice("all decisions", 0.9, 0.7), Hard: &hard},
		Leader: Attribution{Alone: at(0.99, 1000), Ties: at(0.05, 1000), Removed: at(0.2, 1000),
			Swapped: at(0.4, 1000)},
		Programs: []Program{program("near"), program("far")},
		Tours: []Tours{{What: "the student"}, {Role: RoleDropped, Rise: dearer}, {Role: RoleSwapped, Rise: dearer},
			{What: "best single program by cost, near", Rise: dearer, Single: true}},
		Rivals: []Rival{
			{Name: "best single program by agreement, near", Top1: at(0.8, 1000), Ahead: 0.1,
				AheadCI: bootstrap.Interval{Lo: 0.08, Hi: 0.12}, Single: true},
			{Name: "nearest candidate", Nearest: true, Top1: at(0.7, 1000), Ahead: 0.2,
				AheadCI: bootstrap.Interval{Lo: 0.1, Hi: 0.3}},
			{Name: "evenly mixed bank", Top1: at(0.7, 1000), Ahead: 0.2,
				AheadCI: bootstrap.Interval{Lo: 0.1, Hi: 0.3}},
			{Name: "neural ranker", Top1: at(0.9, 1000), Opaque: true},
		},
		Changes: []Change{{What: "a node moves", Teacher: at(0.3, 1000), Both: at(0.7, 300), Alone: at(0.05, 700),
			Same: at(0.7, 300)}},
		Stability: []Stability{{Name: "seed 2", Choices: at(0.95, 1000), Leaders: at(0.6, 1000), Chance: 0.1}},
	}
}

// Every warning is given where there is something to warn of, and only there.
func TestWarnings(t *testing.T) {
	c := sound()
	if c.judge(); len(c.Warnings)+len(c.Unclear) > 0 || len(c.Good) < 9 {
		t.Fatalf("of a sound explanation:\n%q\n%q\n%q", c.Good, c.Warnings, c.Unclear)
	}
	below := bootstrap.Interval{Lo: -0.2, Hi: -0.1}
	around := bootstrap.Interval{Lo: -0.1, Hi: 0.1}
	for _, w := range []struct {
		want  string
		spoil func(c *Certificate)
	}{
		{"does what no plan does (1000 decisions), the student agrees in 51.0 %",
			func(c *Certificate) {
				c.Agreement.Hard.Student.Of, c.Agreement.Hard.Student.CI = 0.51, bootstrap.Interval{Lo: 0.49, Hi: 0.53}
			}},
		{"The student is not shown to agree more often than its best single program by agreement, near",
			func(c *Certificate) { c.Rivals[0].AheadCI = around }},
		{"The student is not shown to agree more often than the evenly mixed bank",
			func(c *Certificate) { c.Rivals[2].AheadCI = around }},
		{"The student agrees less often than the evenly mixed bank",
			func(c *Certificate) { c.Rivals[2].AheadCI = below }},
		{"A neural ranker, which explains nothing", func(c *Certificate) { c.Rivals[3].Ahead = -0.02 }},
		{"Hard and soft decisions differ: in 4.0 % [2.0, 6.0]", func(c *Certificate) {
			c.Leader.Alone = Share{Of: 0.96, N: 1000, CI: bootstrap.Interval{Lo: 0.94, Hi: 0.98}}
		}},
		{"the leader is ahead by less than 1.0 points", func(c *Certificate) { c.Leader.Ties.Of = 0.11 }},
		{"Without its leader the student chooses otherwise in 4.0 %",
			func(c *Certificate) { c.Leader.Removed.Of = 0.04 }},
		{"Solutions constructed without the leader of each step are not shown to cost more than the student’s: their " +
			"costs differ by +2.00 % [-0.10, +3.00]",
			func(c *Certificate) { c.Tours[1].Rise.CI.Lo = -0.1 }},
		{"Solutions with a program drawn by lot in the place of each leader are not shown to cost more",
			func(c *Certificate) { c.Tours[2].Rise.CI.Lo = -0.1 }},
		{"The student’s solutions are not shown to be cheaper than those of its best single program by cost, near",
			func(c *Certificate) { c.Tours[3].Rise.CI.Lo = -0.1 }},
		{"The router almost never lets far lead: in 0.4 %", func(c *Certificate) {
			c.Programs[1].Leads.Of, c.Programs[1].LossCI.Lo = 0.004, -0.1
		}},
		{"far leads only 0.4 % of the decisions, but the mixture needs it. Without it the loss of the mixture rises " +
			"by +0.1000 nats a decision [+0.0500, +0.1500]",
			func(c *Certificate) { c.Programs[1].Leads.Of = 0.004 }},
		{"far leads 50.0 % of the decisions, but nothing is shown to be lost without it: others may replace it. " +
			"Without it the loss of the mixture rises by +0.1000 nats a decision [-0.0100, +0.1500]",
			func(c *Certificate) { c.Programs[1].LossCI.Lo = -0.01 }},
		{"nothing is shown to be lost without it: others may replace it. Without it 30.0 % of the decisions change, " +
			"and the agreement falls by +20.0 points [-1.0, +30.0]",
			func(c *Certificate) { c.Routing, c.Programs[1].LostCI.Lo = "hard", -0.01 }},
		{"1 of the 2 programs give the first choice too much probability, because τ_h is too small: far (τ_h 1; 3.1 " +
			"[2.9, 3.3] would fit)", func(c *Certificate) {
			c.Programs[1].Fits, c.Programs[1].FitsCI = 3.1, bootstrap.Interval{Lo: 2.9, Hi: 3.3}
		}},
		{"1 of the 2 programs give all choices much the same probability, because τ_h is too large: far (τ_h 1; 0.3 " +
			"[0.1, 0.5] would fit)",
			func(c *Certificate) {
				c.Programs[1].Fits, c.Programs[1].FitsCI = 0.3, bootstrap.Interval{Lo: 0.1, Hi: 0.5}
			}},
		{"far harms: without it the loss of the mixture is lower by 0.2000 nats a decision [0.1000, 0.3000]",
			func(c *Certificate) {
				c.Programs[1].Loss, c.Programs[1].LossCI = -0.2, bootstrap.Interval{Lo: -0.3, Hi: -0.1}
			}},
		{"Of near and far, each chooses the same as another in 96.0 % of the decisions or more: read them as one",
			func(c *Certificate) { c.Twins = []Twins{{Names: "near and far", Same: 0.96}} }},
		{"The student reacts weakly: when a node moves", func(c *Certificate) { c.Changes[0].Both.Of = 0.49 }},
		{"The student is not shown to follow the teacher: when a node moves",
			func(c *Certificate) { c.Changes[0].Alone.CI.Hi = 0.69 }},
		{"seed 2 names the matching leader in 49.0 %", func(c *Certificate) { c.Stability[0].Leaders.Of = 0.49 }},
	} {
		c := sound()
		w.spoil(c)
		if c.judge(); len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], w.want) || len(c.Unclear) > 0 {
			t.Errorf("want a warning that says %q, and no other; got %q, unclear %q", w.want, c.Warnings, c.Unclear)
		}
	}
}

// What was found of the nearest candidate is said where it is compared and beside the agreement, with one verdict: that
// of the paired comparison.
func TestNearestIsJudgedOnce(t *testing.T) {
	for _, x := range []struct {
		ci     bootstrap.Interval
		second string
	}{
		{bootstrap.Interval{Lo: -0.1, Hi: 0.1}, "The student is not shown to agree more often than the nearest"},
		{bootstrap.Interval{Lo: -0.2, Hi: -0.1}, "The student agrees less often than the nearest"},
	} {
		c := sound()
		c.Rivals[1].AheadCI = x.ci
		c.judge()
		if len(c.Warnings) != 2 || !strings.HasPrefix(c.Warnings[0], "The student chooses as the teacher in 90.0 %") ||
			!strings.HasPrefix(c.Warnings[1], x.second) {
			t.Errorf("with a lead of %v: %q", x.ci, c.Warnings)
		}
	}
}

// Findings go by what rows are, not by their names: names hold those of programs.
func TestFindingsDoNotGoByNames(t *testing.T) {
	c := sound()
	c.Rivals[2].Name, c.Rivals[2].AheadCI = "nearest candidate", bootstrap.Interval{Lo: -0.1, Hi: 0.1}
	c.Rivals[1].Name = "who stays close"
	c.Rivals[1], c.Rivals[2] = c.Rivals[2], c.Rivals[1]
	c.Tours = append(c.Tours, Tours{What: "without the leader of each step"}) // nothing is said of this row
	c.judge()
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "more often than the nearest candidate: its lead") {
		t.Errorf("warnings %q, want one of the rival that has the name of another", c.Warnings)
	}
}

// Where nothing can be found out, it is neither good nor bad news.
func TestUnclear(t *testing.T) {
	for want, spoil := range map[string]func(c *Certificate){
		"only 1000 decisions, of 9 instances, in which the teacher does what no plan does": func(c *Certificate) {
			c.Agreement.Hard.Student.Instances = 9
		},
		"both shared in only 300 of 1000 cases, which come from 9 instances": func(c *Certificate) {
			c.Changes[0].Both.Instances = 9
		},
		"only 19 decisions, of 100 instances, in which the teacher does what no plan does": func(c *Certificate) {
			c.Agreement.Hard.Student.N, c.Agreement.Hard.Student.CI.Lo = 19, 0.1
		},
		"the teacher changes a choice that both shared in only 19 of 1000 cases": func(c *Certificate) {
			c.Changes[0].Both.N, c.Changes[0].Both.Of = 19, 0.1
		},
	} {
		c, whole := sound(), sound()
		whole.judge()
		spoil(c)
		if c.judge(); len(c.Unclear) != 1 || !strings.Contains(c.Unclear[0], want) || len(c.Warnings) > 0 ||
			len(c.Good) != len(whole.Good)-1 {
			t.Errorf("want %q; got unclear %q, warnings %q", want, c.Unclear, c.Warnings)
		}
	}
}

// No τ_h is said not to fit a program without a scale, by few decisions, or within what the decisions leave open.
func TestNoMisfit(t *testing.T) {
	for what, spoil := range map[string]func(p *Program){
		"without a scale":    func(p *Program) { p.HasScale = false },
		"of 19 decisions":    func(p *Program) { p.Niche.N = 19 },
		"of a wide interval": func(p *Program) { p.FitsCI.Lo = 0.9 },
	} {
		c := sound()
		p := &c.Programs[0]
		p.Fits, p.FitsCI = 100, bootstrap.Interval{Lo: 90, Hi: 110}
		spoil(p)
		if c.judge(); len(c.Warnings) > 0 {
			t.Errorf("%s: %q", what, c.Warnings)
		}
	}
}

// A program that leads little need not be missed, nor is the only one a program to do without.
func TestNothingToMiss(t *testing.T) {
	few, one := sound(), sound()
	few.Programs[1].Leads.Of, few.Programs[1].LossCI.Lo = 0.09, -0.01
	one.Programs = one.Programs[:1]
	one.Programs[0].LossCI = bootstrap.Interval{}
	for what, c := range map[string]*Certificate{"few decisions": few, "one program": one} {
		if c.judge(); len(c.Warnings) > 0 {
			t.Errorf("%s: %q", what, c.Warnings)
		}
	}
}

// The interval of a fit is that of the instances: it spans what they fit by themselves, and leaves out those without a
// decision.
func TestBestFit(t *testing.T) {
	taus := []float64{0.1, 1, 10}
	loss := [][]float64{{1, 5, 0}, {2, 2, 0}, {5, 1, 0}} // of three instances
	counted := []bool{true, true, false}
	for _, x := range []struct {
		pick []int
		want float64
	}{{[]int{0, 0, 2}, 0.1}, {[]int{0, 1, 2}, 1}, {[]int{1, 1, 1}, 10}} {
		if got := bestFit(taus, loss, counted, x.pick); got != x.want {
			t.Errorf("of %v: %v, want %v", x.pick, got, x.want)
		}
	}
	if got := bestFit(taus, loss, counted, []int{2, 2, 2}); !math.IsNaN(got) {
		t.Errorf("of an instance without a decision: %v, want none", got)
	}
}

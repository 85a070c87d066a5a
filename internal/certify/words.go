package certify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/routing"
)

// Bounds of the findings.
const (
	followed      = 0.005 // a program that leads a smaller share of the decisions is followed by nobody
	missed        = 0.1   // something should be lost without a program that leads a larger share
	misfit        = 3     // a τ_h may be so many times the one that fits the program, or this part of it
	softer        = 0.03  // share of the decisions in which the leader alone may differ from the mixture
	manyTies      = 0.1   // share of the decisions that may be ties
	matters       = 0.05  // share of the decisions that should change without the leader
	sameAlone     = 0.5   // share of the leaders that another seed should confirm
	ceiling       = 0.01  // the student's top-1 may be so far below that of a policy that explains nothing
	hardAgreement = 0.5   // agreement to be exceeded where neither nearness nor a plan explains a decision
	reacts        = 0.5   // share of the teacher's changes that the student should make too

	fewest = 20 // fewer cases say nothing
)

// findings collects what figures mean, in plain words.
type findings struct{ good, bad, unclear []string }

// say adds a sentence that speaks for the explanation, or against it.
func (f *findings) say(good bool, format string, args ...any) {
	if line := fmt.Sprintf(format, args...); good {
		f.good = append(f.good, line)
	} else {
		f.bad = append(f.bad, line)
	}
}

// judge says in plain words what the figures mean.
func (c *Certificate) judge() {
	var f findings
	c.judgeAgreement(&f)
	for _, r := range c.Rivals {
		r.judge(&f)
	}
	c.judgeLeader(&f)
	c.judgeTours(&f)
	for _, p := range c.Programs {
		if len(c.Programs) > 1 {
			p.judgeLoss(&f, c.OneRule())
		}
		p.judgeLead(&f, c.OneRule())
	}
	c.judgeTauH(&f)
	for _, t := range c.Twins {
		f.say(false, "Of %s, each chooses the same as another in %s of the decisions or more: read them as one, "+
			"which leads in %s.", t.Names, decimal.Percent(t.Same), decimal.Percent(t.Leads.Of))
	}
	for _, x := range c.Changes {
		x.judge(&f)
	}
	for _, s := range c.Stability {
		f.say(s.Leaders.Of >= sameAlone, "%s names the matching leader in %s of the decisions (by lot: %s), and "+
			"chooses the same in %s.", s.Name, share(s.Leaders), decimal.Percent(s.Chance), share(s.Choices))
	}
	c.Good, c.Warnings, c.Unclear = f.good, f.bad, f.unclear
}

func (c *Certificate) judgeAgreement(f *findings) {
	o := c.Agreement.Overall
	f.say(c.aheadOfNearest(), "The student chooses as the teacher in %s of %d decisions; the nearest "+
		"candidate is the teacher’s choice in %s.", share(o.Student), o.Student.N, share(o.Nearest))
	switch h := c.Agreement.Hard; {
	case h == nil:
	case h.Student.Few():
		f.unclear = append(f.unclear, fmt.Sprintf("There are only %d decisions, of %d instances, in which %s: too few "+
			"to say how often the student agrees there.", h.Student.N, h.Student.Instances, h.What))
	default:
		f.say(h.Student.CI.Lo > hardAgreement, "Where %s (%d decisions), the student agrees in %s.", h.What,
			h.Student.N, share(h.Student))
	}
}

// aheadOfNearest says whether the student is shown to agree more often than who takes the nearest candidate.
func (c *Certificate) aheadOfNearest() bool {
	i := slices.IndexFunc(c.Rivals, func(r Rival) bool { return r.Nearest })
	return i >= 0 && c.Rivals[i].AheadCI.Lo > 0
}

// judge says whether the student beats a rival. The comparison is paired by instance.
func (r Rival) judge(f *findings) {
	ahead := decimal.Signed(100*r.Ahead, 1) + " points " + bounds(r.AheadCI, 100, 1)
	switch better := r.AheadCI.Lo > 0; {
	case r.Opaque:
		f.say(r.Ahead > -ceiling, "A %s, which explains nothing, agrees in %s: the student’s lead is %s.", r.Name,
			share(r.Top1), ahead)
	case r.Single && better:
		f.say(true, "The student agrees more often than its %s: by %s.", r.Name, ahead)
	case r.Single:
		f.say(false, "The student is not shown to agree more often than its %s: its lead is %s. That program may be "+
			"all there is to say.", r.Name, ahead)
	case better:
		f.say(true, "The student agrees more often than the %s: by %s.", r.Name, ahead)
	case r.AheadCI.Hi < 0:
		f.say(false, "The student agrees less often than the %s: its lead is %s.", r.Name, ahead)
	default:
		f.say(false, "The student is not shown to agree more often than the %s: its lead is %s.", r.Name, ahead)
	}
}

func (c *Certificate) judgeLeader(f *findings) {
	a := c.Leader
	switch {
	case c.OneRule():
	case 1-a.Alone.Of <= softer:
		f.say(true, "The leading program alone would choose as the student does in %s of the decisions.",
			share(a.Alone))
	default:
		f.say(false, "Hard and soft decisions differ: in %s of the decisions the leading program alone would choose "+
			"otherwise than the mixture. To read only the leader there is to read another policy.", rest(a.Alone))
	}
	f.say(a.Ties.Of <= manyTies, "In %s of the decisions the leader is ahead by less than %s points: there no program "+
		"can be said to lead.", share(a.Ties), points(routing.Tie))
	if len(c.Programs) > 1 {
		f.say(a.Removed.Of >= matters, "Without its leader the student chooses otherwise in %s of the decisions; with "+
			"the leader’s weight given to a program drawn by lot, in %s.", share(a.Removed), share(a.Swapped))
	}
}

// judgeTours says what leaders and mixture are worth in the cost of solutions.
func (c *Certificate) judgeTours(f *findings) {
	for _, t := range c.Tours {
		rise := decimal.Gap(t.Rise.Percent) + " " + bounds(t.Rise.CI, 1, 2)
		switch dearer := t.Rise.CI.Lo > 0; {
		case t.Role == RoleDropped:
			t.judgeKnockout(f, "Solutions constructed without the leader of each step", rise)
		case t.Role == RoleSwapped:
			t.judgeKnockout(f, "Solutions with a program drawn by lot in the place of each leader", rise)
		case t.Single && dearer:
			f.say(true, "Solutions of the %s, cost %s more than the student’s.", t.What, rise)
		case t.Single:
			f.say(false, "The student’s solutions are not shown to be cheaper than those of its %s, whose costs "+
				"differ by %s.", t.What, rise)
		}
	}
}

// judgeKnockout says whether solutions without the leaders' say cost more.
func (t Tours) judgeKnockout(f *findings, what, rise string) {
	if t.Rise.CI.Lo > 0 {
		f.say(true, "%s cost %s more than the student’s.", what, rise)
	} else {
		f.say(false, "%s are not shown to cost more than the student’s: their costs differ by %s.", what, rise)
	}
}

// judgeLead says whether a program is followed. Where one rule decides, the mixture needs nobody.
func (p Program) judgeLead(f *findings, oneRule bool) {
	switch {
	case p.Leads.Of < followed && p.LossCI.Lo > 0 && !oneRule:
		f.say(false, "%s leads only %s of the decisions, but the mixture needs it. %s.", p.Name,
			decimal.Percent(p.Leads.Of), p.lossWords())
	case p.Leads.Of < followed:
		f.say(false, "The router almost never lets %s lead: in %s of the decisions.", p.Name,
			decimal.Percent(p.Leads.Of))
	}
}

// judgeTauH names the programs that are followed and whose τ_h does not fit what they choose.
func (c *Certificate) judgeTauH(f *findings) {
	for _, side := range []struct {
		why   string
		isOff func(Program) bool
	}{
		{"give the first choice too much probability, because τ_h is too small",
			func(p Program) bool { return p.Fits > misfit*p.TauH && p.TauH < p.FitsCI.Lo }},
		{"give all choices much the same probability, because τ_h is too large",
			func(p Program) bool { return p.TauH > misfit*p.Fits && p.TauH > p.FitsCI.Hi }},
	} {
		var names []string
		for _, p := range c.Programs {
			if p.Leads.Of >= followed && p.HasFit() && side.isOff(p) {
				names = append(names, fmt.Sprintf("%s (τ_h %.2g; %.2g [%.2g, %.2g] would fit)", p.Name, p.TauH, p.Fits,
					p.FitsCI.Lo, p.FitsCI.Hi))
			}
		}
		if len(names) > 0 {
			f.say(false, "%d of the %d programs %s: %s.", len(names), len(c.Programs), side.why,
				strings.Join(names, ", "))
		}
	}
}

// judgeLoss says what is lost without a program that leads much, and whether one does harm. Where one rule decides,
// agreement is what can be lost, else the loss of the mixture.
func (p Program) judgeLoss(f *findings, oneRule bool) {
	lost, words := p.LossCI.Lo > 0, p.lossWords()
	if oneRule {
		lost = p.LostCI.Lo > 0
		words = fmt.Sprintf("Without it %s of the decisions change, and the agreement falls by %s points %s",
			decimal.Percent(p.Changed.Of), decimal.Signed(100*p.Lost, 1), bounds(p.LostCI, 100, 1))
	}
	switch {
	case p.LossCI.Hi < 0 && !lost:
		f.say(false, "%s harms: without it the loss of the mixture is lower by %.4f nats a decision [%.4f, %.4f].",
			p.Name, -p.Loss, -p.LossCI.Hi, -p.LossCI.Lo)
	case p.Leads.Of >= missed && !lost:
		f.say(false, "%s leads %s of the decisions, but nothing is shown to be lost without it: others may replace "+
			"it. %s.", p.Name, decimal.Percent(p.Leads.Of), words)
	}
}

// lossWords says what the mixture loses without a program.
func (p Program) lossWords() string {
	return fmt.Sprintf("Without it the loss of the mixture rises by %s nats a decision %s", decimal.Signed(p.Loss, 4),
		bounds(p.LossCI, 1, 4))
}

func (x Change) judge(f *findings) {
	if x.Both.Few() {
		f.unclear = append(f.unclear, fmt.Sprintf("When %s, the teacher changes a choice that both shared in only %d "+
			"of %d cases, which come from %d instances: too few to say whether the student follows.", x.What, x.Both.N,
			x.Teacher.N, x.Both.Instances))
		return
	}
	verdict, when := "", "When"
	good := x.Both.Of >= reacts && x.Both.CI.Lo > x.Alone.CI.Hi
	switch {
	case x.Both.Of < reacts:
		verdict, when = "The student reacts weakly: ", "when"
	case !good:
		verdict, when = "The student is not shown to follow the teacher: ", "when"
	}
	f.say(good, "%s%s %s, the teacher changes a choice that both shared in %s of %d cases. The student changes in %s "+
		"of these, and both agree afterwards in %s of them. In the other cases the student changes in %s.", verdict,
		when, x.What, decimal.Percent(x.Teacher.Of), x.Teacher.N, share(x.Both), share(x.Same), share(x.Alone))
}

// bounds writes an interval with signs, times scale.
func bounds(ci bootstrap.Interval, scale float64, decimals int) string {
	return decimal.SignedInterval(scale*ci.Lo, scale*ci.Hi, decimals)
}

func points(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

func share(s Share) string {
	return decimal.Percent(s.Of) + " " + decimal.Interval(100*s.CI.Lo, 100*s.CI.Hi, 1)
}

// rest writes what a share lacks to 1.
func rest(s Share) string {
	return share(Share{Of: 1 - s.Of, N: s.N, CI: bootstrap.Interval{Lo: 1 - s.CI.Hi, Hi: 1 - s.CI.Lo}})
}

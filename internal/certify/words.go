package certify

import (
	"fmt"
	"math"
)

// Bounds of the findings.
const (
	followed  = 0.005 // a program that leads fewer decisions is followed by nobody
	misfit    = 3     // times the τ_h that fits a program, or a third of it
	decides   = 0.9   // of the decisions, for the leader alone to be the explanation
	manyTies  = 0.1   // of the decisions
	matters   = 0.05  // of the decisions that change without the leader
	sameAlone = 0.5   // of the leaders that another seed confirms
	fewest    = 20    // cases that say something
	ceiling   = 0.01  // that the student may stay below a policy that explains nothing
)

// judge says in plain words what the figures mean.
func (c *Certificate) judge() {
	c.Good, c.Warnings = nil, nil
	say := func(good bool, format string, args ...any) {
		if line := fmt.Sprintf(format, args...); good {
			c.Good = append(c.Good, line)
		} else {
			c.Warnings = append(c.Warnings, line)
		}
	}
	c.judgeAgreement(say)
	c.judgeLeader(say)
	c.judgePrograms(say)
	c.judgeChanges(say)
	for _, s := range c.Stability {
		say(s.Leaders.Of >= sameAlone, "%s names the matching leader in %s of the decisions (by lot: %s), and chooses "+
			"the same in %s.", s.Name, percent(s.Leaders.Of), percent(s.Chance), percent(s.Choices.Of))
	}
}

func (c *Certificate) judgeAgreement(say func(good bool, format string, args ...any)) {
	o := c.Agreement.Overall
	say(o.Student.CI.Lo > o.Nearest.CI.Hi, "The student chooses as the teacher in %s of %d decisions %s; the "+
		"nearest candidate is the teacher's choice in %s.", percent(o.Student.Of), o.Student.N, interval(o.Student),
		percent(o.Nearest.Of))
	if h := c.Agreement.Hard; h != nil && h.Student.N > 0 {
		say(h.Student.CI.Lo > 0.5, "Where the teacher takes neither the nearest nor what a plan of the rest "+
			"begins with (%d decisions), the student agrees in %s %s.", h.Student.N, percent(h.Student.Of),
			interval(h.Student))
	}
	for _, r := range c.Rivals {
		switch {
		case r.Opaque:
			say(r.Ahead > -ceiling, "A %s, which explains nothing, agrees in %s: the student is %s ahead (%s to %s).",
				r.Name, percent(r.Top1.Of), points(r.Ahead), points(r.AheadCI.Lo), points(r.AheadCI.Hi))
		case r.AheadCI.Lo > 0:
			say(true, "It agrees more often than %s: by %s.", r.Name, points(r.Ahead))
		case r.AheadCI.Hi < 0:
			say(false, "It agrees less often than %s: by %s.", r.Name, points(-r.Ahead))
		default:
			say(false, "It is not shown to agree more often than %s: %s ahead, interval %s to %s.", r.Name,
				points(r.Ahead), points(r.AheadCI.Lo), points(r.AheadCI.Hi))
		}
	}
}

func (c *Certificate) judgeLeader(say func(good bool, format string, args ...any)) {
	a := c.Leader
	say(a.Alone.Of >= decides, "The leading program alone would choose as the student does in %s of the decisions.",
		percent(a.Alone.Of))
	say(a.Ties.Of <= manyTies, "In %s of the decisions the leader is ahead by less than %s: there no program can be "+
		"said to lead.", percent(a.Ties.Of), points(TieMargin))
	if len(c.Programs) > 1 {
		say(a.Removed.Of >= matters, "Without its leader the student chooses otherwise in %s of the decisions; with "+
			"the leader's weight given to a program drawn by lot, in %s.", percent(a.Removed.Of), percent(a.Swapped.Of))
	}
}

func (c *Certificate) judgePrograms(say func(good bool, format string, args ...any)) {
	for _, p := range c.Programs {
		if p.Leads.Of < followed {
			say(false, "Nobody follows %s: it leads %s of the decisions.", p.Name, percent(p.Leads.Of))
		}
		if ratio := p.TauH / p.Fits; math.Max(ratio, 1/ratio) > misfit && p.Leads.Of >= followed {
			say(false, "The τ_h of %s, %.2g, does not fit what it chooses: %.2g would. Its probabilities say little.",
				p.Name, p.TauH, p.Fits)
		}
		if p.LossCI.Hi < 0 {
			say(false, "%s harms: without it the loss is lower by %.4f nats.", p.Name, -p.Loss)
		}
	}
	for _, t := range c.Twins {
		say(false, "%s choose the same in %s of the decisions: read them as one.", t.Names, percent(t.Same))
	}
}

func (c *Certificate) judgeChanges(say func(good bool, format string, args ...any)) {
	for _, x := range c.Changes {
		if x.Both.N < fewest {
			continue // too few cases to say anything
		}
		say(x.Both.CI.Lo > x.Alone.CI.Hi, "When %s, the teacher changes its choice in %s of %d cases. The student "+
			"changes in %s of these, and in %s of the others.", x.What, percent(x.Teacher.Of), x.Teacher.N,
			percent(x.Both.Of), percent(x.Alone.Of))
	}
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

func points(v float64) string { return fmt.Sprintf("%.1f points", 100*v) }

func interval(s Share) string { return fmt.Sprintf("[%.1f, %.1f]", 100*s.CI.Lo, 100*s.CI.Hi) }

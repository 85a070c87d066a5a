package standin

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// choose returns the terms of a new program, beside the way there: of each kind the strongest signal.
func (p prompt) choose(signals []signal) []signal {
	var terms []signal
	for _, s := range signals {
		if len(terms) == p.most-1 {
			break
		}
		if s.isWay() || slices.ContainsFunc(terms, func(t signal) bool { return t.kin() == s.kin() }) {
			continue
		}
		terms = append(terms, s)
	}
	return terms
}

// propose writes a program for each failure mode. A mode is the failures in which the teacher's pick has what one
// signal, its lead, wants. The strongest signal by the failures that no mode has yet comes first; the other terms of a
// program are the strongest by the failures of its mode.
func (p prompt) propose() string {
	signals := slices.DeleteFunc(p.signals(), func(s signal) bool { return s.isWay() })
	open := make([]bool, len(p.failures))
	for i := range open {
		open[i] = true
	}
	var b strings.Builder
	var leads []string
	for mode := 0; mode < p.modes; {
		lead, ok := p.lead(signals, leads, open)
		if !ok {
			break
		}
		leads = append(leads, lead.name)
		var members []int
		for i := range p.failures {
			if open[i] && p.failures[i].shows(lead) {
				members = append(members, i)
				open[i] = false
			}
		}
		terms := p.choose(append([]signal{lead}, p.ranked(signals, members)...))
		src := p.write(programName(terms), terms)
		if p.isInBank(terms) {
			continue
		}
		fmt.Fprintf(&b, "<failure_mode>\n%s\n%s%s</failure_mode>\n", p.mode(lead, len(members)),
			tagged("description", describe(src)), tagged("new_program", src))
		mode++
	}
	if b.Len() == 0 { // nothing tells the picks apart, or the bank has it all
		src := p.write("near", nil)
		fmt.Fprintf(&b, "<failure_mode>\nThe prompt shows no measure that the bank lacks.\n%s%s</failure_mode>\n",
			tagged("description", describe(src)), tagged("new_program", src))
	}
	return b.String()
}

// lead returns the strongest signal by the failures that are open, other than those that lead already.
func (p prompt) lead(signals []signal, leads []string, open []bool) (signal, bool) {
	var members []int
	for i, o := range open {
		if o {
			members = append(members, i)
		}
	}
	for _, s := range p.ranked(signals, members) {
		if !slices.Contains(leads, s.name) {
			return s, true
		}
	}
	return signal{}, false
}

// ranked orders signals by their strength times one more than the number of failures that show them.
func (p prompt) ranked(signals []signal, members []int) []signal {
	all := slices.Clone(signals)
	slices.SortStableFunc(all, func(a, b signal) int {
		return larger(a.want*p.votes(a, members), b.want*p.votes(b, members))
	})
	return all
}

func (p prompt) votes(s signal, members []int) float64 {
	n := 1.0
	for _, i := range members {
		if p.failures[i].shows(s) {
			n++
		}
	}
	return n
}

// shows reports whether the teacher's pick has what the signal wants, more than the program's pick has.
func (f failure) shows(s signal) bool {
	return slices.ContainsFunc(f.contrasts, func(c contrast) bool { return c.name == s.name && c.spreads*s.want > 0 })
}

// mode says what the failures of a mode have in common.
func (p prompt) mode(lead signal, members int) string {
	if p.lots != nil {
		return "None was looked for: the null writer draws its terms by lot."
	}
	more := "more"
	if lead.want < 0 {
		more = "less"
	}
	if members == 0 {
		return fmt.Sprintf("The evidence asks for %s of %s, %s.", more, lead.name, lead.says)
	}
	return fmt.Sprintf("In %d of the states shown the teacher's pick has %s of %s, %s.",
		members, more, lead.name, lead.says)
}

// isInBank reports whether a program of the bank has the same terms: whether its score, as the prompt gives it, is a
// sum of the same measures with the same signs, or its description has the same words.
func (p prompt) isInBank(terms []signal) bool {
	words, same := p.words(terms), map[string]bool{}
	for _, t := range terms {
		var factors []string
		for _, m := range called.FindAllStringSubmatch(t.code, -1) {
			factors = append(factors, strings.TrimSuffix(m[1]+"("+m[2]+")", "()"))
		}
		same[fmt.Sprint(strings.Join(factors, "·"), t.want < 0)] = true
	}
	return slices.ContainsFunc(p.bank, func(entry string) bool {
		_, score, ok := strings.Cut(entry, ": score = ")
		if !ok {
			return strings.Contains(entry, words)
		}
		has := map[string]bool{}
		for _, m := range summed.FindAllStringSubmatch(score, -1) {
			if m[2] != "Distance" {
				has[fmt.Sprint(m[2], m[1] == "−")] = true
			}
		}
		return maps.Equal(has, same)
	})
}

var (
	called = regexp.MustCompile(`\bs\.([A-Z]\w*)(?:\(k, ([0-9.]+)\))?`)        // the measures in code
	summed = regexp.MustCompile(`(?:^|([−+]) ?)(?:[0-9.]+·)?([A-Z][\w().·]*)`) // the summands of a formula
)

// programName names a program after its first two terms.
func programName(terms []signal) string {
	if len(terms) == 0 {
		return "near"
	}
	var parts []string
	for _, t := range terms[:min(2, len(terms))] {
		parts = append(parts, strings.ReplaceAll(t.name, " ", "_"))
	}
	return strings.Join(parts, "_")
}

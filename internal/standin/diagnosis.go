package standin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// shownContrasts is how many differences a diagnosis names.
const shownContrasts = 4

// backward says what the two picks differ in, what the weights make of it, and which measure would lift the teacher's.
func (p prompt) backward() string {
	if p.lots != nil {
		return "LOGIC: not read\nTEACHER: not read\nFLAW: not read: the null writer diagnoses nothing\n" +
			"DIRECTION: none, its terms are drawn by lot\n"
	}
	f := p.failures[0]
	logic := "the score ranks the program's pick first, and the prompt shows no weights"
	if len(f.weights) > 0 {
		logic = "its weights add to its own pick and to the teacher's: " + listed(f.weights, "")
	}
	teacher := "the table shows no difference between the two picks"
	if shown := f.contrasts[:min(len(f.contrasts), shownContrasts)]; len(shown) > 0 {
		teacher = "the teacher's pick has, against the program's: " + listed(shown, " spreads")
	}
	flaw, direction := p.remedy()
	return fmt.Sprintf("LOGIC: %s\nTEACHER: %s\nFLAW: %s\nDIRECTION: %s\n", logic, teacher, flaw, direction)
}

// listed writes contrasts so that parseGradient reads them: "missed 1.5 against 0.25 (+2.1 spreads); …". The first
// number is the teacher's where there are spreads, the program's otherwise.
func listed(all []contrast, unit string) string {
	var parts []string
	for _, c := range all {
		if unit == "" {
			parts = append(parts, fmt.Sprintf("%s %.3g against %.3g", c.name, c.program, c.teacher))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %.3g against %.3g (%+.1f%s)",
			c.name, c.teacher, c.program, c.spreads, unit))
	}
	return strings.Join(parts, "; ")
}

// remedy returns what is wrong with the program and what would mend it.
func (p prompt) remedy() (flaw, direction string) {
	f := p.failures[0]
	var against string
	for i, w := range f.weights {
		if most := w.program - w.teacher; most > 0 && !slices.ContainsFunc(f.weights, func(o contrast) bool {
			return o.program-o.teacher > most
		}) {
			against = fmt.Sprintf("%s speaks most for the program's pick", f.weights[i].name)
			break
		}
	}
	for _, c := range f.contrasts {
		m := measure{name: c.name, says: c.says}
		if known, ok := p.measure(c.name); ok {
			m = known
		}
		if m.isWay() || m.isUsed(p.program) || c.spreads == 0 {
			continue
		}
		s := signal{m, c.spreads}
		flaw = join(against, "no term counts "+m.says)
		return flaw, fmt.Sprintf("add a term by which a candidate %s by %s [%s]", s.verb(), s.says, s.name)
	}
	return join(against, "no measure that the prompt shows and the program lacks tells the picks apart"),
		"none that the prompt shows"
}

// join joins the flaws that are not empty.
func join(flaws ...string) string {
	return strings.Join(slices.DeleteFunc(flaws, func(s string) bool { return s == "" }), "; ")
}

// backwardDescription is backward on the description channel.
func (p prompt) backwardDescription() string {
	if p.lots != nil {
		return "MISSING: not read: the null writer diagnoses nothing\nMISLEADING: nothing\n" +
			"DIRECTION: none, its terms are drawn by lot\n"
	}
	flaw, direction := p.remedy()
	return fmt.Sprintf("MISSING: %s\nMISLEADING: nothing\nDIRECTION: %s\n", flaw, direction)
}

var (
	wantedBy     = regexp.MustCompile(`a candidate (gains|loses) by ([^\[\]\n]+) \[([\w -]+)\]`)
	contrastText = regexp.MustCompile(`(\w+) (\S+) against (\S+) \(([+-][0-9.]+) spreads\)`)
	weightText   = regexp.MustCompile(`(\w+) (-?[0-9]\S*) against (-?[0-9][^\s;]*)(?:;|\n|$)`)
)

// parseGradient reads a diagnosis that was written as backward and backwardDescription write it.
func parseGradient(text string) gradient {
	var g gradient
	for _, m := range wantedBy.FindAllStringSubmatch(text, -1) {
		want := 1.0
		if m[1] == "loses" {
			want = -1
		}
		g.wants = append(g.wants, signal{measure{name: m[3], says: m[2]}, want})
	}
	for _, m := range contrastText.FindAllStringSubmatch(text, -1) {
		g.contrasts = append(g.contrasts, contrast{
			name: m[1], teacher: toNumber(m[2]), program: toNumber(m[3]), spreads: toNumber(m[4]),
		})
	}
	for _, m := range weightText.FindAllStringSubmatch(text, -1) {
		g.weights = append(g.weights, contrast{name: m[1], program: toNumber(m[2]), teacher: toNumber(m[3])})
	}
	return g
}

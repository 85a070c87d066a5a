package standin

import (
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// catalogue returns the measures that the prompt offers, each once: those with evidence, those that the rules list, and
// where there are none of either the columns of the tables.
func (p prompt) catalogue() []measure {
	var all []measure
	add := func(m measure) {
		if !slices.ContainsFunc(all, func(o measure) bool { return o.name == m.name || o.code == m.code }) {
			all = append(all, m)
		}
	}
	for _, s := range p.evidence {
		add(s.measure)
	}
	for _, m := range p.listed {
		add(m)
	}
	if len(all) == 0 {
		for _, c := range columns[p.sdk] {
			add(c.measure)
		}
	}
	return all
}

// everything returns the measures that evidence comes from, whatever the prompt shows of them: the named features of a
// candidate. Where there are none it is the prompt's catalogue.
func (p prompt) everything() []measure {
	var all []measure
	for _, pkg := range sdk.Packages {
		set, ok := features.Of(pkg.Problem, pkg.View, sdk.ClassLocal)
		if pkg.Name != p.sdk || !ok {
			continue
		}
		for _, f := range set.Node {
			if f.Call != "" {
				all = append(all, measure{name: nameOf(f.Call), code: f.Call, says: f.Says})
			}
		}
	}
	if len(all) == 0 {
		return p.catalogue()
	}
	return all
}

// measure returns the measure of a name, and whether the stand-in knows its code.
func (p prompt) measure(name string) (measure, bool) {
	for _, m := range p.catalogue() {
		if m.name == name {
			return m, true
		}
	}
	for _, c := range columns[p.sdk] {
		if c.measure.name == name {
			return c.measure, true
		}
	}
	return measure{}, false
}

// What a difference between two picks counts for beside a measured slope: nats a spread. It is chosen by hand.
const natsPerSpread = 0.05

// leastSpread is the smallest spread that a first value is made for. A state that shows less is a special one.
const leastSpread = 0.2

// signals returns the measures that the prompt gives a reason to count, the best first: by its evidence; without
// evidence by what tells the picks of its failures apart; without failures by its diagnoses; without any that it can
// read by the teacher's habit. Where several belong together, the best of each kind comes before the others.
func (p prompt) signals() []signal {
	var all []signal
	switch {
	case len(p.evidence) > 0:
		all = slices.Clone(p.evidence)
		for i, s := range all {
			all[i].want *= 1 + p.agreement(s)
		}
	case len(p.failures) > 0:
		for _, f := range p.failures {
			for _, c := range f.contrasts {
				all = p.tally(all, c.name, c.spreads*natsPerSpread/float64(len(p.failures)))
			}
		}
	default:
		for _, g := range p.gradients {
			share := natsPerSpread / float64(len(p.gradients))
			for _, w := range g.wants {
				all = p.tally(all, w.name, 2*w.want*share)
			}
			for _, c := range g.contrasts {
				all = p.tally(all, c.name, min(max(c.spreads, -1), 1)*share)
			}
		}
	}
	if m, ok := turning[p.sdk]; ok && len(all) == 0 && p.turns != 0 {
		all = append(all, signal{m, p.turns * natsPerSpread})
	}
	for i := range all {
		if spread := p.spreadOf(all[i].name); spread > 0 {
			all[i].spread = max(spread, leastSpread)
		}
	}
	slices.SortStableFunc(all, func(a, b signal) int { return larger(a.want, b.want) })
	return apart(all)
}

// tally adds to the signal of a name, if its code is known. The way there is not one: in a failure the program's pick
// is the nearer one more often than not, whatever the rule.
func (p prompt) tally(all []signal, name string, want float64) []signal {
	m, ok := p.measure(name)
	if !ok || m.isWay() {
		return all
	}
	for i := range all {
		if all[i].name == name {
			all[i].want += want
			return all
		}
	}
	return append(all, signal{m, want})
}

// agreement is the share of the diagnoses in which the teacher's pick has what a signal wants, minus the share of those
// in which it has not.
func (p prompt) agreement(s signal) float64 {
	sum := 0.0
	for _, g := range p.gradients {
		for _, c := range g.contrasts {
			if c.name == s.name && c.spreads != 0 {
				sum += math.Copysign(1, c.spreads*s.want) / float64(len(p.gradients))
			}
		}
	}
	return sum
}

// spreadOf returns how much a measure spreads over the candidates of a state, as the diagnoses and failures show it:
// the median, 0 if none does.
func (p prompt) spreadOf(name string) float64 {
	var seen []float64
	note := func(all []contrast) {
		for _, c := range all {
			if d := c.teacher - c.program; c.name == name && d != 0 && c.spreads != 0 {
				seen = append(seen, math.Abs(d/c.spreads))
			}
		}
	}
	for _, g := range p.gradients {
		note(g.contrasts)
	}
	for _, f := range p.failures {
		note(f.contrasts)
	}
	if len(seen) == 0 {
		return 0
	}
	slices.Sort(seen)
	return seen[len(seen)/2]
}

// apart moves those signals to the end that belong together with an earlier one, and keeps the order otherwise.
func apart(all []signal) []signal {
	var first, later []signal
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s.kin()] {
			later = append(later, s)
			continue
		}
		seen[s.kin()] = true
		first = append(first, s)
	}
	return append(first, later...)
}

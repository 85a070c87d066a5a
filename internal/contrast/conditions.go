package contrast

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/floats"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// conditions returns in which states a program weighs more for A than in other states.
func (d *decisions) conditions() []Condition {
	chosen := func(p int) bool { return chosenOn(d.instance[p]) }
	parts := make([]thirds, len(d.set.State))
	for j := range parts {
		parts[j] = d.thirds(j)
	}
	var all []candidate
	for m := range d.bank.Heuristics {
		more := func(p int) float64 { return d.w[0][p][m] - d.w[1][p][m] }
		sum, n := d.mean(chosen, more).Totals()
		mean := sum / max(n, 1)
		for j, t := range parts {
			if t.low >= t.high {
				continue // most states have one value
			}
			c := candidate{m: m, j: j, value: func(p int) float64 { return (more(p) - mean) * t.side(d.z[p][j]) }}
			c.score = math.Abs(d.mean(chosen, c.value).score())
			all = append(all, c)
		}
	}
	var out []Condition
	for _, c := range d.clearest(all, chosen, shownConditions) {
		out = append(out, d.condition(c.m, c.j, parts[c.j]))
	}
	return out
}

// condition estimates how much more program m weighs for A where feature j of the state is high, and where it is low.
func (d *decisions) condition(m, j int, t thirds) Condition {
	on := func(want float64) func(p int) bool {
		return func(p int) bool { return !chosenOn(d.instance[p]) && t.side(d.z[p][j]) == want }
	}
	second := func(p int) float64 { return d.again[0][p][m] - d.again[1][p][m] }
	// The variance of one fit is twice that of the mean of two.
	refitted := func(change [2][]float64) float64 { return math.Sqrt2 * refit(change, weightOf(m)) }
	above, below := d.changes(on(1)), d.changes(on(-1))
	estimate := func(where func(p int) bool, change [2][]float64) Estimate {
		e := d.mean(where, second).estimate(d.seed)
		e.Refit = refitted(change)
		return e
	}
	f := d.set.State[j]
	x := Condition{
		Program: d.bank.Heuristics[m].Name, Feature: f.Name, Category: category(f),
		High: f.High, Low: f.Low,
		Above: estimate(on(1), above), Below: estimate(on(-1), below),
		Change: difference(d.mean(on(1), second), d.mean(on(-1), second), d.seed),
	}
	for i := range above { // both changes come from the same fits
		floats.Sub(above[i], below[i])
	}
	x.Change.Refit = refitted(above)
	return x
}

// thirds are the values of a feature of the state that divide the decisions into three parts.
type thirds struct{ low, high float32 }

func (d *decisions) thirds(j int) thirds {
	values := make([]float32, len(d.z))
	for p, z := range d.z {
		values[p] = z[j]
	}
	slices.Sort(values)
	return thirds{values[len(values)/3], values[len(values)*2/3]}
}

// side returns 1 for a value in the highest third, −1 for one in the lowest.
func (t thirds) side(z float32) float64 {
	switch {
	case z >= t.high:
		return 1
	case z <= t.low:
		return -1
	}
	return 0
}

// category returns the category of a rule that reads a feature of the state alone.
func category(f features.Feature) sdk.Category {
	return sdk.CategoryOf(func(sign string) bool { return calls(f.Call, sign) })
}

// calls says whether an expression reads a field or method of the state s: "2*s.K()" reads K, "s.Kind" does not.
func calls(expression, name string) bool {
	_, after, found := strings.Cut(expression, "s."+name)
	return found && (after == "" || !unicode.IsLetter(rune(after[0])))
}

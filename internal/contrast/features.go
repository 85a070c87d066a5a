package contrast

import (
	"cmp"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/habits"
)

// What is told of features is chosen on the instances of even number and estimated on the others: the largest of many
// differences would look larger than it is on the instances on which it is the largest. For the same reason conditions
// are chosen by the first fit of the routers and estimated by the second.
func chosenOn(instance int32) bool { return instance%2 == 0 }

const (
	shownConditions = 10
	shownTerms      = 6
	// leastScore is how many standard errors a difference must have to be told.
	leastScore = 2.5
	// likeness is the correlation beyond which two differences count as one.
	likeness = 0.7
	// fewest: a difference of fewer decisions is not told.
	fewest = 30
)

// spreads returns the standard deviations of sums of squares over so many candidates, and 1 for those that do not vary.
func spreads(squares []float64, count int) []float64 {
	out := make([]float64, len(squares))
	for j, v := range squares {
		if out[j] = math.Sqrt(v / float64(max(count, 1))); out[j] < 1e-6 {
			out[j] = 1
		}
	}
	return out
}

// parts are those of a solution that are told apart: two fifths of the way, one, and two.
var parts = [...]string{"early", "midway", "late"}

// partOf returns the part that a fifth of the way belongs to.
func partOf(fifth int) int { return cmp.Compare(fifth, habits.Stages/2) + 1 }

// partings returns what A's choice has and B's has not, early, midway and late.
func (d *decisions) partings() []Parting {
	var out []Parting
	for part, when := range parts {
		within := func(p int) bool { return partOf(d.fifth[p]) == part }
		x := Parting{When: when, Parted: d.share(within, func(p int) bool { return d.parted(p) })}
		if x.Parted.N > 0 {
			x.Terms = d.terms(func(p int) bool { return within(p) && d.parted(p) })
			out = append(out, x)
		}
	}
	return out
}

// parted says whether the policies choose differently.
func (d *decisions) parted(p int) bool { return d.choice[0][p] != d.choice[1][p] }

// terms returns the features in which the choices differ most clearly in the decisions that where selects.
func (d *decisions) terms(where func(p int) bool) []Term {
	chosen := func(p int) bool { return where(p) && chosenOn(d.instance[p]) }
	var all []candidate
	for j := range d.set.Node {
		c := candidate{j: j, value: func(p int) float64 {
			return (float64(d.f[0][p][j]) - float64(d.f[1][p][j])) / d.unit[j]
		}}
		x := d.mean(chosen, c.value)
		if _, n := x.Totals(); n < fewest {
			return nil
		}
		c.score = math.Abs(x.score())
		all = append(all, c)
	}
	var out []Term
	for _, c := range d.clearest(all, chosen, shownTerms) {
		f := d.set.Node[c.j]
		t := Term{Feature: f.Name, A: f.High, B: f.Low}
		t.More = d.mean(func(p int) bool { return where(p) && !chosenOn(d.instance[p]) }, c.value).estimate(d.seed)
		if t.More.Mean < 0 {
			t.A, t.B = t.B, t.A
		}
		out = append(out, t)
	}
	return out
}

// candidate is a difference that may be told.
type candidate struct {
	m, j  int                 // a program, where it is about one, and a feature
	score float64             // how many standard errors it is away from 0
	value func(p int) float64 // of a decision
}

// clearest returns at most so many candidates that are clear enough, the clearest first, without those whose values
// over the decisions that chosen selects are like those of one before them.
func (d *decisions) clearest(all []candidate, chosen func(p int) bool, count int) []candidate {
	all = slices.DeleteFunc(all, func(c candidate) bool { return !(c.score >= leastScore) })
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var taken []candidate
	var told [][]float64
	for _, c := range all {
		if len(taken) == count {
			break
		}
		var values []float64
		for p := range d.pairs {
			if chosen(p) {
				values = append(values, c.value(p))
			}
		}
		if !slices.ContainsFunc(told, func(t []float64) bool { return alikeValues(t, values) }) {
			taken, told = append(taken, c), append(told, values)
		}
	}
	return taken
}

// alikeValues says whether two differences rise and fall together, or against each other.
func alikeValues(x, y []float64) bool {
	var xx, yy, xy float64
	for i, v := range x {
		xx, yy, xy = xx+v*v, yy+y[i]*y[i], xy+v*y[i]
	}
	return xx == 0 || yy == 0 || math.Abs(xy) > likeness*math.Sqrt(xx*yy)
}

package contrast

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/floats"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
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

// conditions returns in which states a program weighs more for A than in other states.
func (d *decisions) conditions() []Condition {
	type candidate struct {
		m, j   int
		score  float64
		values []float64 // over the decisions that candidates are chosen on
	}
	thirds := make([][2]float32, len(d.set.State))
	for j := range thirds {
		thirds[j] = d.thirds(j)
	}
	side := func(p, j int) float64 { // 1 in the highest third, −1 in the lowest
		switch z := d.z[p][j]; {
		case z >= thirds[j][1]:
			return 1
		case z <= thirds[j][0]:
			return -1
		}
		return 0
	}
	more := func(p, m int) float64 { return d.w[0][p][m] - d.w[1][p][m] }
	var all []candidate
	for m := range d.bank.Heuristics {
		mean := 0.0
		for p := range d.pairs {
			mean += more(p, m) / float64(len(d.pairs))
		}
		for j := range d.set.State {
			if thirds[j][0] >= thirds[j][1] {
				continue // most states have one value
			}
			c := candidate{m: m, j: j}
			x := d.mean(func(p int) bool { return chosenOn(d.instance[p]) }, func(p int) float64 {
				return (more(p, m) - mean) * side(p, j)
			})
			if c.score = math.Abs(x.score()); c.score >= leastScore {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var taken []candidate
	for _, c := range all {
		if len(taken) == shownConditions {
			break
		}
		for p := range d.pairs {
			if chosenOn(d.instance[p]) {
				c.values = append(c.values, more(p, c.m)*side(p, c.j))
			}
		}
		if !slices.ContainsFunc(taken, func(t candidate) bool { return alikeValues(t.values, c.values) }) {
			taken = append(taken, c)
		}
	}
	var out []Condition
	for _, c := range taken {
		on := func(want float64) func(p int) bool {
			return func(p int) bool { return !chosenOn(d.instance[p]) && side(p, c.j) == want }
		}
		second := func(p int) float64 { return d.again[0][p][c.m] - d.again[1][p][c.m] }
		// The variance of one fit is twice that of the mean of two.
		refitted := func(change [2][]float64) float64 {
			return math.Sqrt2 * refit(change, weightOf(c.m))
		}
		above, below := d.changes(on(1)), d.changes(on(-1))
		estimate := func(where func(p int) bool, change [2][]float64) Estimate {
			e := d.mean(where, second).estimate(d.seed)
			e.Refit = refitted(change)
			return e
		}
		f := d.set.State[c.j]
		x := Condition{
			Program: d.bank.Heuristics[c.m].Name, Feature: f.Name, Phase: phase(f),
			High: f.High, Low: f.Low,
			Above: estimate(on(1), above), Below: estimate(on(-1), below),
			Change: difference(d.mean(on(1), second), d.mean(on(-1), second), d.seed),
		}
		for i := range above { // both changes come from the same fits
			floats.Sub(above[i], below[i])
		}
		x.Change.Refit = refitted(above)
		out = append(out, x)
	}
	return out
}

// phase says whether a feature of the state tells how far the solution has come.
func phase(f features.Feature) bool {
	return slices.ContainsFunc(sdk.Phase.Signs(), func(sign string) bool { return calls(f.Call, sign) })
}

// calls says whether an expression reads a field or method of the state s: "2*s.K()" reads K, "s.Kind" does not.
func calls(expression, name string) bool {
	_, after, found := strings.Cut(expression, "s."+name)
	return found && (after == "" || !unicode.IsLetter(rune(after[0])))
}

// thirds returns the values of feature j of the state that divide the decisions into three parts.
func (d *decisions) thirds(j int) [2]float32 {
	values := make([]float32, len(d.z))
	for p, z := range d.z {
		values[p] = z[j]
	}
	slices.Sort(values)
	return [2]float32{values[len(values)/3], values[len(values)*2/3]}
}

// partings returns what A's choice has and B's has not, early, midway and late.
func (d *decisions) partings() []Parting {
	var out []Parting
	for _, part := range []struct {
		when     string
		from, to int // stages
	}{{"early", 0, 1}, {"midway", 2, 2}, {"late", 3, 4}} {
		within := func(p int) bool { return d.stage[p] >= part.from && d.stage[p] <= part.to }
		x := Parting{When: part.when, Parted: d.share(within, func(p int) bool { return d.parted(p) })}
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
	more := func(p, j int) float64 { return (float64(d.f[0][p][j]) - float64(d.f[1][p][j])) / d.unit[j] }
	type candidate struct {
		j      int
		score  float64
		values []float64
	}
	var all []candidate
	for j := range d.set.Node {
		c := candidate{j: j}
		x := newSums(d.data[0].Shard.Instances())
		for p, i := range d.instance {
			if where(p) && chosenOn(i) {
				v := more(p, j)
				x.Add(i, v)
				c.values = append(c.values, v)
			}
		}
		if c.score = math.Abs(x.score()); c.score >= leastScore && len(c.values) >= fewest {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var out []Term
	var taken []candidate
	for _, c := range all {
		if len(taken) == shownTerms {
			break
		}
		if slices.ContainsFunc(taken, func(t candidate) bool { return alikeValues(t.values, c.values) }) {
			continue
		}
		taken = append(taken, c)
		f := d.set.Node[c.j]
		t := Term{Feature: f.Name, A: f.High, B: f.Low}
		t.More = d.mean(func(p int) bool { return where(p) && !chosenOn(d.instance[p]) },
			func(p int) float64 { return more(p, c.j) }).estimate(d.seed)
		if t.More.Mean < 0 {
			t.A, t.B = t.B, t.A
		}
		out = append(out, t)
	}
	return out
}

// alikeValues says whether two differences rise and fall together, or against each other.
func alikeValues(x, y []float64) bool {
	var xx, yy, xy float64
	for i, v := range x {
		xx, yy, xy = xx+v*v, yy+y[i]*y[i], xy+v*y[i]
	}
	return xx == 0 || yy == 0 || math.Abs(xy) > likeness*math.Sqrt(xx*yy)
}

package contrast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// decisions holds what both policies and both routers do in the P states that both policies have.
type decisions struct {
	set     *features.Set
	bank    *bank.Bank
	data    [2]student.Dataset
	tauH    *tensor.Dense
	routers [2]*student.Model
	seed    uint64

	pairs    []pair
	instance []int32    // [P]
	fifth    []int      // [P] of the way
	nearest  []int32    // [P] index into the state's candidates, as the choices are
	choice   [2][]int32 // [P] of the policies
	routed   [2][]int32 // [P] of the routers
	// w and again [P][M] are the weights of the routers, and of those that were fitted to other instances.
	w, again [2][][]float64

	z    [][]float32    // [P][Z] features of the state
	f    [2][][]float32 // [P][F] features of the policies' choices
	unit []float64      // [F] spread of a feature within a state
}

// share counts the decisions that where selects (nil: all), and hits among them.
func (d *decisions) share(where, hit func(p int) bool) Estimate {
	return d.mean(where, func(p int) float64 { return bootstrap.Indicator(hit(p)) }).estimate(d.seed)
}

// mean sums a value over the decisions that where selects (nil: all).
func (d *decisions) mean(where func(p int) bool, value func(p int) float64) sums {
	x := newSums(d.data[0].Shard.Instances())
	for p, i := range d.instance {
		if where == nil || where(p) {
			x.Add(i, value(p))
		}
	}
	return x
}

// weight returns the weight that policy i gives, the mean of both fits. of adds up those of the weights [M] that are
// meant.
func (d *decisions) weight(i, p int, of func(w []float64) float64) float64 {
	return (of(d.w[i][p]) + of(d.again[i][p])) / 2
}

// leads returns the share of both fits of policy i in which program m is the leader: 0, ½ or 1.
func (d *decisions) leads(i, p, m int) float64 {
	first := bootstrap.Indicator(floats.MaxIdx(d.w[i][p]) == m)
	return (first + bootstrap.Indicator(floats.MaxIdx(d.again[i][p]) == m)) / 2
}

// more returns how much more of the weight A gives than B, in the decisions that where selects (nil: all).
func (d *decisions) more(where func(p int) bool, of func(w []float64) float64) Estimate {
	e := d.mean(where, func(p int) float64 { return d.weight(0, p, of) - d.weight(1, p, of) }).estimate(d.seed)
	e.Refit = refit(d.changes(where), of)
	return e
}

// refit returns two standard errors that fitting gives a difference of weights. Another fit changes A's weights [M] by
// x = change[0] and B's by y = change[1]; of adds up the programs that are meant.
//
// The means of two fits each differ with a variance of about (x² + y²)/4. Two changes say little of a variance. So that
// of k programs together counts as no less than k times the mean over all programs: with changes of 0.01 and 0 of one
// program, where the programs' mean of x² + y² is 0.0004, refit is 0.02.
func refit(change [2][]float64, of func(w []float64) float64) float64 {
	x, y, mean := change[0], change[1], 0.0
	for m := range x {
		mean += (x[m]*x[m] + y[m]*y[m]) / float64(len(x))
	}
	k := of(slices.Repeat([]float64{1}, len(x)))
	return math.Sqrt(max(of(x)*of(x)+of(y)*of(y), k*mean))
}

// change returns by how much the mean weight [M] that policy i gives differs between both fits.
func (d *decisions) change(i int, where func(p int) bool) []float64 {
	sum, n := make([]float64, len(d.bank.Heuristics)), 0.0
	for p := range d.pairs {
		if where == nil || where(p) {
			n++
			for m := range sum {
				sum[m] += d.w[i][p][m] - d.again[i][p][m]
			}
		}
	}
	for m := range sum {
		sum[m] /= max(n, 1)
	}
	return sum
}

// changes returns change of both policies.
func (d *decisions) changes(where func(p int) bool) [2][]float64 {
	return [2][]float64{d.change(0, where), d.change(1, where)}
}

// byFifth returns more over all decisions, and in each fifth of the way.
func (d *decisions) byFifth(of func(w []float64) float64) (all Estimate, by [habits.Stages]Estimate) {
	for q := range by {
		by[q] = d.more(func(p int) bool { return d.fifth[p] == q }, of)
	}
	return d.more(nil, of), by
}

// programs measures how much more each program, and each category, weighs for A than for B.
func (d *decisions) programs(out *Contrast) error {
	kinds := make([]sdk.Category, len(d.bank.Heuristics))
	for m, h := range d.bank.Heuristics {
		var err error
		if kinds[m], err = h.Category(); err != nil {
			return err
		}
		x := Program{Name: h.Name, Category: kinds[m]}
		for i := range x.Weight {
			x.Weight[i] = d.mean(nil, func(p int) float64 { return d.weight(i, p, weightOf(m)) }).Mean()
			x.Leads[i] = d.mean(nil, func(p int) float64 { return d.leads(i, p, m) }).Mean()
		}
		x.More, x.Stages = d.byFifth(weightOf(m))
		out.Programs = append(out.Programs, x)
	}
	for _, c := range sdk.Categories {
		if !slices.Contains(kinds, c) {
			continue
		}
		x := Category{Name: c}
		for _, kind := range kinds {
			if kind == c {
				x.Programs++
			}
		}
		of := func(w []float64) (sum float64) {
			for m, kind := range kinds {
				if kind == c {
					sum += w[m]
				}
			}
			return sum
		}
		var where [2]func(p int) bool
		var weight [2]sums
		for i := range x.Weight {
			where[i] = func(p int) bool { return d.choice[i][p] != d.nearest[p] }
			value := func(p int) float64 { return d.weight(i, p, of) }
			x.Weight[i], weight[i] = d.mean(nil, value).Mean(), d.mean(where[i], value)
			x.Deviating[i] = weight[i].estimate(d.seed)
		}
		x.More, x.Stages = d.byFifth(of)
		x.DeviatingMore = difference(weight[0], weight[1], d.seed)
		x.DeviatingMore.Refit = refit([2][]float64{d.change(0, where[0]), d.change(1, where[1])}, of)
		out.Categories = append(out.Categories, x)
	}
	return nil
}

// weightOf returns the weight of program m.
func weightOf(m int) func(w []float64) float64 {
	return func(w []float64) float64 { return w[m] }
}

// read computes the features of all states and of the policies' choices there.
func (d *decisions) read() error {
	sh := d.data[0].Shard
	r, F := rollout.NewFeatureReader(d.set), len(d.set.Node)
	within, count := make([]float64, F), 0
	var f []float32
	for p, at := range d.pairs {
		K := len(candidates(sh, at.a))
		f = slices.Grow(f[:0], K*F)[:K*F]
		z := make([]float32, len(d.set.State))
		if err := r.Read(sh, at.a, f, z); err != nil {
			return err
		}
		d.z = append(d.z, z)
		for i := range d.f {
			k := int(d.choice[i][p])
			d.f[i] = append(d.f[i], slices.Clone(f[k*F:(k+1)*F]))
		}
		count += K
		for j := range F {
			within[j] += features.Squares(f, j, F)
		}
	}
	d.unit = spreads(within, count)
	return nil
}

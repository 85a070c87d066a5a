package readable

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// Reasons says why a named router trusts one program more than another in a decision state. It is for one goroutine.
type Reasons struct {
	router   student.NamedRouter
	set      *features.Set
	reader   *features.Reader
	programs []string
	bias     []float32 // the router's, centred

	f, z []float32 // [K,F], [1+Z] standardised, as package student has them
}

// ReasonsOf returns the reasons of a model's router for a bank. It is nil if the model has no named router, or
// one for another number of programs.
func ReasonsOf(m *student.Model, b *bank.Bank) *Reasons {
	r, set, ok := routerOf(m, b)
	if !ok {
		return nil
	}
	return &Reasons{
		router: r, set: set, reader: set.NewReader(), programs: b.Names(), bias: centred(r.Bias, r.Programs),
	}
}

// Open moves to an instance.
func (r *Reasons) Open(inst *routing.Instance) { r.reader.Open(inst) }

// Preference says why a router trusts program a more than program b in a state. All its terms add up to the logit of a
// less that of b, which is the logarithm of the ratio of their weights w_m; a term below 0 speaks for b.
type Preference struct {
	Count  int     // terms that are not 0
	Terms  []Term  // the heaviest, the heaviest first
	Others float64 // sum of all other terms
	// Groups are the heaviest sums of all terms that one feature of the state has a part in, or none has.
	Groups []Term
}

// Why returns what sets the logit of program a above that of program b in a state with K candidates, with at most so
// many terms and groups of terms. Vm is [M][K], Eq. 2.
//
// Sentences name the side of a condition on which this state is: of a product that means "late in the tour, trust who
// proposes isolated cities", an early state has "Early in the tour, trust who proposes cities with a close neighbour."
func (r *Reasons) Why(at features.Decision, Vm [][]float32, a, b, most int) Preference {
	r.read(at)
	all := r.summands(r.proposal(Vm[a]), r.proposal(Vm[b]), a, b)
	slices.SortStableFunc(all, func(x, y summand) int {
		return cmp.Compare(math.Abs(y.weight), math.Abs(x.weight))
	})
	p := Preference{Count: len(all), Groups: r.groups(all, a, b)}
	p.Groups = p.Groups[:min(most, len(p.Groups))]
	for n, x := range all {
		if n < most {
			p.Terms = append(p.Terms, Term{r.say(x, a, b), x.weight})
		} else {
			p.Others += x.weight
		}
	}
	return p
}

// groups returns the sums of summands by the feature of the state, the heaviest first. The sum of one is said as that
// one is.
func (r *Reasons) groups(all []summand, a, b int) []Term {
	of := make([][]summand, len(r.z))
	for _, x := range all {
		of[x.i] = append(of[x.i], x)
	}
	var groups []Term
	for i, members := range of {
		var g Term
		switch len(members) {
		case 0:
			continue
		case 1:
			g.Says = r.say(members[0], a, b)
		default:
			g.Says = fmt.Sprintf("%s: %d terms.", r.where(i), len(members))
		}
		for _, x := range members {
			g.Weight += x.weight
		}
		groups = append(groups, g)
	}
	slices.SortStableFunc(groups, func(x, y Term) int { return cmp.Compare(y.Size(), x.Size()) })
	return groups
}

// where says on which side of a feature the state is.
func (r *Reasons) where(i int) string {
	if i == 0 {
		return "In every state"
	}
	return capital(condition(r.set, i, r.z[i] > 0))
}

// summand is one summand of the difference of two logits.
type summand struct {
	weight float64
	i      int // feature of the state, from 1; 0 is no condition
	j      int // feature of a candidate; -1 of a bias
	m      int // program of a bias with a condition
}

// summands returns all summands that are not 0, of programs a and b with proposals Ka and Kb.
func (r *Reasons) summands(Ka, Kb []float64, a, b int) []summand {
	F1, M := r.router.Columns(), len(r.programs)
	var all []summand
	for p, c := range r.router.Products {
		i, j := p/F1, p%F1
		if w := float64(c) * float64(r.z[i]) * (Ka[j] - Kb[j]); w != 0 {
			all = append(all, summand{weight: w, i: i, j: j})
		}
	}
	if d := float64(r.bias[a]) - float64(r.bias[b]); d != 0 {
		all = append(all, summand{weight: d, j: -1})
	}
	for i := 1; i < len(r.z); i++ {
		if w := float64(r.bias[i*M+a]) * float64(r.z[i]); w != 0 {
			all = append(all, summand{weight: w, i: i, j: -1, m: a})
		}
		if w := float64(r.bias[i*M+b]) * float64(r.z[i]); w != 0 {
			all = append(all, summand{weight: -w, i: i, j: -1, m: b})
		}
	}
	return all
}

// say puts a summand of the difference between programs a and b into words.
func (r *Reasons) say(x summand, a, b int) string {
	high := r.z[x.i] > 0
	switch {
	case x.j >= 0:
		return wantSays(r.set, x.i, x.j, high, r.router.Products[x.i*r.router.Columns()+x.j]*r.z[x.i])
	case x.i > 0:
		return trustSays(r.set, x.i, r.programs[x.m], high, r.bias[x.i*len(r.programs)+x.m]*r.z[x.i])
	case x.weight < 0:
		a, b = b, a
	}
	return fmt.Sprintf("`%s` is trusted more than `%s` everywhere.", r.programs[a], r.programs[b])
}

// read computes the standardised features of a decision.
func (r *Reasons) read(at features.Decision) {
	F, Z := len(r.router.Scale), len(r.router.Mean)
	r.f = slices.Grow(r.f[:0], len(at.Candidates)*F)[:len(at.Candidates)*F]
	r.z = slices.Grow(r.z[:0], 1+Z)[:1+Z]
	r.reader.Read(at, r.f, r.z[1:])
	r.z[0] = 1
	for i := range Z {
		r.z[1+i] = (r.z[1+i] - r.router.Mean[i]) / r.router.Spread[i]
	}
	for k := range at.Candidates {
		for j, scale := range r.router.Scale {
			r.f[k*F+j] /= scale
		}
	}
}

// proposal returns K_m of Eq. 4 with the confidence as its last entry, [F+1], of a program with distribution Vm.
func (r *Reasons) proposal(Vm []float32) []float64 {
	F := len(r.router.Scale)
	Km := make([]float64, F+1)
	for k, v := range Vm {
		for j := range F {
			Km[j] += float64(v) * float64(r.f[k*F+j])
		}
	}
	Km[F] = student.ConfidenceScale * float64(slices.Max(Vm))
	return Km
}

package readable

import (
	"cmp"
	"fmt"
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

	f, z []float32 // [K,F], [1+Z] standardised, as package student has them
}

// ReasonsOf returns the reasons of a model's router for a bank. It is nil where that is no named router.
func ReasonsOf(m *student.Model, b *bank.Bank) *Reasons {
	r, named := m.Named()
	set, known := features.Of(b.Problem, b.View)
	if !named || !known || r.Programs != len(b.Heuristics) {
		return nil
	}
	return &Reasons{router: r, set: set, reader: set.NewReader(), programs: b.Names()}
}

// Open moves to an instance.
func (r *Reasons) Open(inst *routing.Instance) { r.reader.Open(inst) }

// Why returns what sets the logit of program a above that of program b in a state with K candidates, term by term.
// Vm is [M][K], Eq. 2. The weights of the terms add up to the logit of a less that of b, which is the logarithm of the
// ratio of their weights w_m; a term below 0 speaks for b. The heaviest terms come first.
//
// Sentences name the side of a condition on which this state is: of a product that means "late in the tour, trust who
// proposes isolated cities", an early state has "Early in the tour, trust who proposes cities with a close neighbour."
func (r *Reasons) Why(at features.Decision, Vm [][]float32, a, b int) []Term {
	r.read(at)
	F1, M := r.router.Columns(), len(r.programs)
	Ka, Kb := r.proposal(Vm[a]), r.proposal(Vm[b])
	var terms []Term
	for p, c := range r.router.Products {
		i, j := p/F1, p%F1
		if wanted := c * r.z[i]; wanted != 0 && Ka[j] != Kb[j] {
			terms = append(terms, Term{
				wantSays(r.set, i, j, r.z[i] > 0, wanted), float64(wanted) * (Ka[j] - Kb[j]),
			})
		}
	}
	if d := float64(r.router.Bias[a]) - float64(r.router.Bias[b]); d != 0 {
		more, less := r.programs[a], r.programs[b]
		if d < 0 {
			more, less = less, more
		}
		terms = append(terms, Term{fmt.Sprintf("`%s` is trusted more than `%s` everywhere.", more, less), d})
	}
	for i := 1; i < len(r.z); i++ {
		for _, of := range []struct {
			m    int
			sign float64
		}{{a, 1}, {b, -1}} {
			if w := r.router.Bias[i*M+of.m] * r.z[i]; w != 0 {
				terms = append(terms, Term{
					trustSays(r.set, i, r.programs[of.m], r.z[i] > 0, w), of.sign * float64(w),
				})
			}
		}
	}
	slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(b.Size(), a.Size()) })
	return terms
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

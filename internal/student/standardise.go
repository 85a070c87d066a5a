package student

import (
	"context"
	"errors"
	"math"

	"gorgonia.org/tensor"
)

// Standardise gives the features of a named router their scale, mean and spread on some states. It returns an error,
// and leaves the model as it is, if the data does not fit or has no states.
func (m *Model) Standardise(ctx context.Context, sets []Dataset, tauH *tensor.Dense) error {
	data, tau, err := m.Config.open(sets, tauH)
	if err != nil {
		return err
	}
	if States(sets) == 0 {
		return errors.New("student: standardise: no states")
	}
	n := &m.w.named
	n.unscaled()
	F, Z := len(n.scale), len(n.mean)
	parts := make([]moments, len(m.Config.chunks(nil, units(data))))
	err = m.sweep(ctx, data, tau, func(c int, _ []unit, p *pass) {
		if parts[c].ff == nil {
			parts[c] = newMoments(F, Z)
		}
		parts[c].add(&p.st)
	})
	if err != nil {
		return err
	}
	total := newMoments(F, Z)
	for _, part := range parts {
		total.merge(part)
	}
	for j, v := range total.ff {
		n.scale[j] = float32(max(math.Sqrt(v/total.candidates), leastSpread))
	}
	for j := range Z {
		mean := total.z[j] / total.states
		n.mean[j] = float32(mean)
		n.spread[j] = float32(max(math.Sqrt(max(total.zz[j]/total.states-mean*mean, 0)), leastSpread))
	}
	return nil
}

// moments are sums over states of named features as they are measured.
type moments struct {
	ff         []float64 // [F] squares of the distance from the mean of a state
	z, zz      []float64 // [Z] features of states, and their squares
	states     float64
	candidates float64
}

func newMoments(F, Z int) moments {
	return moments{ff: make([]float64, F), z: make([]float64, Z), zz: make([]float64, Z)}
}

// add adds the features of a group of states.
func (x *moments) add(st *states) {
	F, Z := len(x.ff), len(x.z)
	x.states += float64(st.T)
	x.candidates += float64(st.L)
	for s := range st.T {
		for j, v := range st.feat.z[s*(1+Z)+1:][:Z] {
			x.z[j] += float64(v)
			x.zz[j] += float64(v) * float64(v)
		}
		a, b := int(st.offset[s]), int(st.offset[s+1])
		for j := range F {
			mean := 0.0
			for l := a; l < b; l++ {
				mean += float64(st.feat.f[l*F+j])
			}
			mean /= float64(b - a)
			for l := a; l < b; l++ {
				d := float64(st.feat.f[l*F+j]) - mean
				x.ff[j] += d * d
			}
		}
	}
}

// merge adds the sums of other states.
func (x *moments) merge(y moments) {
	x.states += y.states
	x.candidates += y.candidates
	for _, pair := range [][2][]float64{{x.ff, y.ff}, {x.z, y.z}, {x.zz, y.zz}} {
		for j, v := range pair[1] {
			pair[0][j] += v
		}
	}
}

// leastSpread keeps a feature that hardly varies from being blown up.
const leastSpread = 1e-3

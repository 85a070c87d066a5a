package student

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
)

// gradientTolerance is the allowed error of a float32 gradient relative to the largest entry of its parameter. It
// covers rounding through two layers, measured at up to 3e-5, with a margin for other machines.
const gradientTolerance = 3e-4

func TestGradientAgreesWithFiniteDifferences(t *testing.T) {
	for _, kind := range kinds(3) {
		t.Run(kind.name, func(t *testing.T) {
			cfg := kind.cfg
			cfg.LearnTauH = true
			cfg.TauR = 0.7
			set, tauH := kind.toy(2, 6, 2, 3, 1)
			tauH[1] = 0.23
			r := rand.New(rand.NewPCG(3, 4))
			set.Weight = dense.Vector(make([]float32, set.Shard.States()))
			for s := range floats(set.Weight) {
				floats(set.Weight)[s] = 2 * r.Float32()
			}
			m := New(cfg, 5)
			for i := range m.theta {
				m.theta[i] += 0.1 * (r.Float32() - 0.5) // so that no parameter is at a special value
			}

			p := m.newPass()
			flat := make([]float32, m.Size())
			g, dLogTauH := cfg.over(flat), make([]float64, len(tauH))
			loss := 0.0
			p.learn(openAll(set), units(openAll(set)), tauH, &g, dLogTauH, func() {
				part, _ := p.route.loss(&p.st)
				loss += part
			})

			params := map[string][]float64{}
			for _, q := range m.params {
				for _, v := range q.Value.Data().([]float32) {
					params[q.Name] = append(params[q.Name], float64(v))
				}
			}
			if want := reference(cfg, params, set, tauH); math.Abs(loss-want) > 1e-5*want {
				t.Fatalf("loss %v, want %v", loss, want)
			}
			const h = 1e-5
			at := 0
			for _, q := range m.params {
				x := params[q.Name]
				dx := flat[at : at+len(x)]
				at += len(x)
				largest := 0.05 // terms of order 1 cancel in the embedding's bias and leave their rounding error
				for _, v := range dx {
					largest = max(largest, math.Abs(float64(v)))
				}
				for range 4 {
					i := r.IntN(len(x))
					v := x[i]
					x[i] = v + h
					up := reference(cfg, params, set, tauH)
					x[i] = v - h
					down := reference(cfg, params, set, tauH)
					x[i] = v
					if want := (up - down) / (2 * h); math.Abs(float64(dx[i])-want) > gradientTolerance*largest {
						t.Errorf("d %s[%d] = %v, want %v (largest %v)", q.Name, i, dx[i], want, largest)
					}
				}
			}
		})
	}
}

// A chunk whose states are decoded in several groups has the sum of the gradients of its instances.
func TestGradientOfGroupsAddsUp(t *testing.T) {
	for _, kind := range kinds(2) {
		t.Run(kind.name, func(t *testing.T) {
			set, tauH := kind.toy(8, 16, 2, 2, 1)
			p := New(kind.cfg, 5).newPass()
			us, groups := units(openAll(set)), 0
			learn := func(chunks ...[]unit) []float32 {
				flat := make([]float32, p.model.Size())
				g := kind.cfg.over(flat)
				groups = 0
				for _, c := range chunks {
					p.learn(openAll(set), c, tauH, &g, nil, func() { groups++ })
				}
				return flat
			}
			var alone [][]unit
			for i := range us {
				alone = append(alone, us[i:i+1])
			}
			want := learn(alone...)
			got := learn(us)
			if kind.cfg.lehd() != (groups > 1) {
				t.Fatalf("%d groups", groups)
			}
			for i := range want {
				if math.Abs(float64(got[i]-want[i])) > 1e-4*(1+math.Abs(float64(want[i]))) {
					t.Fatalf("parameter %d: gradient %v together, %v one by one", i, got[i], want[i])
				}
			}
		})
	}
}

// The gradient of log τ_h goes through the mixture only (Eq. 5): the weights of Eq. 3 count as constants.
func TestTauGradientAgreesWithFiniteDifferences(t *testing.T) {
	cfg := small(true)
	cfg.LearnTauH = true
	set, tauH := toy(2, 8, 1, 3, 2)
	tauH[2] = 0.31
	p := New(cfg, 5).newPass()
	g, dLogTauH := cfg.over(make([]float32, p.model.Size())), make([]float64, len(tauH))
	p.learn(openAll(set), units(openAll(set)), tauH, &g, dLogTauH, func() {})

	loss := func(tauH []float64) (sum float64) {
		for s := range p.st.T {
			a, b := p.st.offset[s], p.st.offset[s+1]
			mix := make([]float64, b-a)
			for m := range tauH {
				z := make([]float64, 0, b-a)
				for _, c := range p.st.of(m, p.st.scores)[a:b] {
					z = append(z, float64(c)/tauH[m])
				}
				for k, v := range softmax(z) {
					mix[k] += float64(p.route.wm[s*p.st.M+m]) * v
				}
			}
			for k, pi := range p.st.piT[a:b] {
				sum += float64(pi) * math.Log(float64(pi)/math.Max(mix[k], agreement.Floor))
			}
		}
		return sum
	}
	const h = 1e-5
	for m := range tauH {
		tau := tauH[m]
		tauH[m] = tau * math.Exp(h)
		up := loss(tauH)
		tauH[m] = tau * math.Exp(-h)
		down := loss(tauH)
		tauH[m] = tau
		if want := (up - down) / (2 * h); math.Abs(dLogTauH[m]-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("d log τ_h[%d] = %v, want %v", m, dLogTauH[m], want)
		}
	}
}

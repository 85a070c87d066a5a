package student

import (
	"context"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/parallel"
)

// Want says which outputs of Forward to keep.
type Want uint8

// The outputs.
const (
	WantLogits Want = 1 << iota
	WantW
	WantMix
)

// Out holds the student's outputs on the S states and C candidates of a shard, float32. Outputs that Want leaves out
// are nil.
type Out struct {
	Logits *tensor.Dense // [S,M] Q·K_m/τ_r
	W      *tensor.Dense // [S,M] w_m (Eq. 3)
	Mix    *tensor.Dense // [C] what decides: π_S (Eq. 5), or with hard routing the leader's V_m
}

// Forward runs the student on every state of the set; tauH, float64 [M], holds τ_h of Eq. 2.
func Forward(ctx context.Context, m *Model, set Dataset, tauH *tensor.Dense, want Want) (Out, error) {
	sets, tau, err := m.Config.open([]Dataset{set}, tauH)
	if err != nil {
		return Out{}, err
	}
	S, M, C := set.Shard.States(), len(tau), len(set.Shard.Candidates)
	var out Out
	keep := func(w Want, t **tensor.Dense, shape ...int) []float32 {
		if want&w == 0 {
			return nil
		}
		n, _ := dense.Elements(shape)
		x := make([]float32, n)
		*t = dense.Of(x, shape...)
		return x
	}
	logits, wm, mix := keep(WantLogits, &out.Logits, S, M), keep(WantW, &out.W, S, M), keep(WantMix, &out.Mix, C)
	err = m.sweep(ctx, sets, tau, func(_ int, group []unit, p *pass) {
		t := 0 // state of the group
		for _, u := range group {
			for _, sp := range u.spans {
				n := int(sp.to - sp.from)
				if logits != nil {
					copy(logits[int(sp.from)*M:], p.route.logits[t*M:(t+n)*M])
				}
				if wm != nil {
					copy(wm[int(sp.from)*M:], p.route.wm[t*M:(t+n)*M])
				}
				for s := sp.from; s < sp.to && mix != nil; s++ {
					copy(mix[set.Shard.Offset[s]:], p.route.decide(&p.st, t+int(s-sp.from)))
				}
				t += n
			}
		}
	})
	if err != nil {
		return Out{}, err
	}
	return out, nil
}

// sweep runs the student forward over all chunks of the sets, on all cores, and calls visit after each group of states;
// c numbers the chunks.
func (m *Model) sweep(
	ctx context.Context, sets []opened, tauH []float64, visit func(c int, group []unit, p *pass),
) error {
	work := m.Config.chunks(nil, units(sets))
	passes := make([]*pass, parallel.Workers(len(work)))
	parallel.Each(len(passes), len(work), func(worker, c int) {
		if ctx.Err() != nil {
			return
		}
		if passes[worker] == nil {
			passes[worker] = m.newPass()
		}
		p := passes[worker]
		p.run(sets, work[c], tauH, func(group []unit) { visit(c, group, p) })
	})
	return ctx.Err()
}

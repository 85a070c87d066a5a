package student

import "context"

// Want says which outputs of Forward to keep.
type Want uint8

// The outputs.
const (
	WantLogits Want = 1 << iota
	WantW
	WantMix
)

// Out is the student on the S states of a shard; what was not wanted is nil.
type Out struct {
	Logits []float32 // [S,M] Q·K_m/τ_r
	W      []float32 // [S,M] w_m (Eq. 3)
	Mix    []float32 // ragged, π_S (Eq. 5)
}

// Forward runs the student on every state of the set; tauH [M] holds τ_h of Eq. 2.
func Forward(ctx context.Context, m *Model, set Dataset, tauH []float64, want Want) (Out, error) {
	sets := []Dataset{set}
	if err := m.Config.checkSets(sets, tauH); err != nil {
		return Out{}, err
	}
	S, M := set.Shard.States(), len(tauH)
	var out Out
	keep := func(w Want, n int) []float32 {
		if want&w == 0 {
			return nil
		}
		return make([]float32, n)
	}
	out.Logits, out.W, out.Mix = keep(WantLogits, S*M), keep(WantW, S*M), keep(WantMix, len(set.Shard.Candidates))
	err := m.sweep(ctx, sets, tauH, func(_ int, group []unit, p *pass) {
		row, ragged := 0, 0
		for _, u := range group {
			for _, sp := range u.spans {
				n := int(sp.to-sp.from) * M
				if out.Logits != nil {
					copy(out.Logits[int(sp.from)*M:], p.route.logits[row:row+n])
				}
				if out.W != nil {
					copy(out.W[int(sp.from)*M:], p.route.wm[row:row+n])
				}
				row += n
				a, b := set.Shard.Offset[sp.from], set.Shard.Offset[sp.to]
				if out.Mix != nil {
					copy(out.Mix[a:b], p.route.mix[ragged:])
				}
				ragged += int(b - a)
			}
		}
	})
	if err != nil {
		return Out{}, err
	}
	return out, nil
}

// sweep runs the student forward over all chunks of the sets, on all cores, and calls visit after each group of states; c numbers
// the chunks.
func (m *Model) sweep(ctx context.Context, sets []Dataset, tauH []float64, visit func(c int, group []unit, p *pass)) error {
	work := chunks(nil, units(sets))
	passes := make([]*pass, workers(len(work)))
	each(len(passes), len(work), func(worker, c int) {
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

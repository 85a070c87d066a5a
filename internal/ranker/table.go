package ranker

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// setOf returns the features of a problem up to a class.
func setOf(problem routing.Problem, class sdk.Class) (*features.Set, error) {
	set, ok := features.Of(problem, routing.Full, class)
	if !ok {
		return nil, fmt.Errorf("ranker: there are no named features for %s", problem)
	}
	return set, nil
}

// scale brings features to a common size: those of a candidate to their spread within a state, those of a state to mean
// 0 and spread 1.
type scale struct {
	inverse      []float32 // [F] 1 / spread
	mean, spread []float32 // [Z]
}

// leastSpread keeps a feature that hardly varies from being blown up.
const leastSpread = 1e-3

// apply brings the features of one state to their scale: f is [K,F], z is [Z].
func (s *scale) apply(f, z []float32) {
	for ; len(f) > 0; f = f[len(s.inverse):] {
		for j, v := range s.inverse {
			f[j] *= v
		}
	}
	for j := range z {
		z[j] = (z[j] - s.mean[j]) / s.spread[j]
	}
}

// Table gives the features of a shard's states, brought to a common scale. It keeps those of the first states, for
// which there is room. Several goroutines may use it.
type Table struct {
	sh    *rollout.Shard
	set   *features.Set
	scale *scale
	f     []float32 // [C,F] of the states that are kept
	z     []float32 // [S,Z] of these
	kept  int       // S
}

// scaleStates is the number of states from which the scale is computed.
const scaleStates = 20_000

// fillSpan is how many states one goroutine reads at a time.
const fillSpan = 1024

// NewTable reads the features of a shard, up to a class. It keeps those of as many states as fit into so many bytes,
// and takes the scale from the first scaleStates states, kept or not. It returns an error if the problem has no named
// features, or the shard no states.
func NewTable(ctx context.Context, sh *rollout.Shard, class sdk.Class, bytes int64) (*Table, error) {
	set, err := setOf(sh.Problem, class)
	if err != nil {
		return nil, err
	}
	switch {
	case sh.ViaDepot:
		return nil, fmt.Errorf("ranker: there are no named features of candidates by way of the depot")
	case sh.States() == 0:
		return nil, fmt.Errorf("ranker: the shard of %.80s has no states", sh.Teacher)
	}
	t := &Table{sh: sh, set: set}
	F, Z := int64(len(set.Node)), int64(len(set.State))
	for t.kept < sh.States() && 4*(sh.Offset[t.kept+1]*F+int64(t.kept+1)*Z) <= bytes {
		t.kept++
	}
	t.f, t.z = make([]float32, sh.Offset[t.kept]*F), make([]float32, int64(t.kept)*Z)
	err = parallel.Try(parallel.Workers(parts(t.kept)), parts(t.kept), func(_, i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := rollout.NewFeatureReader(set)
		for s := i * fillSpan; s < min((i+1)*fillSpan, t.kept); s++ {
			f, z := t.place(s)
			if err := r.Read(sh, s, f, z); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("ranker: %w", err)
	}
	if t.scale, err = t.measure(ctx, min(scaleStates, sh.States())); err != nil {
		return nil, fmt.Errorf("ranker: %w", err)
	}
	for s := range t.kept {
		t.scale.apply(t.place(s))
	}
	return t, nil
}

// place returns where the features of a state that is kept lie.
func (t *Table) place(s int) (f, z []float32) {
	F, Z := int64(len(t.set.Node)), len(t.set.State)
	return t.f[t.sh.Offset[s]*F : t.sh.Offset[s+1]*F], t.z[s*Z:][:Z]
}

// measure returns the scale of the first S states. Those that are kept are as they were read.
func (t *Table) measure(ctx context.Context, S int) (*scale, error) {
	F, Z := len(t.set.Node), len(t.set.State)
	within, sum, square := make([]float64, F), make([]float64, Z), make([]float64, Z)
	r := rollout.NewFeatureReader(t.set)
	var room []float32 // for the features of a state that is not kept
	for s := range S {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		K := int(t.sh.Offset[s+1] - t.sh.Offset[s])
		var f, z []float32
		if s < t.kept {
			f, z = t.place(s)
		} else {
			room = slices.Grow(room[:0], K*F+Z)[:K*F+Z]
			f, z = room[:K*F], room[K*F:]
			if err := r.Read(t.sh, s, f, z); err != nil {
				return nil, err
			}
		}
		for j := range F {
			mean := 0.0
			for k := range K {
				mean += float64(f[k*F+j])
			}
			mean /= float64(K)
			for k := range K {
				d := float64(f[k*F+j]) - mean
				within[j] += d * d
			}
		}
		for j, v := range z {
			sum[j] += float64(v)
			square[j] += float64(v) * float64(v)
		}
	}
	sc := &scale{make([]float32, F), make([]float32, Z), make([]float32, Z)}
	for j, v := range within {
		sc.inverse[j] = float32(1 / max(math.Sqrt(v/float64(t.sh.Offset[S])), leastSpread))
	}
	for j := range Z {
		mean := sum[j] / float64(S)
		sc.mean[j] = float32(mean)
		sc.spread[j] = float32(max(math.Sqrt(max(square[j]/float64(S)-mean*mean, 0)), leastSpread))
	}
	return sc, nil
}

package activities

import (
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// evidenceStates is from how many states the evidence of a prompt comes.
const evidenceStates = 2000

// changes returns what named features would do to a loss if they became terms of a program, measured on some of the
// states given for each shard. gradient returns the gradient of the loss by the program's scores as multiples of τ_h,
// [C] of shard i. A setting without features has no evidence.
func changes(
	setting bank.Setting, source string, sets []student.Dataset, states [][]int32,
	gradient func(i int) ([]float32, error),
) ([]evidence.Change, error) {
	set, ok := features.Of(setting.Problem, setting.View, sdk.ClassLocal)
	if !ok {
		return nil, nil
	}
	total, meter := 0, evidence.NewMeter(set)
	for _, s := range states {
		total += len(s)
	}
	for i, s := range states {
		if len(s) == 0 {
			continue
		}
		share := (evidenceStates*len(s) + total - 1) / total
		g, err := gradient(i)
		if err != nil {
			return nil, err
		}
		if err := meter.Add(sets[i].Shard, evidence.Even(s, share), g); err != nil {
			return nil, err
		}
	}
	return meter.Changes(source, evidence.Shown), nil
}

// timesTauH returns a gradient by scores as one by multiples of τ_h.
func timesTauH(gradient *tensor.Dense, tauH float64) []float32 {
	g := dense.Must[float32]("gradient by scores", gradient, dense.Any)
	out := make([]float32, len(g))
	for i, v := range g {
		out[i] = v * float32(tauH)
	}
	return out
}

// divergenceGradient returns the gradient of KL(π_T‖V_m) by the scores as multiples of τ_h: V_m − π_T, of heuristic
// of(s) in state s. States for which of returns a negative number have none.
func divergenceGradient(a agreement.Agreements, of func(s int32) int) []float32 {
	g := make([]float32, len(a.Shard.Candidates))
	for s := range a.Shard.States() {
		m := of(int32(s))
		if m < 0 {
			continue
		}
		from, Pi := a.Shard.Offset[s], a.Shard.State(s).Probs
		for k, v := range a.DistributionAt(m, int32(s)) {
			g[from+int64(k)] = v - Pi[k]
		}
	}
	return g
}

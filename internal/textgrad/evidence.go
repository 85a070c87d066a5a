package textgrad

import (
	"context"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// FailureOf describes state s as heuristic m sees it, with the features in which the two picks differ most.
func FailureOf(setting bank.Setting, a agreement.Agreements, m int, s int32) (Failure, error) {
	Vm := a.DistributionAt(m, s)
	f := NewFailure(a.Shard, int(s), Vm)
	if set, ok := features.Of(setting.Problem, setting.View, sdk.ClassLocal); ok {
		return f.WithFeatures(set, a.Shard, int(s), Vm)
	}
	return f, nil
}

// FailuresOf describes the cases of heuristic m, with what its weights contribute. h is that heuristic, and module is
// its program; agreements are those on each shard.
func FailuresOf(
	ctx context.Context, setting bank.Setting, h bank.Heuristic, module *runtime.Module,
	agreements []agreement.Agreements, m int, cases []Case,
) ([]Failure, error) {
	var out []Failure
	for _, c := range cases {
		a := agreements[c.Shard]
		f, err := FailureOf(setting, a, m, c.State)
		if err != nil {
			return nil, err
		}
		program, teacher := firstChoices(a.Shard, int(c.State), a.DistributionAt(m, c.State))
		f.Terms, f.Score, err = evidence.Terms(ctx, module, h.Source, a.Shard, c.State, program, teacher)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// evidenceStates is from how many states the evidence of a prompt comes.
const evidenceStates = 2000

// Changes returns what named features would do to a loss if they became terms of a program, measured on some of the
// states given for each shard. gradient returns the gradient of the loss by the program's scores as multiples of τ_h,
// [C] of shard i. A setting without features has no evidence.
func Changes(
	setting bank.Setting, source string, agreements []agreement.Agreements, states [][]int32,
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
		if err := meter.Add(agreements[i].Shard, agreement.Even(s, share), g); err != nil {
			return nil, err
		}
	}
	return meter.Changes(source, evidence.Shown), nil
}

// DivergenceGradient returns the gradient of KL(π_T‖V_m) by the scores as multiples of τ_h: V_m − π_T, of heuristic
// of(s) in state s. States for which of returns a negative number have none.
func DivergenceGradient(a agreement.Agreements, of func(s int32) int) []float32 {
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

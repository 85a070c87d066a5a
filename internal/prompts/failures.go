package prompts

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/standin"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// reply reads the stand-in's answer to a request.
func reply[T any](req llm.Request, parse func(string) (T, error)) (T, error) {
	text, err := standin.Answer(req.System, req.User)
	if err != nil {
		var none T
		return none, err
	}
	return parse(text)
}

// trial is how a program does on a shard.
type trial struct {
	failures []textgrad.Failure // worst first, at least one
	record   textgrad.Record
}

// try has a heuristic score a shard, and describes at most n of its failures.
func try(ctx context.Context, h bank.Heuristic, set *features.Set, sh *rollout.Shard, n int) (trial, error) {
	var t trial
	tools, err := compile.Find()
	if err != nil {
		return t, err
	}
	m, err := runtime.Admit(ctx, tools, h.Name, h.Source)
	if err != nil {
		return t, err
	}
	defer m.Close()
	scores, err := m.ScoreShard(ctx, sh)
	if err != nil {
		return t, err
	}
	for _, s := range worst(sh, scores, h.TauH, n) {
		Vm := agreement.DistributionAt(sh, scores, h.TauH, int(s))
		f := textgrad.NewFailure(sh, int(s), Vm)
		if set != nil {
			if f, err = f.WithFeatures(set, sh, int(s), Vm); err != nil {
				return t, err
			}
		}
		program, teacher := textgrad.Picks(sh, int(s), Vm)
		f.Terms, f.Score, err = evidence.Terms(ctx, m, h.Source, sh, s, program, teacher)
		if err != nil {
			return t, err
		}
		t.failures = append(t.failures, f)
	}
	if len(t.failures) == 0 {
		return t, fmt.Errorf("heuristic %s agrees with %s in all %d states: no failure to show", h.Name, sh.Teacher,
			sh.States())
	}
	tauH := dense.Vector([]float64{h.TauH})
	alone := textgrad.Seen{Agreements: agreement.OfAll(sh, []*tensor.Dense{scores}, tauH), W: ones(sh)}
	var niche [][]int32
	t.record, niche = textgrad.NewRecord([]textgrad.Seen{alone}, 0)
	if set != nil {
		t.record.Evidence, err = changes(set, h.Source, sh, niche[0], agreement.Distribution(sh, scores, h.TauH))
	}
	return t, err
}

// changes returns what features would do to the divergence of a program from the teacher, on states where its
// distribution is Vm.
func changes(set *features.Set, source string, sh *rollout.Shard, states []int32, Vm *tensor.Dense) (
	[]evidence.Change, error,
) {
	C := len(sh.Candidates)
	g := slices.Clone(dense.Must[float32]("prompts: V_m", Vm, C))
	for i, p := range dense.Must[float32]("prompts: π_T", sh.Probs, C) {
		g[i] -= p
	}
	meter := evidence.NewMeter(set)
	if err := meter.Add(sh, evidence.Even(states, 2000), g); err != nil {
		return nil, err
	}
	return meter.Changes(source, evidence.Shown), nil
}

// ones are the weights of a program that is alone, [S,1].
func ones(sh *rollout.Shard) *tensor.Dense {
	return dense.Of(slices.Repeat([]float32{1}, sh.States()), sh.States(), 1)
}

// worst returns at most n states on which scores disagree with the teacher, worst first, near-ties left out.
func worst(sh *rollout.Shard, scores *tensor.Dense, tauH float64, n int) []int32 {
	a := textgrad.NewAttribution(1, n)
	a.Add(0, ones(sh), []agreement.Agreement{agreement.Of(sh, scores, tauH)}, textgrad.NearTies(sh))
	var states []int32
	for _, c := range a.Cases[0] {
		states = append(states, c.State)
	}
	return states
}

package prompts

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evidence"
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
	faults   []evidence.Change // what would bring it nearer to the teacher where they disagree
}

// try has a heuristic of a bank score a shard, and describes at most n of its failures.
func try(ctx context.Context, setting bank.Setting, h bank.Heuristic, sh *rollout.Shard, n int) (trial, error) {
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
	seen := alone(sh, scores, h.TauH)
	all := []agreement.Agreements{seen.Agreements}
	t.failures, err = textgrad.FailuresOf(ctx, setting, h, m, all, 0, worst(seen, n))
	if err != nil {
		return t, err
	}
	if len(t.failures) == 0 {
		return t, fmt.Errorf("heuristic %s agrees with %s in all %d states: no failure to show", h.Name, sh.Teacher,
			sh.States())
	}
	var niche [][]int32
	t.record, niche = textgrad.NewRecord([]textgrad.Seen{seen}, 0)
	if t.record.Evidence, err = changes(setting, h.Source, seen, niche[0]); err != nil {
		return t, err
	}
	t.faults, err = changes(setting, "", seen, capacity.Faults(sh.States(), seen.Hits()))
	return t, err
}

// unsure is the trial of a program that prefers no candidate: a run that begins with an empty bank shows this.
func unsure(setting bank.Setting, sh *rollout.Shard) (t trial, err error) {
	even := alone(sh, dense.Vector(make([]float32, len(sh.Candidates))), 1)
	for _, at := range worst(even, textgrad.ProposedFailures) {
		f, err := textgrad.FailureOf(setting, even.Agreements, 0, at.State)
		if err != nil {
			return t, err
		}
		t.failures = append(t.failures, f)
	}
	t.faults, err = changes(setting, "", even, capacity.Faults(sh.States(), nil))
	return t, err
}

// changes returns what features would do to the divergence of a program that is alone, on some states.
func changes(setting bank.Setting, source string, seen textgrad.Seen, states []int32) ([]evidence.Change, error) {
	return textgrad.Changes(setting, source, []agreement.Agreements{seen.Agreements}, [][]int32{states},
		func(int) ([]float32, error) {
			return textgrad.DivergenceGradient(seen.Agreements, func(int32) int { return 0 }), nil
		})
}

// alone is a shard as seen by a bank of one program, which has all the weight.
func alone(sh *rollout.Shard, scores *tensor.Dense, tauH float64) textgrad.Seen {
	return textgrad.Seen{
		Agreements: agreement.OfAll(sh, []*tensor.Dense{scores}, dense.Vector([]float64{tauH})),
		W:          dense.Of(slices.Repeat([]float32{1}, sh.States()), sh.States(), 1),
	}
}

// worst returns at most n states in which a program that is alone disagrees with the teacher, worst first, near-ties
// left out.
func worst(seen textgrad.Seen, n int) []textgrad.Case {
	a := textgrad.NewAttribution(1, n)
	a.Add(0, seen.W, seen.Each, textgrad.NearTies(seen.Shard))
	return a.Cases[0]
}

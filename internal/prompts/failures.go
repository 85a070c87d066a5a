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
	faults   faults
}

// faults is what a proposer is shown.
type faults struct {
	shown    []textgrad.Failure
	evidence []evidence.Change // what would bring the closest program nearer to the teacher
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
	t.record.Evidence, err = textgrad.Changes(setting, h.Source, all, niche, func(int) ([]float32, error) {
		return textgrad.DivergenceGradient(seen.Agreements, func(int32) int { return 0 }), nil
	})
	if err != nil {
		return t, err
	}
	t.faults, err = faultsOf(&bank.Bank{Setting: setting, Heuristics: []bank.Heuristic{h}}, seen.Agreements)
	return t, err
}

// faultsOf returns what the proposer of a run is shown whose heuristics agree so with the teacher on its first shard.
func faultsOf(b *bank.Bank, all agreement.Agreements) (f faults, err error) {
	states := capacity.Faults(all.Shard.States(), all.Hits())
	if refine, _ := capacity.Split(all.Shard, states); len(refine) > 0 {
		states = refine // a run holds out the others
	}
	f.shown, f.evidence, err = textgrad.FaultsOf(b, all, states)
	return f, err
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

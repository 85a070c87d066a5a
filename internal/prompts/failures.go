package prompts

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
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

// sampleFailures returns at most n failures of a heuristic on a shard, worst first, at least one.
func sampleFailures(ctx context.Context, h bank.Heuristic, sh *rollout.Shard, n int) ([]textgrad.Failure, error) {
	tools, err := compile.Find()
	if err != nil {
		return nil, err
	}
	m, err := runtime.Admit(ctx, tools, h.Name, h.Source)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	scores, err := m.ScoreShard(ctx, sh)
	if err != nil {
		return nil, err
	}
	failures := worstFailures(sh, scores, h.TauH, n)
	if len(failures) == 0 {
		return nil, fmt.Errorf("heuristic %s agrees with %s in all %d states: no failure to show", h.Name, sh.Teacher,
			sh.States())
	}
	return failures, nil
}

// worstFailures returns at most n states on which scores disagree with the teacher, worst first.
func worstFailures(sh *rollout.Shard, scores *tensor.Dense, tauH float64, n int) []textgrad.Failure {
	worst := textgrad.NewAttribution(1, n)
	ones := dense.Of(slices.Repeat([]float32{1}, sh.States()), sh.States(), 1)
	worst.Add(0, ones, []agreement.Agreement{agreement.Of(sh, scores, tauH)})
	var failures []textgrad.Failure
	for _, c := range worst.Cases[0] {
		failures = append(failures, textgrad.NewFailure(sh, int(c.State),
			agreement.DistributionAt(sh, scores, tauH, int(c.State))))
	}
	return failures
}

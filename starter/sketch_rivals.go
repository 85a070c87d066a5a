package main

import (
	"context"
	"time"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/ranker"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/terminal"
)

// fittedRanker is what a student is compared with, fitted to the same decisions.
type fittedRanker struct {
	Name       string          `json:"name"`
	Parameters int             `json:"parameters"`
	Fidelity   ranker.Fidelity `json:"fidelity"`
	Seconds    float64         `json:"seconds"` // of the fit
}

// rivals fits a linear scorer and a neural ranker, and measures them on the policy's states of test instances.
func (f sketchFlags) rivals(
	ctx context.Context, train, test *rollout.Shard, start startrule.Rule, out *sketched, screen *terminal.Screen,
) ([]evaluate.Rival, error) {
	if f.noRankers {
		return nil, nil
	}
	screen.Status("reading features")
	data, err := ranker.NewTable(ctx, train, ranker.DefaultMemory)
	if err != nil {
		return nil, err
	}
	var rivals []evaluate.Rival
	for _, kind := range []struct {
		name   string
		config ranker.Config
	}{
		{"linear scorer, all features", ranker.Linear(f.seed)},
		{"neural ranker, same features", ranker.Neural(f.seed)},
	} {
		began := time.Now()
		n, err := ranker.Fit(ctx, data, kind.config, func(done, total int) {
			screen.Status("fitting the %s: epoch %d of %d", kind.name, done, total)
		})
		if err != nil {
			return nil, err
		}
		fitted := fittedRanker{Name: kind.name, Parameters: n.Parameters(), Seconds: time.Since(began).Seconds()}
		if fitted.Fidelity, err = ranker.Measure(ctx, n, test); err != nil {
			return nil, err
		}
		out.Rankers = append(out.Rankers, fitted)
		rivals = append(rivals, evaluate.Rival{
			Policy: evaluate.Ranked{Label: kind.name, Ranker: n, Start: start}, Top1: fitted.Fidelity.Top1,
		})
	}
	return rivals, nil
}

package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/workflows"
)

// rivals fits what the student is compared with to the states that it was trained on, if the config asks for it.
// Candidates by way of the depot (LEHD) have no named features, and so no rivals.
func (a *Activities) rivals(
	ctx context.Context, in workflows.EvaluateInput, test testSet, start startrule.Rule, hb *heartbeat,
) ([]evaluate.Rival, error) {
	if !in.Config.Data.Rivals || test.states.ViaDepot {
		return nil, nil
	}
	hb.step("rivals of the student")
	parts, err := a.Store.Shards(ctx, refs(in.Data.Train))
	if err != nil {
		return nil, err
	}
	train, err := rollout.Concat(parts...)
	if err != nil {
		return nil, err
	}
	var asked routing.Policy // about new states, which a teacher that is known by its rollouts cannot decide on
	if len(in.Data.Test) == 0 {
		asked = test.teacher
	}
	return evaluate.FitRivals(ctx, asked, train, test.states, start, evaluate.RivalConfig{
		Seed: in.Config.Seed, Leaves: config.DefaultSketch().Leaves(),
	}, hb.step)
}

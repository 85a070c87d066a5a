package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// fitRivals fits what the student is compared with to the states that it was trained on, if the config asks for it.
// Candidates by way of the depot (LEHD) have no named features, and so no rivals.
func (e *evaluation) fitRivals(ctx context.Context) error {
	if !e.in.Config.Data.Rivals || e.test.states.ViaDepot {
		return nil
	}
	e.hb.step("rivals of the student")
	parts, err := e.Store.Shards(ctx, refs(e.in.Data.Train))
	if err != nil {
		return err
	}
	train, err := rollout.Concat(parts...)
	if err != nil {
		return err
	}
	var labels routing.Policy // the teacher, which labels new states; nil if only its rollouts are known
	if !e.test.recorded() {
		labels = e.test.teacher
	}
	e.rivals, err = evaluate.FitRivals(ctx, labels, train, e.test.states, e.student.Start, evaluate.RivalConfig{
		Seed: e.in.Config.Seed, Leaves: e.in.Config.SketchSize().Leaves(), Class: e.student.Model.Config.Features(),
		Memory: memory.WorkerFeatures(),
	}, e.hb.step)
	return err
}

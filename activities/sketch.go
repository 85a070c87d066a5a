package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/workflows"
)

// Sketch fits programs that are sums of named features, and a named router for them, to the teacher's decisions. It
// makes them the bank and the student of the run. It checkpoints after every stage of the fit: a retry goes on from the
// last one, and yields the same bytes as an undisturbed sketch.
func (a *Activities) Sketch(ctx context.Context, in workflows.SketchInput) (workflows.Model, error) {
	hb := startHeartbeat(ctx, "loading")
	defer hb.stop()
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return in.Model, err
	}
	sets, err := a.unscoredSets(ctx, in.Data.Train)
	if err != nil {
		return in.Model, err
	}
	hb.step("fitting programs")
	cfg := student.Configured(in.Config, b.Problem, b.View, in.Sketch.Programs)
	cfg.Router = student.Named
	a.Store.Remember(ctx, cfg, sets, refs(in.Data.Train))
	c := sketch.Sized(in.Sketch)
	c.Batch, c.Seed = in.Train.BatchStates, in.Seed
	last, err := a.lastSketch(ctx)
	if err != nil {
		return in.Model, err
	}
	keep := func(at sketch.Checkpoint) error {
		ref, err := a.putRouter(ctx, at.Model, in.Train, in.Seed)
		if err == nil {
			hb.sketched(workflows.SketchCheckpoint{Stages: at.Stages, Model: ref})
		}
		return err
	}
	fitted, err := sketch.Fit(ctx, cfg, c, sets, sketch.Watch{Progress: hb.at, Keep: keep, From: last})
	if err != nil {
		return in.Model, err
	}
	sketched, err := sketch.Write(fitted.Programs, b.Setting, cfg.Features())
	if err != nil {
		return in.Model, err
	}
	sketched.Teacher = b.Teacher
	modules, err := runtime.AdmitAll(ctx, a.Store.Compiler, sketched.Programs(), nil)
	if err != nil {
		return in.Model, err
	}
	runtime.CloseAll(modules)
	out, err := a.revised(ctx, in.Model, sketched)
	if err != nil {
		return out, err
	}
	fitted.Router.Config.LearnTauH = cfg.LearnTauH
	out.Student, err = a.putRouter(ctx, fitted.Router, in.Train, in.Seed)
	out.Trained = out.Bank
	return out, err
}

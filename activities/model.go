package activities

import (
	"context"
	"log/slog"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// revised stores a bank and returns the model with the new bank.
func (a *Activities) revised(ctx context.Context, m workflows.Model, b *bank.Bank) (workflows.Model, error) {
	ref, err := a.Store.PutJSON(ctx, b)
	if err != nil {
		return m, err
	}
	m.Bank, m.Size = ref, len(b.Heuristics)
	m.Revision++
	return a.alignStudent(ctx, m, b)
}

// alignStudent makes a student that has parameters of each program fit its revised bank, before anybody reads it. Other
// students take their keys from V_m (Eq. 4). Only the optimiser's moments of τ_h depend on their bank, and trainerFor
// fits these before the next training.
func (a *Activities) alignStudent(ctx context.Context, m workflows.Model, b *bank.Bank) (workflows.Model, error) {
	if m.Student.Hash == "" {
		return m, nil
	}
	if model, err := a.Store.Model(ctx, m.Student); err != nil || !model.Config.PerProgram() {
		return m, err
	}
	t, err := a.trainerFor(ctx, m, b)
	if err != nil {
		return m, err
	}
	m.Trained = m.Bank
	m.Student, err = a.Store.PutTrainer(ctx, t)
	return m, err
}

// trainerFor returns the trainer of a model, fit for a bank that may have changed since it was stored.
func (a *Activities) trainerFor(ctx context.Context, m workflows.Model, b *bank.Bank) (*student.Trainer, error) {
	t, err := a.Store.Trainer(ctx, m.Student)
	if err != nil {
		return nil, err
	}
	trained, err := a.Store.Bank(ctx, m.Trained)
	if err != nil {
		return nil, err
	}
	t.Resize(b.Origins(trained))
	return t, nil
}

// forget removes the scores on data of programs that have left the bank, or that were tried and not taken, so that a
// long run does not fill the store: at every training of weights all programs give way to others, with as many scores.
// That it fails is no reason to stop.
func (a *Activities) forget(ctx context.Context, left, stay []bank.Heuristic, data workflows.Dataset) {
	shards := refs(slices.Concat(data.Train, data.Val))
	if err := a.Store.ForgetScores(ctx, left, stay, shards); err != nil {
		slog.WarnContext(ctx, "scores that nobody needs stay in the store", "error", err)
	}
}

// policyOf returns the policy of a model with a rule for its first node, and a function that releases its programs.
func (a *Activities) policyOf(ctx context.Context, m workflows.Model, start startrule.Rule) (
	policy *evaluate.Student, giveBack func(), err error,
) {
	b, err := a.Store.Bank(ctx, m.Bank)
	if err != nil {
		return nil, nil, err
	}
	model, err := a.Store.Model(ctx, m.Student)
	if err != nil {
		return nil, nil, err
	}
	modules, giveBack, err := a.Store.Programs(ctx, b.Heuristics)
	if err != nil {
		return nil, nil, err
	}
	return &evaluate.Student{Model: model, Programs: evaluate.NewPrograms(b, modules), Start: start}, giveBack, nil
}

package activities

import (
	"context"
	"log/slog"
	"slices"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// revised stores a bank and returns the model with the new bank.
func revised(ctx context.Context, s *artifact.Store, m workflows.Model, b *bank.Bank) (workflows.Model, error) {
	ref, err := s.PutJSON(ctx, b)
	if err != nil {
		return m, err
	}
	m.Bank, m.Size = ref, len(b.Heuristics)
	m.Revision++
	return alignStudent(ctx, s, m, b)
}

// alignStudent makes a student that has parameters of each program fit its revised bank, before anybody reads it. Other
// students take their keys from V_m (Eq. 4). Only the optimiser's moments of τ_h depend on their bank, and trainerFor
// fits these before the next training.
func alignStudent(ctx context.Context, s *artifact.Store, m workflows.Model, b *bank.Bank) (workflows.Model, error) {
	if m.Student.Hash == "" {
		return m, nil
	}
	if model, err := s.Model(ctx, m.Student); err != nil || !model.Config.PerProgram() {
		return m, err
	}
	t, err := trainerFor(ctx, s, m, b)
	if err != nil {
		return m, err
	}
	m.Trained = m.Bank
	m.Student, err = s.PutTrainer(ctx, t)
	return m, err
}

// trainerFor returns the trainer of a model, fit for a bank that may have changed since it was stored.
func trainerFor(ctx context.Context, s *artifact.Store, m workflows.Model, b *bank.Bank) (*student.Trainer, error) {
	t, err := s.Trainer(ctx, m.Student)
	if err != nil {
		return nil, err
	}
	trained, err := s.Bank(ctx, m.Trained)
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
func policyOf(ctx context.Context, s *artifact.Store, m workflows.Model, start startrule.Rule) (
	policy *evaluate.Student, giveBack func(), err error,
) {
	b, err := s.Bank(ctx, m.Bank)
	if err != nil {
		return nil, nil, err
	}
	model, err := s.Model(ctx, m.Student)
	if err != nil {
		return nil, nil, err
	}
	modules, giveBack, err := s.Programs(ctx, b.Heuristics)
	if err != nil {
		return nil, nil, err
	}
	return &evaluate.Student{Model: model, Programs: evaluate.NewPrograms(b, modules), Start: start}, giveBack, nil
}

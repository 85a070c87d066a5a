package activities

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/workflows"
)

// gradClip bounds the norm of the gradient of the mean loss: rare states on which every V_m rules out the teacher's
// pick would otherwise move the router far in one step.
const gradClip = 1.0

// warmupSteps is how long Adam's learning rate rises at the start of training.
const warmupSteps = 50

// Train runs a segment of SGD epochs (Eq. 11, the update of θ). It checkpoints after every epoch: a retry goes on from
// the last one, and yields the same bytes as an undisturbed run.
func (a *Activities) Train(ctx context.Context, in workflows.TrainInput) (workflows.TrainOutput, error) {
	hb := startHeartbeat(ctx, "loading")
	defer hb.stop()
	out := workflows.TrainOutput{Model: in.Model, Build: version.Commit()}
	last, ok, err := a.lastCheckpoint(ctx)
	if err != nil {
		return out, err
	}
	if ok {
		out, out.Build = last, version.Commit()
		hb.checkpoint(out)
	}
	s, err := a.segment(ctx, in, out.Model, hb)
	if err != nil {
		return out, err
	}
	for done := len(out.Points); done < in.Epochs; done++ {
		point, err := s.epoch(ctx, done, hb)
		if err != nil {
			return out, err
		}
		if out.Model.Bank, err = a.Store.PutJSON(ctx, s.bank); err != nil {
			return out, err
		}
		if out.Model.Student, err = a.Store.PutTrainer(ctx, s.trainer); err != nil {
			return out, err
		}
		out.Model.Trained = out.Model.Bank
		out.Points = append(out.Points, point)
		hb.checkpoint(out)
	}
	return out, nil
}

// segment is what the epochs of a segment work on.
type segment struct {
	in         workflows.TrainInput
	bank       *bank.Bank
	train, val []student.Dataset
	tauH       *tensor.Dense // float64 [M]: τ_h, which training changes
	trainer    *student.Trainer
}

// segment loads the data of a segment that goes on from a model.
func (a *Activities) segment(
	ctx context.Context, in workflows.TrainInput, m workflows.Model, hb *heartbeat,
) (*segment, error) {
	s := &segment{in: in}
	var err error
	if s.bank, err = a.Store.Bank(ctx, m.Bank); err != nil {
		return nil, err
	}
	if s.train, s.tauH, err = a.scoredSets(ctx, s.bank, in.Data.Train, hb); err != nil {
		return nil, err
	}
	if in.Train.CostWeight > 0 {
		if err := a.priceStates(ctx, in, s.train, hb); err != nil {
			return nil, err
		}
	}
	if m.Student.Hash == "" && !in.Config.FixedTauH {
		fitBank(s.bank, s.train[0], s.tauH)
	}
	if s.val, _, err = a.scoredSets(ctx, s.bank, in.Data.Val, hb); err != nil {
		return nil, err
	}
	if s.trainer, err = a.trainer(ctx, m, s.bank, in); err != nil {
		return nil, err
	}
	all, shards := slices.Concat(s.train, s.val), refs(slices.Concat(in.Data.Train, in.Data.Val))
	a.Store.Remember(ctx, s.trainer.Model.Config, all, shards)
	s.train, s.val = all[:len(s.train)], all[len(s.train):]
	if m.Student.Hash == "" && s.trainer.Model.Config.Router == student.Named {
		err = s.trainer.Model.Standardise(ctx, s.train[:1], s.tauH)
	}
	return s, err
}

// epoch trains for one more epoch after the first done ones, measures the student on the validation states, and writes
// the learned τ_h into the bank.
func (s *segment) epoch(ctx context.Context, done int, hb *heartbeat) (workflows.Point, error) {
	number := s.in.From + done + 1
	hb.step(fmt.Sprintf("epoch %d", number))
	epoch := s.in.From + done
	if s.in.Anneal {
		epoch = done // the cosine counts from the segment's start
		if s.in.Config.Routing == config.HardRouting {
			s.trainer.Config.Harden = s.in.Train.Harden * float64(done+1) / float64(s.in.Epochs)
		}
	}
	loss := 0.0 // without training
	var err error
	if !s.in.Train.Off {
		if loss, err = s.trainer.Epoch(ctx, s.train, s.tauH, epoch, hb.at); err != nil {
			return workflows.Point{}, student.ExplainDivergence(err, s.train, s.bank.TauH(), s.bank.Names())
		}
	}
	eval, err := student.Evaluate(ctx, s.trainer.Model, s.val, s.tauH)
	if err == nil {
		err = eval.Finite()
	}
	if err != nil {
		return workflows.Point{}, student.ExplainDivergence(err, s.val, s.bank.TauH(), s.bank.Names())
	}
	s.bank.SetTauH(s.tauH)
	return workflows.Point{
		Epoch: number, Pass: s.in.Pass, TrainLoss: loss,
		ValLoss: eval.Loss, Top1: eval.Top1, Coverage: eval.Coverage, Bank: len(s.bank.Heuristics),
	}, nil
}

// fitBank puts the programs of a new student's bank on the teacher's scale, in tauH, unless the bank says what τ_h they
// have.
func fitBank(b *bank.Bank, set student.Dataset, tauH *tensor.Dense) {
	tau := dense.Must[float64]("τ_h", tauH, len(b.Heuristics))
	for m, h := range b.Heuristics {
		if h.Unfitted {
			tau[m] = agreement.FitTauH(set.Shard, set.Scores[m], nil)
		}
	}
}

// priceStates gives each training state a weight that grows with the cost of a wrong step there.
func (a *Activities) priceStates(
	ctx context.Context, in workflows.TrainInput, sets []student.Dataset, hb *heartbeat,
) error {
	t, err := a.Store.Teacher(ctx, in.Teacher, in.Name)
	if err != nil {
		return err
	}
	hb.step("price of wrong steps")
	regrets := make([]*tensor.Dense, len(sets))
	for i, s := range in.Data.Train {
		key := "regret/" + a.Store.Kernels.ID() + "/" + in.Teacher.Hash + "/" + s.Object.Hash
		regrets[i], err = a.Store.Tensor(ctx, key, func() (*tensor.Dense, error) {
			return rollout.Regret(ctx, t, sets[i].Shard)
		})
		if err != nil {
			return err
		}
		hb.at(i+1, len(sets))
	}
	for i, weight := range rollout.Weights(regrets, in.Train.CostWeight) {
		sets[i].Weight = weight
	}
	return nil
}

// schedule returns the schedule of a segment.
func schedule(t config.Train) student.TrainConfig {
	return student.TrainConfig{
		LR: t.LR, BatchStates: t.BatchStates, GradClip: gradClip, WarmupSteps: warmupSteps, Schedule: student.Constant,
	}
}

// trainer returns the trainer of a model, or a fresh one, set to the segment's schedule and fit for the bank.
func (a *Activities) trainer(
	ctx context.Context, m workflows.Model, b *bank.Bank, in workflows.TrainInput,
) (*student.Trainer, error) {
	schedule := schedule(in.Train)
	if in.Anneal {
		schedule.Schedule, schedule.TotalEpochs = student.Cosine, in.Epochs
	}
	if m.Student.Hash == "" {
		model, err := a.newModel(ctx, in, b)
		if err != nil {
			return nil, err
		}
		return student.NewTrainer(model, schedule, in.Seed), nil
	}
	t, err := a.trainerFor(ctx, m, b)
	if err != nil {
		return nil, err
	}
	t.Config = schedule
	return t, nil
}

// newModel returns an untrained student: random, or with its teacher's encoder.
func (a *Activities) newModel(ctx context.Context, in workflows.TrainInput, b *bank.Bank) (*student.Model, error) {
	cfg := student.Configured(in.Config, b.Problem, b.View, len(b.Heuristics))
	if err := cfg.Validate(); err != nil {
		return nil, badInput(err)
	}
	if !in.Config.WarmStart {
		return student.New(cfg, in.Seed), nil
	}
	t, err := a.Store.Teacher(ctx, in.Teacher, in.Name)
	if err != nil {
		return nil, err
	}
	model, err := student.WarmStarted(cfg, t, in.Seed)
	if err != nil {
		return nil, badInput(fmt.Errorf("student.warm_start: %w", err))
	}
	return model, nil
}

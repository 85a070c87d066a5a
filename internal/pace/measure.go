package pace

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/scratch"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// paceInstances are how many instances are solved and trained on to measure a pace: more if the first took no time.
var paceInstances = [...]int{4, 48}

// shortEnough is how long the measurement of some instances may take if it is to be made with more.
const shortEnough = time.Second

// Measure solves, scores and trains on a few random instances of the run's size, and multiplies what that took.
// Edits, tours of the student and the language model come on top. For programs that the run is still to find it takes
// those of the starting bank.
func Measure(
	ctx context.Context, cfg config.Distill, in *input.Checked, tools *compile.Toolchain,
) (p Pace, err error) {
	b, err := typical(cfg, in)
	if err != nil {
		return p, fmt.Errorf("measure the pace: %w", err)
	}
	modules, err := runtime.AdmitAll(ctx, tools, b.Programs(), nil)
	if err != nil {
		return p, fmt.Errorf("measure the pace: %w", err)
	}
	defer runtime.CloseAll(modules)
	m := measurement{cfg: cfg, in: in, e: in.Estimate(cfg), bank: b, modules: modules}
	for _, n := range paceInstances {
		began := time.Now()
		if p, err = m.pace(ctx, n); err != nil {
			return p, fmt.Errorf("measure the pace: %w", err)
		}
		if time.Since(began) > shortEnough {
			break
		}
	}
	return p, nil
}

// typical returns the bank of a run; where it has no programs yet, the starting bank for its problem, if there is one.
func typical(cfg config.Distill, in *input.Checked) (*bank.Bank, error) {
	if len(in.Bank.Heuristics) > 0 {
		return in.Bank, nil
	}
	if b, err := bank.BuiltinFor(in.Bank.Setting, "local"); b != nil || err != nil {
		return b, err
	}
	return in.Bank, nil
}

// measurement is a run whose pace is measured, and what it is measured with.
type measurement struct {
	cfg     config.Distill
	in      *input.Checked
	e       config.Estimate
	bank    *bank.Bank
	modules []*runtime.Module // of the bank
	sh      *rollout.Shard    // some of the teacher's solutions
}

// pace measures with so many instances.
func (m *measurement) pace(ctx context.Context, instances int) (p Pace, err error) {
	if m.in.Rollouts != nil {
		m.sh = m.in.Rollouts.Slice(0, min(instances, m.in.Rollouts.Instances()))
	} else {
		insts := problems.Must(m.cfg.Problem).Generate(m.cfg.Nodes, instances, m.cfg.Seed)
		began := time.Now()
		deciding := m.in.Teacher.ViaDepot(m.in.Bank.ViaDepot())
		if m.sh, err = rollout.Record(ctx, deciding, insts, routing.SingleRun, nil); err != nil {
			return p, err
		}
		trajectories := m.e.Trajectories + m.cfg.Data.Val*max(m.cfg.Data.Starts, 1) + m.cfg.Data.Test
		p.Rollouts = time.Duration(float64(time.Since(began)) * float64(trajectories) / float64(instances))
	}
	if err := m.sgd(ctx, &p); err != nil {
		return p, err
	}
	err = m.programs(ctx, &p)
	return p, err
}

// sgd measures the epochs of the run, and of its sketch.
func (m *measurement) sgd(ctx context.Context, p *Pace) error {
	cfg, in, sh, e := m.cfg, m.in, m.sh, m.e
	M := max(1, in.Programs(cfg), cfg.Add.MaxBank)
	zero := dense.Vector(make([]float32, len(sh.Candidates)))
	sets := []student.Dataset{{Shard: sh, Scores: slices.Repeat([]*tensor.Dense{zero}, M)}}
	tauH := dense.Vector(slices.Repeat([]float64{1}, M))
	model := student.New(student.Configured(cfg.Student, in.Bank.Problem, in.Bank.View, M), cfg.Seed)
	t := student.NewTrainer(model, student.TrainConfig{LR: cfg.Train.LR, BatchStates: cfg.Train.BatchStates}, cfg.Seed)
	size := model.Config.MemoBytes(sh)
	sets[0].Memo = model.Config.NewMemo(sh, size)
	epoch := func() (state float64, err error) {
		began := time.Now()
		_, err = t.Epoch(ctx, sets, tauH, 0, nil)
		return m.perState(began), err
	}
	computed, err := epoch()
	if err != nil {
		return err
	}
	again := computed
	if size > 0 {
		p.Features = size * int64(e.TrainStates) / int64(max(1, sh.States()))
		p.Kept = min(p.Features, memory.WorkerFeatures())
		p.Scratch = os.Getenv(scratch.Variable)
		kept, err := epoch()
		if err != nil {
			return err
		}
		again = p.mean(kept, computed)
	}
	first := float64(e.TrainStates) * (computed - again) // what the first epoch takes longer
	p.SGD = time.Duration(again * float64(e.MaxStates))
	if cfg.Bank == config.SketchBank {
		candidates := len(sh.Candidates) * e.TrainStates / max(1, sh.States())
		epochs := sketch.Sized(cfg.SketchSize()).Epochs(candidates)
		p.Sketch = time.Duration(again*float64(epochs*e.TrainStates) + first)
	} else {
		p.SGD += time.Duration(first)
	}
	return nil
}

// programs measures the scoring of the programs, and the training of their weights.
func (m *measurement) programs(ctx context.Context, p *Pace) error {
	if len(m.modules) == 0 {
		return nil
	}
	set := student.Dataset{Shard: m.sh}
	began := time.Now()
	for _, module := range m.modules {
		scores, err := module.ScoreShard(ctx, m.sh)
		if err != nil {
			return err
		}
		set.Scores = append(set.Scores, scores)
	}
	score := m.perState(began)
	size := m.in.Programs(m.cfg)
	if m.cfg.Bank == config.EmptyBank {
		size = m.cfg.Add.MaxBank
	}
	part := float64(size) / float64(len(m.modules)) // of the run's programs, of those measured
	states := float64(m.e.TrainStates + m.e.ValStates)
	p.Scores = time.Duration(part * score * states)
	data, err := m.sh.Marshal()
	if err != nil {
		return err
	}
	times := 1 // that all scores are there
	if m.cfg.Weights != nil {
		times = 2
	}
	bytes := len(data) + times*4*size*len(m.sh.Candidates)
	p.Stored = int64(float64(bytes) / float64(max(1, m.sh.States())) * states)
	if w := m.cfg.Weights; w != nil {
		round, err := m.weights(ctx, set)
		if err != nil {
			return err
		}
		round *= part * float64(w.Rounds*min(w.States, m.e.TrainStates))
		p.Weights = time.Duration(m.cfg.Segments()+1) * (time.Duration(round) + p.Scores)
	}
	return nil
}

// weights measures one round of training of the programs' weights. set has their scores.
func (m *measurement) weights(ctx context.Context, set student.Dataset) (state float64, err error) {
	began := time.Now()
	programs := make([]tune.Program, len(m.modules))
	set.Jacobian = make([]*tensor.Dense, len(m.modules))
	for i, h := range m.bank.Heuristics {
		p := &programs[i]
		if *p, err = tune.Of(h); err != nil {
			return 0, err
		}
		if len(p.Weights) == 0 {
			continue
		}
		if _, set.Jacobian[i], err = m.modules[i].Jacobian(ctx, m.sh, p.At(), p.Steps()); err != nil {
			return 0, err
		}
	}
	c := student.Configured(m.cfg.Student, m.bank.Problem, m.bank.View, len(m.modules))
	set.Memo = c.NewMemo(m.sh, c.MemoBytes(m.sh))
	how := tune.Config{
		Epochs: m.cfg.Weights.Epochs, Batch: m.cfg.Train.BatchStates, LR: m.cfg.Train.LR, Rate: 1, Seed: m.cfg.Seed,
	}
	router := student.New(c, m.cfg.Seed)
	_, _, err = tune.Round(ctx, router, m.bank.TauH(), programs, []student.Dataset{set}, how, nil)
	return m.perState(began), err
}

// perState returns the nanoseconds since a time, for each state.
func (m *measurement) perState(began time.Time) float64 {
	return float64(time.Since(began)) / float64(max(1, m.sh.States()))
}

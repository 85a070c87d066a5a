package preflight

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/scratch"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/student"
)

// Pace is how long parts of a run would take on this machine with nothing else on it.
type Pace struct {
	Rollouts time.Duration // the teacher's solutions; 0 where they are given
	Sketch   time.Duration // the fit of the first programs; 0 where the bank is given
	SGD      time.Duration // all epochs that the run may take

	Features int64  // bytes of the named features of the training states; 0: the student reads none
	Kept     int64  // so many of them a worker on this machine keeps in memory
	Scratch  string // the folder in which it keeps the others; "": it computes them in every epoch
}

// paceInstances are how many instances are solved and trained on to measure a pace: more if the first took no time.
var paceInstances = [...]int{4, 48}

// shortEnough is how long the measurement of some instances may take if it is to be made with more.
const shortEnough = time.Second

// MeasurePace solves and trains on a few random instances of the run's size, and multiplies what that took. Weights,
// edits, tours of the student and the language model come on top.
func MeasurePace(ctx context.Context, cfg config.Distill, in *input.Checked) (p Pace, err error) {
	for _, n := range paceInstances {
		began := time.Now()
		if p, err = measurePace(ctx, cfg, in, n); err != nil {
			return p, fmt.Errorf("measure the pace: %w", err)
		}
		if time.Since(began) > shortEnough {
			break
		}
	}
	return p, nil
}

func measurePace(ctx context.Context, cfg config.Distill, in *input.Checked, instances int) (p Pace, err error) {
	e := in.Estimate(cfg)
	sh := in.Rollouts
	if sh != nil {
		sh = sh.Slice(0, min(instances, sh.Instances()))
	} else {
		insts := problems.Must(cfg.Problem).Generate(cfg.Nodes, instances, cfg.Seed)
		began := time.Now()
		if sh, err = rollout.Record(ctx, in.Teacher, insts, rollout.OwnStart, nil); err != nil {
			return p, err
		}
		trajectories := e.Trajectories + cfg.Data.Val*max(cfg.Data.Starts, 1) + cfg.Data.Test
		p.Rollouts = time.Duration(float64(time.Since(began)) * float64(trajectories) / float64(instances))
	}
	M := max(1, len(in.Bank.Heuristics), cfg.Add.MaxBank)
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
		return float64(time.Since(began)) / float64(sh.States()), err
	}
	computed, err := epoch()
	if err != nil {
		return p, err
	}
	again := computed
	if size > 0 {
		p.Features = size * int64(e.TrainStates) / int64(max(1, sh.States()))
		p.Kept = min(p.Features, features.Room(memory.ForCache()))
		p.Scratch = os.Getenv(scratch.Variable)
		kept, err := epoch()
		if err != nil {
			return p, err
		}
		again = p.mean(kept, computed)
	}
	first := float64(e.TrainStates) * (computed - again) // what the first epoch takes longer
	p.SGD = time.Duration(again * float64(e.MaxStates))
	if cfg.Bank == config.SketchBank {
		candidates := len(sh.Candidates) * e.TrainStates / max(1, sh.States())
		epochs := sketch.Sized(*cfg.Sketch).Epochs(candidates)
		p.Sketch = time.Duration(again*float64(epochs*e.TrainStates) + first)
	} else {
		p.SGD += time.Duration(first)
	}
	return p, nil
}

// mean returns what a state takes on average, of what it takes where its features are kept and where they are computed.
// It counts features in files as kept.
func (p Pace) mean(kept, computed float64) float64 {
	if p.Features == 0 || p.Scratch != "" {
		return kept
	}
	share := float64(p.Kept) / float64(p.Features)
	return share*kept + (1-share)*computed
}

// String says how long the parts take, in minutes.
func (p Pace) String() string {
	var parts []string
	for _, part := range []struct {
		name string
		took time.Duration
	}{{"the teacher's solutions", p.Rollouts}, {"the sketch", p.Sketch}, {"SGD at most", p.SGD}} {
		if part.took > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", part.name, minutes(part.took)))
		}
	}
	of := ""
	if len(parts) > 0 {
		of = ": " + strings.Join(parts, ", ")
	}
	where, about := "", "about"
	if p.Kept < p.Features {
		const gib = 1 << 30
		where = fmt.Sprintf(". Of %.1f GiB of named features a worker keeps %.1f in memory, and ",
			float64(p.Features)/gib, float64(p.Kept)/gib)
		if p.Scratch == "" {
			where += "computes the others in every epoch; with " + scratch.Variable +
				"=FOLDER it keeps them in files there"
		} else {
			where += "the others in files of " + p.Scratch + "; to read these from its disk is not counted"
			about = "at least"
		}
	}
	return fmt.Sprintf("%s %s on this machine, as it is loaded now%s; weights, edits, the final table and the LLM "+
		"come on top%s", about, minutes(p.Rollouts+p.Sketch+p.SGD), of, where)
}

// minutes rounds a duration as people say it.
func minutes(d time.Duration) string {
	switch m := d.Minutes(); {
	case m < 1.5:
		return "1 minute"
	case m < 90:
		return fmt.Sprintf("%.0f minutes", m)
	default:
		return fmt.Sprintf("%.1f hours", m/60)
	}
}

package input

import (
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// readTeacher reads the teacher's file: a checkpoint, or the rollouts of a policy without a checkpoint.
func (c *Checked) readTeacher(cfg config.Distill, file teacher.File) error {
	var err error
	if rollout.Sniff(c.Checkpoint) {
		if c.Rollouts, err = rollout.Import(c.Checkpoint); err == nil {
			err = checkRollouts(cfg, c.Rollouts)
		}
		if err != nil {
			return fmt.Errorf("teacher %s: %w", cfg.Teacher, err)
		}
	} else if c.Teacher, c.TeacherArgs, err = file.Teacher(c.TeacherFile); err != nil {
		return err
	}
	problem := c.Teacher.Info().Problem
	if c.Rollouts != nil {
		problem = c.Rollouts.Problem
	}
	if problem != cfg.Problem {
		return fmt.Errorf("teacher %s solves %s, the config's problem is %s: want problem: %s",
			cfg.Teacher, problem, cfg.Problem, problem)
	}
	if info := c.Teacher.Info(); c.Rollouts == nil && cfg.Student.WarmStart &&
		(cfg.Student.Dim != info.Dim || cfg.Student.FF != info.FF || cfg.Student.Heads != info.Heads ||
			cfg.Student.Layers > info.Layers) {
		return fmt.Errorf("student.warm_start: the student has dim %d, ff %d, heads %d and %d layers, teacher %s has "+
			"dim %d, ff %d, heads %d and %d layers",
			cfg.Student.Dim, cfg.Student.FF, cfg.Student.Heads, cfg.Student.Layers,
			cfg.Teacher, info.Dim, info.FF, info.Heads, info.Layers)
	}
	return nil
}

// TeacherName returns the name of the policy to distil.
func (c *Checked) TeacherName() string {
	if c.Rollouts != nil {
		return c.Rollouts.Teacher
	}
	return c.Teacher.Name()
}

// Programs returns how many programs the run's first training has: those of the sketch that it begins with, or of its
// bank.
func (c *Checked) Programs(cfg config.Distill) int {
	if cfg.Bank == config.SketchBank {
		return cfg.SketchSize().Programs
	}
	return len(c.Bank.Heuristics)
}

// Estimate works out the size of the run. It counts the states of rollouts, and estimates the states that a teacher
// has still to label.
func (c *Checked) Estimate(cfg config.Distill) config.Estimate {
	if c.Rollouts == nil {
		return cfg.Estimate()
	}
	train := c.Rollouts.Slice(0, cfg.Data.Train)
	val := c.Rollouts.Slice(cfg.Data.Train, cfg.Data.Train+cfg.Data.Val)
	return cfg.EstimateOn(train.Trajectories(), train.States(), val.States())
}

// checkView reports why the bank's view does not suit the teacher. A program may see less than the teacher, but not
// more.
func (c *Checked) checkView(cfg config.Distill) error {
	view, err := c.view()
	switch {
	case err != nil:
		return fmt.Errorf("teacher %s: %w", cfg.Teacher, err)
	case c.Bank.View == view:
		return nil
	case !view.Shows(c.Bank.View):
		return fmt.Errorf("bank %s is for the %s view, teacher %s sees the %s view only: its programs would see more. "+
			"epb bank list says which banks are for that view", cfg.Bank, c.Bank.View, cfg.Teacher, view)
	case c.Rollouts != nil && c.Bank.ViaDepot():
		return fmt.Errorf("bank %s decides on the next customer and the way there at once, the rollouts %s on one "+
			"after the other, and nobody can be asked: want rollouts with probs [R,T,2N]", cfg.Bank, cfg.Teacher)
	case cfg.Student.WarmStart:
		return fmt.Errorf("student.warm_start: bank %s is for the %s view and so is its student, teacher %s has an "+
			"encoder of the %s view", cfg.Bank, c.Bank.View, cfg.Teacher, view)
	}
	return nil
}

// view returns what the teacher sees of a state. A bank that begins empty has the same view.
func (c *Checked) view() (routing.View, error) {
	if c.Rollouts == nil {
		return c.Teacher.Info().View, nil
	}
	of, err := sdk.Deciding(c.Rollouts.Problem, c.Rollouts.ViaDepot)
	return of.View, err
}

// checkRollouts reports why rollouts are not enough for a config. No teacher can produce more of them.
func checkRollouts(cfg config.Distill, sh *rollout.Shard) error {
	p, err := problems.Of(sh.Problem)
	if err != nil {
		return err
	}
	nodes := sh.N - p.Traits().Depots()
	switch want := cfg.Data.Train + cfg.Data.Val + cfg.Data.Test; {
	case nodes != cfg.Nodes:
		return fmt.Errorf("the rollouts are on %d nodes, the config's nodes is %d", nodes, cfg.Nodes)
	case sh.Instances() < want:
		return fmt.Errorf("the rollouts hold %d instances, data.train, data.val and data.test ask for %d",
			sh.Instances(), want)
	case cfg.Data.Starts > 1:
		return fmt.Errorf("data.starts is %d, but the rollouts begin where they were recorded to: leave it out",
			cfg.Data.Starts)
	case cfg.Data.TestSeed != 0:
		return fmt.Errorf("data.test_seed is %d, but the test instances are the last of the rollouts: leave it out",
			cfg.Data.TestSeed)
	case cfg.Data.Dagger > 0 || cfg.Train.CostWeight > 0 || cfg.Student.WarmStart:
		return errors.New("data.dagger, train.cost_weight and student.warm_start ask the teacher for more than its " +
			"rollouts tell: leave them out")
	}
	return nil
}

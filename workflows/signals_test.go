package workflows_test

import (
	"context"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/workflows"
)

// status queries the status of a distillation.
func status(t *testing.T, env *testsuite.TestWorkflowEnvironment) workflows.Status {
	t.Helper()
	value, err := env.QueryWorkflow(workflows.QueryStatus)
	if err != nil {
		t.Error(err)
		return workflows.Status{}
	}
	var s workflows.Status
	if err := value.Get(&s); err != nil {
		t.Error(err)
	}
	return s
}

// Signals that come together, for example while no worker runs, are applied in their order: the last one counts.
// Executions that began before signals were ordered keep the old order.
func TestSignalsInTheirOrder(t *testing.T) {
	const pause, resume, stop = workflows.SignalPause, workflows.SignalResume, workflows.SignalStop
	for name, tt := range map[string]struct {
		signals      []string
		before       bool // the execution began before signals were ordered
		paused, told bool // told to stop
	}{
		"resume, pause":              {signals: []string{resume, pause}, paused: true},
		"pause, resume":              {signals: []string{pause, resume}},
		"pause, resume, pause":       {signals: []string{pause, resume, pause}, paused: true},
		"pause, stop":                {signals: []string{pause, stop}, told: true},
		"resume, pause as before":    {signals: []string{resume, pause}, before: true},
		"pause, pause, as before":    {signals: []string{pause, pause}, before: true, paused: true},
		"stop, pause, stop, as ever": {signals: []string{stop, pause, stop}, before: true, told: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fakes{loss: 1}
			env := w.environment(t)
			if tt.before {
				env.OnGetVersion("distill", workflow.DefaultVersion, workflow.Version(10)).
					Return(workflow.DefaultVersion)
			}
			env.RegisterDelayedCallback(func() {
				last := len(tt.signals) - 1
				for _, s := range tt.signals[:last] {
					env.SignalWorkflowSkippingWorkflowTask(s, nil)
				}
				env.SignalWorkflow(tt.signals[last], nil)
			}, 0)
			asked := false
			env.RegisterDelayedCallback(func() {
				asked = true
				s := status(t, env)
				if s.Paused != tt.paused || s.Stop != tt.told {
					t.Errorf("paused %v, stop %v, want %v, %v", s.Paused, s.Stop, tt.paused, tt.told)
				}
				if tt.told && !tt.before && len(w.trained) > 0 {
					t.Errorf("trained %v, told to stop while it was paused", w.trained)
				}
				if tt.paused && len(w.trained) > 0 {
					t.Errorf("trained %v, told last to pause", w.trained)
				}
				env.SignalWorkflow(resume, nil)
			}, time.Hour)
			env.ExecuteWorkflow(workflows.Distill, plan(), nil)
			result(t, env)
			if tt.paused && !asked {
				t.Error("it did not wait")
			}
			if !tt.told && len(w.trained) == 0 {
				t.Error("nothing was trained")
			}
		})
	}
}

// A run that is told to stop before its rollouts, or during them, makes no rollouts, or no bank, any more: it ends
// without a student.
func TestStopBeforeTheBank(t *testing.T) {
	for during, next := range map[string]string{
		workflows.Prepare.Name(): workflows.RolloutShard.Name(), workflows.RolloutShard.Name(): workflows.Sketch.Name(),
	} {
		t.Run(next, func(t *testing.T) {
			w := &fakes{loss: 1, empty: true}
			env := w.environment(t)
			stopped := false
			env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
				switch info.ActivityType.Name {
				case during:
					if !stopped {
						stopped = true
						env.SignalWorkflow(workflows.SignalStop, nil)
					}
				case next, workflows.Train.Name(), workflows.Evaluate.Name():
					t.Errorf("%s began, told to stop during %s", info.ActivityType.Name, during)
				}
			})
			cfg := lastPass()
			cfg.Bank = config.SketchBank
			env.ExecuteWorkflow(workflows.Distill, cfg, nil)
			if r := result(t, env); r.Ended != "stopped before training" || !stopped {
				t.Errorf("it ended: %s", r.Ended)
			}
		})
	}
}

// A stop during the rollouts does not wait for their end. A cancellation there is the end of the run.
func TestStopBreaksRolloutsOff(t *testing.T) {
	for _, cancel := range []bool{false, true} {
		w := &fakes{loss: 1}
		env := w.environment(t)
		env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
			switch info.ActivityType.Name {
			case workflows.RolloutShard.Name():
				env.SignalWorkflow(workflows.SignalStop, nil)
				if cancel {
					env.CancelWorkflow()
				}
			case workflows.Score.Name(), workflows.Train.Name():
				t.Errorf("%s began, told to stop during the rollouts", info.ActivityType.Name)
			}
		})
		env.ExecuteWorkflow(workflows.Distill, lastPass(), nil)
		if cancel {
			if err := env.GetWorkflowError(); !temporal.IsCanceledError(err) {
				t.Errorf("cancelled, it ended with %v", err)
			}
			continue
		}
		if r := result(t, env); r.Ended != "stopped before training" {
			t.Errorf("it ended: %s", r.Ended)
		}
	}
}

// A pause that comes during a step holds the step that follows: rollouts, evaluation and report, too.
func TestPauseHoldsTheNextStep(t *testing.T) {
	for during, next := range map[string]string{
		workflows.Prepare.Name(): workflows.RolloutShard.Name(), workflows.Train.Name(): workflows.Evaluate.Name(),
		workflows.Evaluate.Name(): workflows.Report.Name(), workflows.Weights.Name(): workflows.Outdated.Name(),
	} {
		t.Run(next, func(t *testing.T) {
			w := &fakes{loss: 1}
			env := w.environment(t)
			resumed, asked := false, false
			started := func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
				var training workflows.TrainInput
				switch info.ActivityType.Name {
				case during:
					if during == workflows.Train.Name() && (args.Get(&training) != nil || !training.Anneal) || asked {
						return
					}
					asked = true
					env.SignalWorkflow(workflows.SignalPause, nil)
					env.RegisterDelayedCallback(func() {
						if s := status(t, env); s.Stage != workflows.StagePaused {
							t.Errorf("an hour after the pause it is at %s", s.Stage)
						}
						resumed = true
						env.SignalWorkflow(workflows.SignalResume, nil)
					}, time.Hour)
				case next:
					if asked && !resumed {
						t.Errorf("%s began in the pause", next)
					}
				}
			}
			env.SetOnActivityStartedListener(started)
			cfg := lastPass()
			cfg.Weights = &config.Weights{States: 1, Rounds: 1, Epochs: 1}
			env.ExecuteWorkflow(workflows.Distill, cfg, nil)
			result(t, env)
			if !asked || !resumed {
				t.Errorf("paused %v, resumed %v", asked, resumed)
			}
		})
	}
}

// lastPass is a plan of one pass, so that one execution comes to the end.
func lastPass() config.Distill {
	c := plan()
	c.Limits.Passes = 1
	return c
}

// A worker whose interceptors do not keep the order of signals cannot begin a run.
func TestDistillWantsItsInterceptors(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	workflows.Register(env)
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	if err := env.GetWorkflowError(); err == nil {
		t.Error("it ran")
	}
}

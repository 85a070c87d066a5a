package workflows_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// An empty bank gets its first programs by Add before any training. If Add finds none, the run fails.
func TestEmptyBank(t *testing.T) {
	for admits, want := range []string{"the bank is still empty", ""} {
		w := &fakes{empty: true, loss: 1, admits: admits}
		env := w.environment(t)
		env.ExecuteWorkflow(workflows.NameDistill, plan(), nil)
		err := env.GetWorkflowError()
		if want == "" && (err != nil && !workflow.IsContinueAsNewError(err) || len(w.trained) == 0) {
			t.Errorf("with an admission: %v, trained %v", err, w.trained)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want) || len(w.trained) > 0) {
			t.Errorf("without an admission: %v, trained %v", err, w.trained)
		}
	}
}

func TestDistillEndsWhenBlockIIChangesNothing(t *testing.T) {
	w := &fakes{loss: 1}
	env := w.environment(t)
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	r := result(t, env)
	if r.Ended != "bank unchanged by Add and Drop" {
		t.Errorf("ended: %s", r.Ended)
	}
	if got := strings.Join(w.trained, ", "); got != "0+2, 2+2, 4+1 anneal" {
		t.Errorf("trained %s", got)
	}
	if w.dropCalls != 1 {
		t.Errorf("%d calls of Drop", w.dropCalls)
	}
}

// If a pass changed the bank, another follows in a fresh execution, which starts with the whole state of the first.
func TestDistillContinuesAsNewAfterAChange(t *testing.T) {
	w := &fakes{loss: 1, admits: 1, standIn: workflows.Propose.Name()}
	env := w.environment(t)
	cfg := plan()
	cfg.Data.Dagger = cfg.Data.Shard
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	var next *workflow.ContinueAsNewError
	if err := env.GetWorkflowError(); !errors.As(err, &next) {
		t.Fatalf("error %v, want continue-as-new", err)
	}
	var carried config.Distill
	var state *workflows.State
	if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &carried, &state); err != nil {
		t.Fatal(err)
	}
	if state.Pass != 1 || state.Epoch != 4 || state.Model.Size != 4 || len(state.Points) != 4 || !state.Model.StandIn {
		t.Errorf("state %+v", state)
	}

	env = w.environment(t)
	env.ExecuteWorkflow(workflows.Distill, carried, state)
	r := result(t, env)
	if r.Model.Size != 4 {
		t.Errorf("bank of %d, want 4", r.Model.Size)
	}
	if got := strings.Join(w.trained, ", "); got != "0+2, 2+2, 4+2, 6+2, 8+1 anneal" {
		t.Errorf("trained %s", got)
	}
	if want := []int{0, 0, 1, 1, 1}; !slices.Equal(w.passes, want) {
		t.Errorf("segments of the passes %v, want %v: annealing is a part of the last pass", w.passes, want)
	}
	if !slices.Equal(w.daggers, []string{"train"}) {
		t.Errorf("student rollouts of shards %q, want of the first, in the second pass", w.daggers)
	}
}

// A program that Add admitted is young in the Drop that follows, and no more in the next one.
func TestDropLeavesTheAdmittedAlone(t *testing.T) {
	w := &fakes{admits: 1}
	env := w.environment(t)
	cfg := plan()
	var drops [][]string
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
		var in workflows.DropInput
		if info.ActivityType.Name == workflows.Drop.Name() && args.Get(&in) == nil {
			drops = append(drops, in.Young)
		}
	})
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	var next *workflow.ContinueAsNewError
	if err := env.GetWorkflowError(); !errors.As(err, &next) {
		t.Fatalf("error %v, want continue-as-new", err)
	}
	var state *workflows.State
	if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &cfg, &state); err != nil {
		t.Fatal(err)
	}
	env = w.environment(t)
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
		var in workflows.DropInput
		if info.ActivityType.Name == workflows.Drop.Name() && args.Get(&in) == nil {
			drops = append(drops, in.Young)
		}
	})
	env.ExecuteWorkflow(workflows.Distill, cfg, state)
	result(t, env)
	if want := [][]string{{"new"}, nil}; !reflect.DeepEqual(drops, want) {
		t.Errorf("young in each Drop: %q, want %q", drops, want)
	}
}

// What the last round and the last Add changed has its weights trained and its twins merged before the annealing. A
// bank that has not changed since is left as it is. Executions that began before this was so go on as they began.
func TestWeightsOfTheLastPassAreTrained(t *testing.T) {
	for name, tt := range map[string]struct {
		w       fakes
		version workflow.Version // of the execution; 0: the newest
		want    string
	}{
		"Add": {w: fakes{admits: 1}, want: "0+2; weights of 3, revision 0; 2+2; weights of 3, revision 0; " +
			"weights of 4, revision 1; twins merged; 4+1 anneal"},
		"an edit": {w: fakes{gain: 0.1}, want: "0+2; weights of 3, revision 0; 2+2; weights of 3, revision 2; " +
			"weights of 3, revision 4; twins merged; 4+1 anneal"},
		"nothing": {want: "0+2; weights of 3, revision 0; 2+2; weights of 3, revision 0; 4+1 anneal"},
		"before merging": {w: fakes{admits: 1}, version: 3, want: "0+2; weights of 3, revision 0; 2+2; " +
			"weights of 3, revision 0; weights of 4, revision 1; 4+1 anneal"},
		"before training": {w: fakes{admits: 1}, version: 2,
			want: "0+2; weights of 3, revision 0; 2+2; weights of 3, revision 0; 4+1 anneal"},
	} {
		w := &tt.w
		w.loss = 1
		env := w.environment(t)
		if tt.version > 0 {
			env.OnGetVersion("distill", workflow.DefaultVersion, workflow.Version(10)).Return(tt.version)
		}
		cfg := plan()
		cfg.Limits.Passes = 1
		cfg.Weights = &config.Weights{States: 1, Rounds: 1, Epochs: 1}
		env.ExecuteWorkflow(workflows.Distill, cfg, nil)
		if r := result(t, env); r.Model.Bank != ref("weighed") {
			t.Errorf("%s: the result has the bank %v", name, r.Model.Bank)
		}
		if got := strings.Join(w.trained, "; "); got != tt.want {
			t.Errorf("%s: trained %s, want %s", name, got, tt.want)
		}
	}
}

// Programs that have lost a term are described anew before each round and before the annealing. One that gets no new
// description keeps its own. Without textual steps, and in executions that began before this was so, nobody is asked.
func TestProgramsThatLostATermAreDescribedAnew(t *testing.T) {
	anew := "after weights of 3, revision 0: a anew"
	always := []string{anew, anew, anew} // two rounds and the annealing
	for name, tt := range map[string]struct {
		outdated []string
		version  workflow.Version // of the execution; 0: the newest
		llmDown  int
		off      bool
		want     []string
	}{
		"one answers":    {outdated: []string{"a", "mute"}, want: always},
		"none outdated":  {},
		"none answers":   {outdated: []string{"mute"}},
		"no LLM at once": {outdated: []string{"a"}, llmDown: 1, want: always[1:]},
		"no text steps":  {outdated: []string{"a"}, off: true},
		"before it":      {outdated: []string{"a"}, version: 4},
	} {
		w := &fakes{loss: 1, outdated: tt.outdated, llmDown: tt.llmDown}
		env := w.environment(t)
		if tt.version > 0 {
			env.OnGetVersion("distill", workflow.DefaultVersion, workflow.Version(10)).Return(tt.version)
		}
		cfg := plan()
		cfg.Limits.Passes = 1
		cfg.TextGrad.Off = tt.off
		cfg.Weights = &config.Weights{States: 1, Rounds: 1, Epochs: 1}
		env.ExecuteWorkflow(workflows.NameDistill, cfg, nil)
		result(t, env)
		if !slices.Equal(w.described, tt.want) {
			t.Errorf("%s: %q, want %q", name, w.described, tt.want)
		}
	}
}

// A run that is told to stop while it is paused asks the LLM for no description any more.
func TestNobodyDescribesAfterAStop(t *testing.T) {
	w := &fakes{loss: 1, outdated: []string{"a"}}
	env := w.environment(t)
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
		if info.ActivityType.Name == workflows.Outdated.Name() {
			env.SignalWorkflow(workflows.SignalPause, nil)
		}
	})
	env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.SignalStop, nil) }, time.Hour)
	cfg := plan()
	cfg.Limits.Passes = 1
	cfg.Weights = &config.Weights{States: 1, Rounds: 1, Epochs: 1}
	env.ExecuteWorkflow(workflows.NameDistill, cfg, nil)
	if r := result(t, env); r.Ended != "stopped on request" || len(w.described) != 0 {
		t.Errorf("ended: %s; described: %q", r.Ended, w.described)
	}
}

// A question of another pass is told apart: each pass numbers the run's activities anew.
func TestDescribingTellsThePass(t *testing.T) {
	w := &fakes{loss: 1, outdated: []string{"a"}}
	env := w.environment(t)
	var passes []int
	override(env, workflows.Describe, func(in workflows.DescribeInput) (workflows.Candidate, error) {
		if in.Failures.Hash == "" {
			passes = append(passes, in.Pass)
		}
		return workflows.Candidate{Heuristic: in.Heuristic}, nil
	})
	cfg := plan()
	cfg.Limits.Passes = 1
	cfg.Weights = &config.Weights{States: 1, Rounds: 1, Epochs: 1}
	env.ExecuteWorkflow(workflows.NameDistill, cfg, nil)
	result(t, env)
	if !slices.Equal(passes, []int{0, 0, 1}) { // two rounds and the annealing, after the pass
		t.Errorf("passes %d", passes)
	}
}

func TestBlockIEndsOnAPlateau(t *testing.T) {
	w := &fakes{loss: 1e-6} // falls by less than plateau_delta from the start
	env := w.environment(t)
	cfg := plan()
	cfg.Train.PassSegments = 9
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	result(t, env)
	if got := strings.Join(w.trained, ", "); got != "0+2, 2+2, 4+1 anneal" {
		t.Errorf("trained %s", got)
	}
}

// If SGD does not lower the loss but the round after it does, that is no plateau: training goes on with the new
// programs.
func TestBlockIGoesOnAfterACommit(t *testing.T) {
	w := &fakes{loss: 1e-6, gain: 0.1}
	env := w.environment(t)
	cfg := plan()
	cfg.Train.PassSegments, cfg.Limits.Passes = 4, 1
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	r := result(t, env)
	if got := strings.Join(w.trained, ", "); got != "0+2, 2+2, 4+2, 6+2, 8+1 anneal" || r.Ended != "limit of one pass" {
		t.Errorf("trained %s, ended: %s", got, r.Ended)
	}
}

// Programs that fault on new states leave the bank, one after the other, and the run goes on. Without a bank it fails.
func TestDistillOutlivesItsPrograms(t *testing.T) {
	fault := func(name string) error {
		return temporal.NewNonRetryableApplicationError("trap", workflows.ErrCrash, nil, name, "state 3: trap")
	}
	for name, tt := range map[string]struct {
		activity string
		faults   []string
		failed   bool
	}{
		"none":                   {activity: workflows.Evaluate.Name()},
		"in the evaluation":      {activity: workflows.Evaluate.Name(), faults: []string{"b", "a"}},
		"all":                    {activity: workflows.Evaluate.Name(), faults: []string{"b", "a", "c"}, failed: true},
		"in training":            {activity: workflows.Train.Name(), faults: []string{"a"}},
		"on the student's tours": {activity: workflows.Dagger.Name(), faults: []string{"c"}},
	} {
		w := &fakes{loss: 1}
		env := w.environment(t)
		faults := tt.faults
		fails := func() error {
			if len(faults) == 0 {
				return nil
			}
			err := fault(faults[0])
			faults = faults[1:]
			return err
		}
		switch tt.activity {
		case workflows.Evaluate.Name():
			override(env, workflows.Evaluate, func(workflows.EvaluateInput) (store.Ref, error) {
				return ref("data"), fails()
			})
		case workflows.Train.Name():
			override(env, workflows.Train, func(in workflows.TrainInput) (workflows.TrainOutput, error) {
				in.Model.Student = ref("student")
				return workflows.TrainOutput{Model: in.Model, Points: make([]workflows.Point, in.Epochs)}, fails()
			})
		case workflows.Dagger.Name():
			override(env, workflows.Dagger, func(workflows.DaggerInput) (workflows.Shard, error) {
				return workflows.Shard{Object: ref("dagger")}, fails()
			})
		}
		cfg := plan()
		cfg.Limits.Passes = 2
		cfg.Data.Dagger = 1
		state := &workflows.State{Moment: workflows.Moment{Pass: 1, Epoch: 4}, ModelAndData: trained()}
		state.Data.Train = []workflows.Shard{{Object: ref("train")}}
		env.ExecuteWorkflow(workflows.Distill, cfg, state)
		if err := env.GetWorkflowError(); (err != nil) != tt.failed {
			t.Errorf("%s: %v", name, err)
		}
		var want []string
		for _, f := range tt.faults[:min(len(tt.faults), 3)] {
			want = append(want, f+": state 3: trap")
		}
		if tt.failed {
			want = want[:len(want)-1] // of a last program
		}
		if !slices.Equal(w.expelled, want) {
			t.Errorf("%s: taken out %q, want %q", name, w.expelled, want)
		}
	}
}

// If the stand-in answers any question, the result says so, even if a model wrote the programs themselves.
func TestStandInLeavesAMark(t *testing.T) {
	for _, add := range []bool{false, true} {
		asked := []string{
			workflows.Backward.Name(), workflows.Step.Name(), workflows.Describe.Name(), workflows.Rewrite.Name(),
		}
		if add {
			asked = []string{workflows.Propose.Name(), workflows.Backward.Name(), workflows.Step.Name()}
		}
		for _, role := range append(asked, "nobody") {
			w := &fakes{loss: 1, gain: 0.1, failures: 1, standIn: role}
			if role == workflows.Rewrite.Name() {
				w.gain = 0
			}
			env := w.environment(t)
			cfg := plan()
			cfg.TextGrad.Off, cfg.Add.Off, cfg.Limits.Passes = add, !add, 1
			env.ExecuteWorkflow(workflows.Distill, cfg, nil)
			if r := result(t, env); r.Model.StandIn != (role != "nobody") {
				t.Errorf("the stand-in answers %s (add %v): the result's mark is %v", role, add, r.Model.StandIn)
			}
		}
	}
}

func TestSignals(t *testing.T) {
	for name, tt := range map[string]struct {
		during  string // the activity
		empty   bool
		anneal  int
		ended   string
		trained string
	}{
		"stop before training": {
			during: workflows.RolloutShard.Name(), ended: "stopped before training", anneal: 1},
		"stop before training, no annealing": {
			during: workflows.RolloutShard.Name(), ended: "stopped before training"},
		"stop in training": {
			during: workflows.Train.Name(), ended: "stopped on request", anneal: 1, trained: "0+2, 2+1 anneal"},
		"stop before an empty bank asks": {
			during: workflows.RolloutShard.Name(), ended: "stopped before training", anneal: 1, empty: true},
		"stop while an empty bank waits for an LLM": {
			during: workflows.Propose.Name(), ended: "stopped before training", anneal: 1, empty: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fakes{loss: 1, admits: 99, empty: tt.empty}
			if tt.empty {
				w.llmDown = 99
			}
			env := w.environment(t)
			env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
				if info.ActivityType.Name == tt.during {
					env.SignalWorkflow(workflows.SignalStop, nil)
				}
			})
			cfg := plan()
			cfg.Train.AnnealEpochs = tt.anneal
			env.ExecuteWorkflow(workflows.Distill, cfg, nil)
			if r := result(t, env); r.Ended != tt.ended {
				t.Errorf("ended: %s, want %s", r.Ended, tt.ended)
			}
			if got := strings.Join(w.trained, ", "); got != tt.trained {
				t.Errorf("trained %q, want %q", got, tt.trained)
			}
			if tt.during == workflows.RolloutShard.Name() && tt.empty && w.llmDown != 99 {
				t.Error("the LLM was asked after the stop")
			}
			if w.dropCalls != 0 {
				t.Error("Drop ran after the stop")
			}
		})
	}
	t.Run("pause and resume", func(t *testing.T) {
		w := &fakes{loss: 1}
		env := w.environment(t)
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.SignalPause, nil) }, 0)
		env.RegisterDelayedCallback(func() {
			if len(w.trained) != 0 {
				t.Errorf("trained %v while paused", w.trained)
			}
			env.SignalWorkflow(workflows.SignalResume, nil)
		}, time.Hour)
		env.ExecuteWorkflow(workflows.Distill, plan(), nil)
		result(t, env)
	})
}

// A config that Prepare refuses ends the run, with the reason.
func TestBadConfigIsRefused(t *testing.T) {
	w := &fakes{}
	env := w.environment(t)
	override(env, workflows.Prepare, func(workflows.PrepareInput) (workflows.Prepared, error) {
		return workflows.Prepared{}, temporal.NewNonRetryableApplicationError("nodes is 2", workflows.ErrBadInput, nil)
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	var app *temporal.ApplicationError
	err := env.GetWorkflowError()
	if !errors.As(err, &app) || app.Type() != workflows.ErrBadInput || !strings.Contains(app.Message(), "nodes is 2") {
		t.Errorf("error %v, want one of type %s that names nodes", err, workflows.ErrBadInput)
	}
}

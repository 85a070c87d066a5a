package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// fakes stands for the activities: a bank that can still grow, a loss that falls by half each epoch.
type fakes struct {
	empty      bool     // the starting bank holds nothing
	admits     int      // how many calls of Admit still let one candidate in
	llmDown    int      // how many LLM activities still find the LLM unavailable
	mute       bool     // no gradient can be read
	loss       float64  // validation loss
	gain       float64  // what a judged candidate takes off the loss
	trained    []string // "from+epochs", "anneal" appended
	asked      int
	dropCalls  int
	expelled   []string // "name: reason"
	daggers    int
	failures   int    // of each of Add's candidates
	standIn    string // the activity that the stand-in answers
	rewrites   int
	rejections [][]workflows.Rejection // as Step saw them
	momentum   map[string][]store.Ref  // as Step saw it, by heuristic
}

func ref(name string) store.Ref { return store.Ref{Hash: name, Size: 1} }

func (w *fakes) llm() error {
	if w.llmDown > 0 {
		w.llmDown--
		return temporal.NewNonRetryableApplicationError("401", workflows.ErrLLMUnavailable, nil)
	}
	w.asked++
	return nil
}

// environment returns a test environment in which the activities are w's.
func (w *fakes) environment(t *testing.T) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(5 * time.Minute) // a busy machine is no failure
	env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: 5 * time.Minute, Interceptors: workflows.Interceptors()})
	workflows.Register(env)
	register := func(name string, fn any) {
		env.RegisterActivityWithOptions(fn, activity.RegisterOptions{Name: name})
	}
	one := func(activity string) workflows.Spend {
		return workflows.Spend{Calls: 1, Input: 10, Output: 5, StandIn: w.standIn == activity}
	}
	register(workflows.Prepare.Name(), func(in workflows.PrepareInput) (workflows.Prepared, error) {
		size := 3
		if w.empty {
			size = 0
		}
		return workflows.Prepared{
			Model: workflows.Model{Bank: ref("bank"), Size: size},
			Plan:  []workflows.RolloutTask{{Split: "train"}, {Split: "train"}, {Split: "val"}},
		}, nil
	})
	register(workflows.RolloutShard.Name(), func(in workflows.RolloutTask) (workflows.Shard, error) {
		return workflows.Shard{Object: ref(string(in.Split)), States: 10}, nil
	})
	register(workflows.Dagger.Name(), func(workflows.DaggerInput) (workflows.Shard, error) {
		w.daggers++
		return workflows.Shard{Object: ref("dagger")}, nil
	})
	register(workflows.Score.Name(), func(workflows.ScoreInput) error { return nil })
	register(workflows.Train.Name(), func(in workflows.TrainInput) (workflows.TrainOutput, error) {
		what := fmt.Sprintf("%d+%d", in.From, in.Epochs)
		if in.Anneal {
			what += " anneal"
		}
		if in.Model.Size == 0 {
			return workflows.TrainOutput{}, errors.New("an empty bank cannot be trained")
		}
		w.trained = append(w.trained, what)
		out := workflows.TrainOutput{Model: in.Model}
		out.Model.Student = ref("student")
		for e := range in.Epochs {
			w.loss /= 2
			out.Points = append(out.Points, workflows.Point{Epoch: in.From + e + 1, ValLoss: w.loss})
		}
		return out, nil
	})
	register(workflows.Attribute.Name(), func(workflows.AttributeInput) (workflows.Attribution, error) {
		return workflows.Attribution{
			Dispatch: []workflows.Dispatch{{Index: 0, Name: "a", Heuristic: ref("a"), Failures: 2}, {Index: 1, Name: "b", Heuristic: ref("b"), Failures: 1}},
			Blame:    []workflows.Blame{{Heuristic: "a"}, {Heuristic: "b"}, {Heuristic: "c"}},
		}, nil
	})
	register(workflows.Backward.Name(), func(workflows.BackwardInput) (workflows.Gradient, error) {
		return workflows.Gradient{Object: ref("gradient"), Valid: !w.mute, Problem: "no FLAW", Spend: one(workflows.Backward.Name())}, w.llm()
	})
	register(workflows.Step.Name(), func(in workflows.StepInput) (workflows.Candidate, error) {
		w.rejections = append(w.rejections, in.Rejected)
		if (in.Origin == "add") != (in.Faults == ref("faults")) {
			t.Errorf("an edit of origin %q is fitted to %v", in.Origin, in.Faults)
		}
		if w.momentum != nil {
			w.momentum[in.Heuristic.Hash] = in.Momentum
		}
		return workflows.Candidate{Heuristic: ref("edit"), Name: "edit", Spend: one(workflows.Step.Name())}, w.llm()
	})
	register(workflows.Rewrite.Name(), func(in workflows.RewriteInput) (workflows.Candidate, error) {
		w.rewrites++
		return workflows.Candidate{Heuristic: ref("rewritten"), Name: "rewritten", Spend: one(workflows.Rewrite.Name())}, w.llm()
	})
	register(workflows.Describe.Name(), func(in workflows.DescribeInput) (workflows.Candidate, error) {
		return workflows.Candidate{Heuristic: in.Heuristic, Spend: one(workflows.Describe.Name())}, w.llm()
	})
	register(workflows.Judge.Name(), func(in workflows.JudgeInput) (workflows.Verdict, error) {
		return workflows.Verdict{Before: w.loss, After: w.loss - w.gain, Candidate: in.Candidate}, nil
	})
	register(workflows.Commit.Name(), func(in workflows.CommitInput) (workflows.Committed, error) {
		in.Model.Revision++
		return workflows.Committed{Model: in.Model}, nil
	})
	register(workflows.Faults.Name(), func(workflows.FaultsInput) (workflows.FaultStates, error) {
		return workflows.FaultStates{Object: ref("faults"), Count: 10}, nil
	})
	register(workflows.Propose.Name(), func(workflows.ProposeInput) (workflows.Proposal, error) {
		return workflows.Proposal{Candidates: []workflows.Candidate{{Heuristic: ref("new"), Name: "new"}}, Spend: one(workflows.Propose.Name())}, w.llm()
	})
	register(workflows.Assign.Name(), func(in workflows.AssignInput) (workflows.Assignment, error) {
		return workflows.Assignment{Counts: slices.Repeat([]int{w.failures}, len(in.Candidates))}, nil
	})
	register(workflows.Agree.Name(), func(in workflows.AgreeInput) (workflows.Agreement, error) {
		return workflows.Agreement{Top1: []float64{0, 1}}, nil
	})
	register(workflows.Admit.Name(), func(in workflows.AdmitInput) (workflows.Revision, error) {
		r := workflows.Revision{Model: in.Model}
		if w.admits > 0 {
			w.admits--
			r.Model.Size++
			r.Model.Revision++
			r.Events = []workflows.Event{{Kind: "add", Name: "new"}}
		}
		return r, nil
	})
	register(workflows.Drop.Name(), func(in workflows.DropInput) (workflows.Revision, error) {
		if in.Model.Student.Hash == "" {
			return workflows.Revision{}, errors.New("Drop without a student")
		}
		w.dropCalls++
		return workflows.Revision{Model: in.Model}, nil
	})
	register(workflows.Expel.Name(), func(in workflows.ExpelInput) (workflows.Revision, error) {
		w.expelled = append(w.expelled, in.Name+": "+in.Reason)
		in.Model.Size--
		return workflows.Revision{Model: in.Model}, nil
	})
	register(workflows.Evaluate.Name(), func(in workflows.EvaluateInput) (store.Ref, error) {
		if in.Model.Student.Hash == "" {
			return store.Ref{}, errors.New("Evaluate without a student")
		}
		return ref("data"), nil
	})
	register(workflows.Report.Name(), func(in workflows.ReportInput) (workflows.Result, error) {
		return workflows.Result{Model: in.Model, Ended: in.Ended, Summary: fmt.Sprint(in.Spend.Calls)}, nil
	})
	return env
}

// An empty bank gets its first programs by Add before anything is trained; without any the run cannot go on.
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

// plan is a small config: two segments of two epochs a pass, then one epoch of annealing.
func plan() config.Distill {
	c := config.Default()
	c.Train.SegmentEpochs, c.Train.PassSegments, c.Train.AnnealEpochs = 2, 2, 1
	c.Train.PlateauDelta = 0.5 // the second segment lowers the loss by less
	c.TextGrad.StartEpoch = 0
	c.Limits.Passes, c.Limits.Epochs = 5, 100
	return c
}

// bankOf is a student with a bank of some size and no data.
func bankOf(size int) workflows.ModelAndData {
	return workflows.ModelAndData{Model: workflows.Model{Size: size}}
}

func result(t *testing.T, env *testsuite.TestWorkflowEnvironment) workflows.Result {
	t.Helper()
	return outcome[workflows.Result](t, env)
}

func outcome[Out any](t *testing.T, env *testsuite.TestWorkflowEnvironment) Out {
	t.Helper()
	if err := env.GetWorkflowError(); err != nil {
		t.Fatal(err)
	}
	var out Out
	if err := env.GetWorkflowResult(&out); err != nil {
		t.Fatal(err)
	}
	return out
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

// A pass that changed the bank is followed by another in a fresh execution, which starts from all of its state.
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
	if w.daggers != 1 {
		t.Errorf("%d student rollouts, want 1, in the second pass", w.daggers)
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

// A loss that SGD leaves as it is but the round after it lowers is no plateau: the new programs are trained on.
func TestBlockIGoesOnAfterACommit(t *testing.T) {
	w := &fakes{loss: 1e-6, gain: 0.1}
	env := w.environment(t)
	cfg := plan()
	cfg.Train.PassSegments, cfg.Limits.Passes = 4, 1
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	r := result(t, env)
	if got := strings.Join(w.trained, ", "); got != "0+2, 2+2, 4+2, 6+2, 8+1 anneal" || r.Ended != "limit of 1 passes" {
		t.Errorf("trained %s, ended: %s", got, r.Ended)
	}
}

// Programs that fault on states nobody had seen leave the bank, one after the other, and the run goes on; without a bank it cannot.
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
			env.OnActivity(workflows.Evaluate.Name(), mock.Anything).Return(func(workflows.EvaluateInput) (store.Ref, error) { return ref("data"), fails() })
		case workflows.Train.Name():
			env.OnActivity(workflows.Train.Name(), mock.Anything).Return(func(in workflows.TrainInput) (workflows.TrainOutput, error) {
				in.Model.Student = ref("student")
				return workflows.TrainOutput{Model: in.Model, Points: make([]workflows.Point, in.Epochs)}, fails()
			})
		case workflows.Dagger.Name():
			env.OnActivity(workflows.Dagger.Name(), mock.Anything).Return(func(workflows.DaggerInput) (workflows.Shard, error) {
				return workflows.Shard{Object: ref("dagger")}, fails()
			})
		}
		cfg := plan()
		cfg.Limits.Passes = 2
		cfg.Data.Dagger = 1
		state := &workflows.State{Moment: workflows.Moment{Pass: 1, Epoch: 4}, ModelAndData: workflows.ModelAndData{Model: workflows.Model{Bank: ref("bank"), Student: ref("student"), Size: 3}}}
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

func TestTextGradCommitsEditsThatLowerTheLoss(t *testing.T) {
	for name, tt := range map[string]struct {
		gain                float64
		noPhase2            bool
		revisions, rewrites int
	}{
		"enough":                {gain: 0.1, revisions: 2},
		"less":                  {gain: 1e-6, rewrites: 2},
		"less, without phase 2": {gain: 1e-6, noPhase2: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fakes{loss: 1, gain: tt.gain}
			env := w.environment(t)
			cfg := plan()
			cfg.TextGrad.NoPhase2 = tt.noPhase2
			in := workflows.TextGradInput{Config: cfg, ModelAndData: bankOf(3)}
			env.ExecuteWorkflow(workflows.TextGradRound, in)
			if err := env.GetWorkflowError(); err != nil {
				t.Fatal(err)
			}
			var out workflows.TextGradOutput
			if err := env.GetWorkflowResult(&out); err != nil {
				t.Fatal(err)
			}
			if out.Model.Revision != tt.revisions {
				t.Errorf("model %+v, want %d revisions", out.Model, tt.revisions)
			}
			if w.rewrites != tt.rewrites {
				t.Errorf("%d descriptions were rewritten, want %d", w.rewrites, tt.rewrites)
			}
			if tt.revisions == 0 {
				if len(out.Momentum) != 3 {
					t.Errorf("%d unresolved gradients are kept, want 3", len(out.Momentum))
				}
				if last := w.rejections[len(w.rejections)-1]; len(last) != 1 || !strings.Contains(last[0].Reason, "validation loss") {
					t.Errorf("the second attempt was shown %v", last)
				}
			}
		})
	}
}

// The critic is asked about each heuristic's own failures, on its code and only then on its description; what is committed is the
// edit with the description that was written for it, or the program written from the new description.
func TestTextGradAsksOfEachItsOwn(t *testing.T) {
	for name, tt := range map[string]struct {
		accepted  string // the candidate that lowers the loss
		questions []string
		committed string
	}{
		"phase 1": {"edit", []string{"code a 0", "code a 1", "code b 0"}, "described"},
		"phase 2": {"rewritten", []string{"code a 0", "code a 1", "code b 0", "description a 0", "description a 1", "description b 0"}, "rewritten"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fakes{loss: 1}
			env := w.environment(t)
			var questions []string
			var committed []store.Ref
			env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
				switch info.ActivityType.Name {
				case workflows.Backward.Name():
					var in workflows.BackwardInput
					if err := args.Get(&in); err != nil || in.Heuristic != ref(string(rune('a'+in.Owner))) {
						t.Errorf("asked about %+v (%v)", in, err)
					}
					questions = append(questions, fmt.Sprintf("%s %s %d", in.Channel, in.Heuristic.Hash, in.Failure))
				case workflows.Commit.Name():
					var in workflows.CommitInput
					if err := args.Get(&in); err != nil || in.Index != len(committed) {
						t.Errorf("committed %+v (%v)", in, err)
					}
					committed = append(committed, in.Candidate)
				}
			})
			env.OnActivity(workflows.Judge.Name(), mock.Anything).Return(func(in workflows.JudgeInput) (workflows.Verdict, error) {
				v := workflows.Verdict{Before: 1, After: 1, Candidate: in.Candidate}
				if in.Candidate == ref(tt.accepted) || in.Candidate == ref("described") {
					v.After = 0.5
				}
				return v, nil
			})
			env.OnActivity(workflows.Describe.Name(), mock.Anything).Return(func(in workflows.DescribeInput) (workflows.Candidate, error) {
				return workflows.Candidate{Heuristic: ref("described")}, nil
			})
			env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{Config: plan(), ModelAndData: bankOf(3)})
			outcome[workflows.TextGradOutput](t, env)
			slices.Sort(questions)
			if !slices.Equal(questions, tt.questions) {
				t.Errorf("asked %q, want %q", questions, tt.questions)
			}
			if !slices.Equal(committed, []store.Ref{ref(tt.committed), ref(tt.committed)}) {
				t.Errorf("committed %v, want %s twice", committed, tt.committed)
			}
		})
	}
}

// A round goes on where the one before it ended: with its blame and what it left unresolved.
func TestRoundsCarryOn(t *testing.T) {
	w := &fakes{loss: 1, momentum: map[string][]store.Ref{}}
	env := w.environment(t)
	var before [][]workflows.Blame
	env.OnActivity(workflows.Attribute.Name(), mock.Anything).Return(func(in workflows.AttributeInput) (workflows.Attribution, error) {
		before = append(before, in.Blame)
		return workflows.Attribution{
			Dispatch: []workflows.Dispatch{{Name: "a", Heuristic: ref("a"), Failures: 2}},
			Blame:    []workflows.Blame{{Heuristic: "a", Score: float64(len(before))}},
		}, nil
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	result(t, env)
	if len(before) != 2 || len(before[0]) != 0 || !slices.Equal(before[1], []workflows.Blame{{Heuristic: "a", Score: 1}}) {
		t.Errorf("rounds began with the blame %v", before)
	}
	if got := w.momentum["a"]; !slices.Equal(got, []store.Ref{ref("gradient"), ref("gradient")}) {
		t.Errorf("the second round's Step saw %v unresolved, want the two gradients of the first", got)
	}
}

// An edit that another one of its round has made faulty, or no better than what it replaces, is not committed.
func TestTextGradJudgesAgainAfterACommit(t *testing.T) {
	for want, again := range map[string]workflows.Verdict{
		"after the round's other edits, state 7: trap":                            {Problem: "state 7: trap"},
		"after the round's other edits, validation loss 1.0000 instead of 0.9000": {Before: 0.9, After: 1},
		"validation loss 0.9000 → 0.6500":                                         {Before: 0.9, After: 0.65},
	} {
		w := &fakes{}
		env := w.environment(t)
		env.OnActivity(workflows.Judge.Name(), mock.Anything).Return(func(in workflows.JudgeInput) (workflows.Verdict, error) {
			if in.Model.Revision > 0 {
				return again, nil
			}
			return workflows.Verdict{Before: 1, After: 0.5, Candidate: in.Candidate}, nil
		})
		var gains []float64
		env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
			var in workflows.CommitInput
			if info.ActivityType.Name == workflows.Commit.Name() && args.Get(&in) == nil {
				gains = append(gains, in.Gain)
			}
		})
		cfg := plan()
		cfg.TextGrad.Delta = 0
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{Config: cfg, ModelAndData: bankOf(3)})
		out := outcome[workflows.TextGradOutput](t, env)
		if e := out.Events[1]; e.Detail != want || e.Before != again.Before || e.After != again.After {
			t.Errorf("the second edit of the round: %+v, want %q", e, want)
		}
		if again.After < again.Before && !slices.Equal(gains, []float64{0.5, 0.25}) {
			t.Errorf("committed with the gains %v, want what each took off the loss it met", gains)
		}
	}
}

func TestRefusal(t *testing.T) {
	for _, tt := range []struct {
		verdict workflows.Verdict
		want    string
	}{
		{workflows.Verdict{Before: 1, After: 0.5}, ""},
		{workflows.Verdict{Before: 1, After: 0.75}, ""}, // by δ exactly
		{workflows.Verdict{Before: 1, After: 0.875}, "validation loss 0.8750 instead of 1.0000"},
		{workflows.Verdict{Before: 1, After: math.NaN()}, "validation loss NaN instead of 1.0000"},
		{workflows.Verdict{Before: math.NaN(), After: 1}, "validation loss 1.0000 instead of NaN"},
		{workflows.Verdict{Before: 1, Problem: "trap"}, "trap"},
	} {
		if got := tt.verdict.Refusal(0.25); got != tt.want {
			t.Errorf("%+v: refused for %q, want %q", tt.verdict, got, tt.want)
		}
	}
}

// A failure stays persistent until its heuristic is mended or dropped, whatever else is found wrong with it.
func TestMomentumLastsUntilAnEdit(t *testing.T) {
	const dropped = "gone"
	w := &fakes{loss: 1}
	var momentum []workflows.Unresolved
	for round, want := range []string{"a0 a1 b0", "a0 a1 b0 a0 a1 b0", "b0 a0 a1 b0 a0 a1 b0", ""} {
		env := w.environment(t)
		if round == 3 {
			w.gain = 0.1
		}
		env.OnActivity(workflows.Backward.Name(), mock.Anything).Return(func(in workflows.BackwardInput) (workflows.Gradient, error) {
			return workflows.Gradient{Object: ref(fmt.Sprintf("%c%d%d", 'a'+in.Owner, in.Failure, round)), Valid: true}, nil
		})
		cfg := plan()
		cfg.TextGrad.Failures = 2
		w.momentum = map[string][]store.Ref{}
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{
			Config: cfg, ModelAndData: bankOf(3), Momentum: append(momentum, workflows.Unresolved{Heuristic: dropped, Gradient: ref("x")}),
		})
		out := outcome[workflows.TextGradOutput](t, env)
		// Step saw, of its own heuristic, what was unresolved before.
		for _, h := range []string{"a", "b"} {
			var own []store.Ref
			for _, u := range momentum {
				if u.Heuristic == h {
					own = append(own, u.Gradient)
				}
			}
			if !slices.Equal(w.momentum[h], own) {
				t.Errorf("round %d: Step saw %v of %s, want %v", round, w.momentum[h], h, own)
			}
		}
		momentum = out.Momentum
		var got []string
		for _, u := range momentum {
			got = append(got, u.Gradient.Hash[:2])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("round %d: momentum %q, want %q", round, got, want)
		}
		if old := (workflows.Unresolved{Heuristic: "a", Gradient: ref("a00")}); round == 2 && slices.Contains(momentum, old) {
			t.Errorf("momentum %v, want no more than two rounds of two", momentum)
		}
	}
}

func TestMomentumOutlivesARoundWithoutGradients(t *testing.T) {
	for mute, want := range map[bool]string{true: "old other", false: "old other gradient gradient gradient"} {
		w := &fakes{loss: 1, mute: mute}
		env := w.environment(t)
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{
			Config: plan(), ModelAndData: bankOf(3),
			Momentum: []workflows.Unresolved{{Heuristic: "a", Gradient: ref("old")}, {Heuristic: "c", Gradient: ref("other")}},
		})
		var out workflows.TextGradOutput
		if err := env.GetWorkflowResult(&out); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range out.Momentum {
			got = append(got, u.Gradient.Hash)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("no gradients %v: momentum %q, want %q", mute, got, want)
		}
		if mute && out.Events[0].Detail != "no textual gradient could be had: no FLAW" {
			t.Errorf("the event says %q", out.Events[0].Detail)
		}
	}
}

// Whichever question the stand-in answers, the result says so, that a model wrote the programs themselves notwithstanding.
func TestStandInLeavesAMark(t *testing.T) {
	for _, add := range []bool{false, true} {
		asked := []string{workflows.Backward.Name(), workflows.Step.Name(), workflows.Describe.Name(), workflows.Rewrite.Name()}
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

// An outage in the middle of a round costs what it touches: edits that are done are committed, and a heuristic that could not be
// revised keeps its score, so that its turn comes again.
func TestTextGradCommitsWhatWasDoneBeforeAnOutage(t *testing.T) {
	away := temporal.NewNonRetryableApplicationError("401", workflows.ErrLLMUnavailable, nil)
	for name, tt := range map[string]struct {
		steps  bool // the writer is away for b's edit, or else for every description
		events string
		blame  float64 // of b
	}{
		"description": {events: "textgrad a, textgrad b"},
		"edit":        {steps: true, events: "textgrad a, waiting b", blame: 0.7},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fakes{loss: 1, gain: 0.1}
			env := w.environment(t)
			env.OnActivity(workflows.Attribute.Name(), mock.Anything).Return(workflows.Attribution{
				Dispatch: []workflows.Dispatch{
					{Index: 0, Name: "a", Heuristic: ref("a"), Score: 0.9, Failures: 1}, {Index: 1, Name: "b", Heuristic: ref("b"), Score: 0.7, Failures: 1},
				},
				Blame: []workflows.Blame{{Heuristic: "a"}, {Heuristic: "b"}, {Heuristic: "c", Score: 0.1}},
			}, nil)
			if tt.steps {
				env.OnActivity(workflows.Step.Name(), mock.Anything).Return(func(in workflows.StepInput) (workflows.Candidate, error) {
					if in.Heuristic == ref("b") {
						return workflows.Candidate{}, away
					}
					return workflows.Candidate{Heuristic: ref("edit"), Name: "edit"}, nil
				})
			} else {
				env.OnActivity(workflows.Describe.Name(), mock.Anything).Return(workflows.Candidate{}, away)
			}
			env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{Config: plan(), ModelAndData: bankOf(3)})
			out := outcome[workflows.TextGradOutput](t, env)
			var events []string
			for _, e := range out.Events {
				events = append(events, string(e.Kind)+" "+e.Name)
			}
			if got := strings.Join(events, ", "); got != tt.events || (out.Waiting != "") != tt.steps {
				t.Errorf("events %s and waiting %q, want %s", got, out.Waiting, tt.events)
			}
			if len(out.Blame) != 3 || out.Blame[0].Score != 0 || out.Blame[1].Score != tt.blame || out.Blame[2].Score != 0.1 {
				t.Errorf("blame %v, want %v for b", out.Blame, tt.blame)
			}
			if len(out.Momentum) != 0 {
				t.Errorf("momentum %v: what was not tried is not unresolved", out.Momentum)
			}
		})
	}
}

// A budget that ends among parallel questions is what the round reports, whichever of them it met.
func TestTextGradReportsTheBudgetInAnyOrder(t *testing.T) {
	for refused := range 2 {
		w := &fakes{loss: 1}
		env := w.environment(t)
		env.OnActivity(workflows.Backward.Name(), mock.Anything).Return(func(in workflows.BackwardInput) (workflows.Gradient, error) {
			if in.Failure == refused {
				return workflows.Gradient{}, temporal.NewNonRetryableApplicationError("the LLM budget is used up", workflows.ErrLLMBudget, nil)
			}
			return workflows.Gradient{Problem: "no FLAW"}, nil
		})
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{Config: plan(), ModelAndData: bankOf(3)})
		out := outcome[workflows.TextGradOutput](t, env)
		if got := out.Events[0].Detail; got != "the LLM budget is used up" { // of a, which has two failures
			t.Errorf("question %d refused, and the event says %q", refused, got)
		}
	}
}

// While the LLM is away SGD goes on; at the plateau the run waits, and carries on when the LLM is back.
func TestDistillOutlivesTheLLM(t *testing.T) {
	w := &fakes{loss: 1, llmDown: 9}
	env := w.environment(t)
	waited := false
	env.RegisterDelayedCallback(func() {
		value, err := env.QueryWorkflow(workflows.QueryStatus)
		if err != nil {
			t.Error(err)
			return
		}
		var s workflows.Status
		if err := value.Get(&s); err != nil {
			t.Error(err)
		}
		waited = s.Stage == "waiting for LLM" && strings.HasPrefix(s.Note, "waiting for LLM") && s.Epoch == 4
	}, 20*time.Second)
	var again []bool
	said := 0
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
		var round workflows.AttributeInput
		var report workflows.ReportInput
		switch {
		case info.ActivityType.Name == workflows.Attribute.Name() && args.Get(&round) == nil:
			again = append(again, round.Again)
		case info.ActivityType.Name == workflows.Report.Name() && args.Get(&report) == nil:
			for _, e := range report.Events {
				if e.Kind == workflows.EventWaiting {
					said++
				}
			}
		}
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	r := result(t, env)
	if len(again) < 3 || again[0] || again[1] || !again[2] {
		t.Errorf("rounds made again: %v, want the second round's tries after the first", again)
	}
	if said != 4 {
		t.Errorf("the events say %d times that the LLM is waited for, want once for each heuristic and round", said)
	}
	if !waited {
		t.Error("the run did not wait for the LLM after its SGD epochs")
	}
	if w.llmDown != 0 || w.asked == 0 || r.Ended != "bank unchanged by Add and Drop" {
		t.Errorf("%d refusals left, %d answers, ended: %s", w.llmDown, w.asked, r.Ended)
	}
}

// A run does not end, or use up its epochs, because of an outage: without a plateau SGD goes on and the next pass asks again; at one, or
// in its last pass, the run waits, whether it is edits or new programs that it wants.
func TestDistillWaitsWhereSGDHasNoMoreToGive(t *testing.T) {
	for name, tt := range map[string]struct {
		change  func(*config.Distill)
		pass    int
		waits   bool
		trained string
	}{
		"a full bank":               {func(c *config.Distill) { c.Add.MaxBank = 3 }, 0, true, "0+2, 2+2, 4+1 anneal"},
		"no Add":                    {func(c *config.Distill) { c.Add.Off = true }, 0, true, "0+2, 2+2, 4+1 anneal"},
		"no TextGrad":               {func(c *config.Distill) { c.TextGrad.Off = true }, 0, true, "0+2, 2+2, 4+1 anneal"},
		"no plateau":                {func(c *config.Distill) { c.Train.PlateauDelta = 0 }, 0, false, "0+2, 2+2"},
		"no plateau, no Add":        {func(c *config.Distill) { c.Train.PlateauDelta, c.Add.Off = 0, true }, 0, false, "0+2, 2+2"},
		"the last pass":             {func(c *config.Distill) { c.Train.PlateauDelta = 0 }, 4, true, "8+2, 10+2, 12+1 anneal"},
		"the last pass, no Add":     {func(c *config.Distill) { c.Train.PlateauDelta, c.Add.Off = 0, true }, 4, true, "8+2, 10+2, 12+1 anneal"},
		"the last few epochs, full": {func(c *config.Distill) { c.Train.PlateauDelta, c.Limits.Epochs, c.Add.MaxBank = 0, 12, 3 }, 2, true, "8+2, 10+2, 12+1 anneal"},
		"the last few epochs":       {func(c *config.Distill) { c.Train.PlateauDelta, c.Limits.Epochs = 0, 12 }, 2, true, "8+2, 10+2, 12+1 anneal"},
	} {
		w := &fakes{loss: 1, llmDown: 1 << 30}
		env := w.environment(t)
		cfg := plan()
		tt.change(&cfg)
		var state *workflows.State
		if tt.pass > 0 {
			state = &workflows.State{Moment: workflows.Moment{Pass: tt.pass, Epoch: 8}, ModelAndData: workflows.ModelAndData{Model: workflows.Model{Bank: ref("bank"), Student: ref("student"), Size: 3}}}
		}
		var stage workflows.Stage
		env.RegisterDelayedCallback(func() {
			var s workflows.Status
			if value, err := env.QueryWorkflow(workflows.QueryStatus); err != nil {
				t.Error(err)
			} else if err := value.Get(&s); err != nil {
				t.Error(err)
			}
			stage = s.Stage
			env.SignalWorkflow(workflows.SignalStop, nil)
		}, 12*time.Hour)
		env.ExecuteWorkflow(workflows.Distill, cfg, state)
		err := env.GetWorkflowError()
		if tt.waits && (err != nil || stage != "waiting for LLM" || result(t, env).Ended != "stopped on request") || !tt.waits && !workflow.IsContinueAsNewError(err) {
			t.Errorf("%s: after 12 hours %q, ended with %v", name, stage, err)
		}
		if got := strings.Join(w.trained, ", "); got != tt.trained {
			t.Errorf("%s: trained %q, want %q", name, got, tt.trained)
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
		"stop before training":                      {during: workflows.RolloutShard.Name(), ended: "stopped before training", anneal: 1},
		"stop before training, no annealing":        {during: workflows.RolloutShard.Name(), ended: "stopped before training"},
		"stop in training":                          {during: workflows.Train.Name(), ended: "stopped on request", anneal: 1, trained: "0+2, 2+1 anneal"},
		"stop before an empty bank asks":            {during: workflows.RolloutShard.Name(), ended: "stopped before training", anneal: 1, empty: true},
		"stop while an empty bank waits for an LLM": {during: workflows.Propose.Name(), ended: "stopped before training", anneal: 1, empty: true},
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

func TestBadConfigIsRefused(t *testing.T) {
	w := &fakes{}
	env := w.environment(t)
	cfg := plan()
	cfg.Nodes = 2
	env.OnActivity(workflows.Prepare.Name(), mock.Anything).Panic("nothing may be started")
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	var app *temporal.ApplicationError
	if err := env.GetWorkflowError(); !errors.As(err, &app) || app.Type() != workflows.ErrBadInput || !strings.Contains(app.Message(), "nodes is 2") {
		t.Errorf("error %v, want one of type %s that names nodes", err, workflows.ErrBadInput)
	}
}

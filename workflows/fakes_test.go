package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// fakes stands for the activities: a bank that can still grow, and a loss that falls by half in each epoch.
type fakes struct {
	empty      bool     // the starting bank has no programs
	admits     int      // how many calls of Admit still let one candidate in
	llmDown    int      // how many LLM activities still find the LLM unavailable
	mute       bool     // no gradient can be read
	loss       float64  // validation loss
	gain       float64  // by how much a judged candidate lowers the loss
	trained    []string // "from+epochs", "anneal" appended; "weights of" so many programs at a revision of the bank
	passes     []int    // of the segments trained
	asked      int
	dropCalls  int
	expelled   []string // "name: reason"
	daggers    []string // shards whose instances the student solved
	failures   int      // for each of Add's candidates
	standIn    string   // the activity that the stand-in answers
	rewrites   int
	rejections [][]workflows.Rejection // as Step saw them
	momentum   map[string][]store.Ref  // as Step saw it, by heuristic
	outdated   []string                // programs whose descriptions tell of lost terms
	described  []string                // after which training, and those described anew
}

func ref(name string) store.Ref { return store.Ref{Hash: name, Size: 1} }

func (w *fakes) llm() error {
	if w.llmDown > 0 {
		w.llmDown--
		return final(workflows.ErrLLMUnavailable, "401")
	}
	w.asked++
	return nil
}

// environment returns a test environment in which w stands for the activities.
func (w *fakes) environment(t *testing.T) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(5 * time.Minute) // so that a busy machine does not fail the test
	env.SetWorkerOptions(worker.Options{
		DeadlockDetectionTimeout: 5 * time.Minute, Interceptors: workflows.Interceptors(),
	})
	workflows.Register(env)
	one := func(activity string) workflows.Spend {
		return workflows.Spend{Calls: 1, Input: 10, Output: 5, StandIn: w.standIn == activity}
	}
	fake(env, workflows.Prepare, func(in workflows.PrepareInput) (workflows.Prepared, error) {
		size := 3
		if w.empty {
			size = 0
		}
		plan := []workflows.RolloutTask{{Split: "train"}, {Split: "train", Seed: 1}, {Split: "val"}}
		for i := 2; i*in.Config.Data.Shard < in.Config.Data.Train; i++ {
			plan = slices.Insert(plan, i, workflows.RolloutTask{Split: "train", Seed: uint64(i)})
		}
		return workflows.Prepared{Model: workflows.Model{Bank: ref("bank"), Size: size}, Plan: plan}, nil
	})
	fake(env, workflows.RolloutShard, func(in workflows.RolloutTask) (workflows.Shard, error) {
		name := string(in.Split)
		if in.Seed > 0 {
			name = fmt.Sprintf("%s %d", name, in.Seed)
		}
		return workflows.Shard{Object: ref(name), States: 10}, nil
	})
	fake(env, workflows.Sketch, func(workflows.SketchInput) (workflows.Model, error) { return trained().Model, nil })
	fake(env, workflows.Dagger, func(in workflows.DaggerInput) (workflows.Shard, error) {
		if len(in.Data.Train) != 1 || len(in.Data.Val) != 0 {
			t.Errorf("DAgger is sent %d and %d shards, want the one that it takes", len(in.Data.Train),
				len(in.Data.Val))
		}
		w.daggers = append(w.daggers, in.Data.Train[in.Shard].Object.Hash)
		return workflows.Shard{Object: ref("dagger")}, nil
	})
	fake(env, workflows.Score, func(workflows.ScoreInput) (struct{}, error) { return struct{}{}, nil })
	fake(env, workflows.Train, func(in workflows.TrainInput) (workflows.TrainOutput, error) {
		what := fmt.Sprintf("%d+%d", in.From, in.Epochs)
		if in.Anneal {
			what += " anneal"
		}
		if in.Model.Size == 0 {
			return workflows.TrainOutput{}, errors.New("an empty bank cannot be trained")
		}
		w.trained, w.passes = append(w.trained, what), append(w.passes, in.Pass)
		out := workflows.TrainOutput{Model: in.Model}
		out.Model.Student = ref("student")
		for e := range in.Epochs {
			w.loss /= 2
			out.Points = append(out.Points, workflows.Point{Epoch: in.From + e + 1, ValLoss: w.loss, Top1: 0.5})
		}
		return out, nil
	})
	fake(env, workflows.Weights, func(in workflows.WeightsInput) (workflows.WeightsOutput, error) {
		w.trained = append(w.trained, fmt.Sprintf("weights of %d, revision %d", in.Model.Size, in.Model.Revision))
		in.Model.Bank = ref("weighed")
		return workflows.WeightsOutput{Model: in.Model, Change: workflows.WeightChange{Epoch: in.Epoch}}, nil
	})
	fake(env, workflows.Attribute, func(workflows.AttributeInput) (workflows.Attribution, error) {
		return workflows.Attribution{
			Dispatch: []workflows.Dispatch{
				{Index: 0, Name: "a", Heuristic: ref("a"), Failures: 2},
				{Index: 1, Name: "b", Heuristic: ref("b"), Failures: 1},
			},
			Blame: []workflows.Blame{{Heuristic: "a"}, {Heuristic: "b"}, {Heuristic: "c"}},
		}, nil
	})
	fake(env, workflows.Backward, func(workflows.BackwardInput) (workflows.Gradient, error) {
		return workflows.Gradient{
			Object: ref("gradient"), Valid: !w.mute, Problem: "no FLAW", Spend: one(workflows.Backward.Name()),
		}, w.llm()
	})
	fake(env, workflows.Step, func(in workflows.StepInput) (workflows.Candidate, error) {
		w.rejections = append(w.rejections, in.Rejected)
		if (in.Origin == "add") != (in.Faults == ref("faults")) {
			t.Errorf("an edit of origin %q is fitted to %v", in.Origin, in.Faults)
		}
		if w.momentum != nil {
			w.momentum[in.Heuristic.Hash] = in.Momentum
		}
		return workflows.Candidate{Heuristic: ref("edit"), Name: "edit", Spend: one(workflows.Step.Name())}, w.llm()
	})
	fake(env, workflows.Rewrite, func(in workflows.RewriteInput) (workflows.Candidate, error) {
		w.rewrites++
		return workflows.Candidate{
			Heuristic: ref("rewritten"), Name: "rewritten", Spend: one(workflows.Rewrite.Name()),
		}, w.llm()
	})
	fake(env, workflows.Describe, func(in workflows.DescribeInput) (workflows.Candidate, error) {
		c := workflows.Candidate{Heuristic: in.Heuristic, Spend: one(workflows.Describe.Name())}
		if in.Bank.Hash != "" && in.Heuristic.Hash != "mute" {
			c.Heuristic.Hash += " anew"
		}
		return c, w.llm()
	})
	fake(env, workflows.Outdated, func(in workflows.OutdatedInput) (out workflows.Programs, err error) {
		for _, name := range w.outdated {
			out.Programs = append(out.Programs, workflows.Program{Name: name, Heuristic: ref(name)})
		}
		return out, nil
	})
	fake(env, workflows.Redescribe, func(in workflows.RedescribeInput) (workflows.Model, error) {
		at := fmt.Sprintf("after %s:", w.trained[len(w.trained)-1])
		for _, h := range in.Heuristics {
			at += " " + h.Hash
		}
		w.described = append(w.described, at)
		in.Model.Bank = ref("described")
		return in.Model, nil
	})
	fake(env, workflows.Judge, func(in workflows.JudgeInput) (workflows.Verdict, error) {
		return workflows.Verdict{Before: w.loss, After: w.loss - w.gain, Candidate: in.Candidate}, nil
	})
	fake(env, workflows.Commit, func(in workflows.CommitInput) (workflows.Committed, error) {
		in.Model.Revision++
		return workflows.Committed{Model: in.Model}, nil
	})
	fake(env, workflows.Faults, func(workflows.FaultsInput) (workflows.FaultStates, error) {
		return workflows.FaultStates{Object: ref("faults"), Count: 10}, nil
	})
	fake(env, workflows.Propose, func(workflows.ProposeInput) (workflows.Proposal, error) {
		return workflows.Proposal{
			Candidates: []workflows.Candidate{{Heuristic: ref("new"), Name: "new"}},
			Spend:      one(workflows.Propose.Name()),
		}, w.llm()
	})
	fake(env, workflows.Assign, func(in workflows.AssignInput) (workflows.Assignment, error) {
		return workflows.Assignment{Counts: slices.Repeat([]int{w.failures}, len(in.Candidates))}, nil
	})
	fake(env, workflows.Agree, func(in workflows.AgreeInput) (workflows.Agreement, error) {
		return workflows.Agreement{Top1: []float64{0, 1}}, nil
	})
	fake(env, workflows.Admit, func(in workflows.AdmitInput) (workflows.Revision, error) {
		r := workflows.Revision{Model: in.Model}
		if w.admits > 0 {
			w.admits--
			r.Model.Size++
			r.Model.Revision++
			r.Events = []workflows.Event{{Kind: "add", Name: "new"}}
		}
		return r, nil
	})
	fake(env, workflows.Drop, func(in workflows.DropInput) (workflows.Revision, error) {
		if in.Model.Student.Hash == "" {
			return workflows.Revision{}, errors.New("Drop without a student")
		}
		if in.Twins {
			w.trained = append(w.trained, "twins merged")
		}
		w.dropCalls++
		return workflows.Revision{Model: in.Model}, nil
	})
	fake(env, workflows.Expel, func(in workflows.ExpelInput) (workflows.Revision, error) {
		w.expelled = append(w.expelled, in.Name+": "+in.Reason)
		in.Model.Size--
		return workflows.Revision{Model: in.Model}, nil
	})
	fake(env, workflows.Evaluate, func(in workflows.EvaluateInput) (store.Ref, error) {
		if in.Model.Student.Hash == "" {
			return store.Ref{}, errors.New("Evaluate without a student")
		}
		return ref("data"), nil
	})
	fake(env, workflows.Report, func(in workflows.ReportInput) (workflows.Result, error) {
		return workflows.Result{Model: in.Model, Ended: in.Ended, Summary: fmt.Sprint(in.Spend.Calls)}, nil
	})
	return env
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

// bankOf returns a student with a bank of the given size and no data.
func bankOf(size int) workflows.ModelAndData {
	return workflows.ModelAndData{Model: workflows.Model{Size: size}}
}

// trained returns a student with a bank of three and a router.
func trained() workflows.ModelAndData {
	return workflows.ModelAndData{Model: workflows.Model{Bank: ref("bank"), Student: ref("student"), Size: 3}}
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

// callsLeft returns a budget of the given number of calls of any length.
func callsLeft(calls int) *ledger.Budget {
	return &ledger.Budget{Calls: calls, Tokens: ledger.Unlimited, MicroUSD: ledger.Unlimited}
}

// final returns an error of the given type that is not retried.
func final(kind, text string, details ...any) error {
	return temporal.NewNonRetryableApplicationError(text, kind, nil, details...)
}

// oneAtATime makes the activities of a test run one after another. The test environment starts each in a goroutine of
// its own, and they write to the fakes and to variables of the tests.
var oneAtATime sync.Mutex

// alone returns do as an activity that runs only while no other one runs.
func alone[In, Out any](do func(In) (Out, error)) func(context.Context, In) (Out, error) {
	return func(_ context.Context, in In) (Out, error) {
		oneAtATime.Lock()
		defer oneAtATime.Unlock()
		return do(in)
	}
}

// fake registers an activity that a test replaces.
func fake[In, Out any](
	env *testsuite.TestWorkflowEnvironment, a workflows.Activity[In, Out], do func(In) (Out, error),
) {
	a.Register(workflows.Workers{Compute: env, LLM: env}, alone(do))
}

// override registers do in place of the activity's fake.
func override[In, Out any](
	env *testsuite.TestWorkflowEnvironment, a workflows.Activity[In, Out], do func(In) (Out, error),
) *testsuite.MockCallWrapper {
	return env.OnActivity(a.Name(), mock.Anything, mock.Anything).Return(alone(do))
}

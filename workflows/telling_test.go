package workflows_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/workflows"
)

// At its end, a round says that it has spent as much as its run counts, including failed questions.
func TestRoundsSayWhatTheySpent(t *testing.T) {
	for name, round := range map[string]func(*testing.T, *fakes) workflows.Spend{
		workflows.NameTextGradRound: func(t *testing.T, w *fakes) workflows.Spend {
			env := w.environment(t)
			override(env, workflows.Describe, func(workflows.DescribeInput) (workflows.Candidate, error) {
				spent := workflows.Spend{Calls: 2, Input: 7}
				return workflows.Candidate{}, final(workflows.ErrLLMUnavailable, "away", spent)
			})
			in := workflows.TextGradInput{Config: plan(), ModelAndData: bankOf(3)}
			env.ExecuteWorkflow(workflows.TextGradRound, in)
			return compareSpend(t, env, outcome[workflows.TextGradOutput](t, env).Spend)
		},
		workflows.NameAdd: func(t *testing.T, w *fakes) workflows.Spend {
			w.failures = 2
			env := w.environment(t)
			env.ExecuteWorkflow(workflows.Add, workflows.AddInput{Config: plan(), ModelAndData: bankOf(3)})
			return compareSpend(t, env, outcome[workflows.AddOutput](t, env).Spend)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if spent := round(t, &fakes{loss: 1, gain: 0.1, admits: 1}); spent.Calls < 3 {
				t.Errorf("the round spent %v", spent)
			}
		})
	}
}

// compareSpend compares the answer of a round to the query with the amount that its run counts.
func compareSpend(t *testing.T, env *testsuite.TestWorkflowEnvironment, booked workflows.Spend) workflows.Spend {
	t.Helper()
	value, err := env.QueryWorkflow(workflows.QuerySpend)
	if err != nil {
		t.Fatal(err)
	}
	var spent workflows.Spend
	if err := value.Get(&spent); err != nil || spent != booked {
		t.Errorf("says %v, its run books %v (%v)", spent, booked, err)
	}
	return spent
}

// While a round runs, the memo of its distillation follows what the round spends. The sum never falls, and ends as what
// the distillation counts.
func TestRoundsTellTheirRun(t *testing.T) {
	w := &fakes{loss: 1, gain: 0.1, admits: 1, failures: 2}
	env := w.environment(t)
	var memos []workflows.Status
	env.OnUpsertMemo(mock.Anything).Return(nil).Run(func(args mock.Arguments) {
		memos = append(memos, args.Get(0).(map[string]any)[workflows.MemoStatus].(workflows.Status))
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), &workflows.State{ModelAndData: trained()})
	var next *workflow.ContinueAsNewError
	if err := env.GetWorkflowError(); !errors.As(err, &next) {
		t.Fatal(err)
	}
	told, before := map[workflows.Stage]int{}, 0
	for _, s := range memos {
		if s.Round.Calls > 0 {
			told[s.Stage]++
		}
		if now := s.Spent().Calls; now < before {
			t.Errorf("%s: %d calls after %d", s.Stage, now, before)
		} else {
			before = now
		}
	}
	if told[workflows.StageTextGrad] < 2 || told[workflows.StageAdd] < 2 || len(told) != 2 {
		t.Errorf("rounds told of their spending %v times", told)
	}
	if last := memos[len(memos)-1]; last.Round.Calls != 0 || last.Spend.Calls != w.asked {
		t.Errorf("the last memo has %v and %v of a round, want all %d calls", last.Spend, last.Round, w.asked)
	}
}

// What a description costs is counted when it is there, and not when all of them are.
func TestDescriptionsCountAtOnce(t *testing.T) {
	w := &fakes{loss: 1, outdated: []string{"a", "b"}}
	env := w.environment(t)
	var calls []int
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
		if info.ActivityType.Name == workflows.Describe.Name() {
			calls = append(calls, status(t, env).Spend.Calls)
		}
	})
	cfg := plan()
	cfg.Weights = &config.Weights{States: 1, Rounds: 1, Epochs: 1}
	cfg.Limits.Passes, cfg.Limits.Calls = 1, 2 // room for one at a time
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	result(t, env)
	if !slices.Equal(calls, []int{0, 1}) {
		t.Errorf("descriptions began after %d calls", calls)
	}
}

// When the run should come to its evaluation is said from the second pass on, by the first, and not while it evaluates.
func TestTimeLeft(t *testing.T) {
	cfg := plan()
	cfg.TextGrad.Off, cfg.Add.Off, cfg.Drop.Off = true, true, true
	cfg.Train.PlateauDelta, cfg.Limits.Passes = 0, 2
	began := time.Unix(1e9, 0).UTC()
	said := map[workflows.Stage][]time.Duration{}
	run := func(began time.Time, st *workflows.State, paused bool) error {
		w := &fakes{loss: 1}
		env := w.environment(t)
		override(env, workflows.Train, func(in workflows.TrainInput) (workflows.TrainOutput, error) {
			out := workflows.TrainOutput{Model: in.Model, Points: []workflows.Point{{Epoch: in.From + in.Epochs}}}
			out.Model.Student = ref("student")
			return out, nil
		}).After(2 * time.Minute)
		env.SetStartTime(began)
		env.OnUpsertMemo(mock.Anything).Return(nil).Run(func(args mock.Arguments) {
			s := args.Get(0).(map[string]any)[workflows.MemoStatus].(workflows.Status)
			if s.Ends != nil {
				said[s.Stage] = append(said[s.Stage], s.Ends.Sub(time.Unix(1e9, 0)))
			}
		})
		if paused {
			env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.SignalPause, nil) }, 3*time.Minute)
			env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.SignalResume, nil) }, time.Hour)
		}
		env.ExecuteWorkflow(workflows.Distill, cfg, st)
		return env.GetWorkflowError()
	}
	var next *workflow.ContinueAsNewError
	if err := run(began, nil, false); !errors.As(err, &next) || len(said) > 0 {
		t.Fatalf("%v; in the first pass it said %v", err, said)
	}
	var st *workflows.State
	if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &cfg, &st); err != nil {
		t.Fatal(err)
	}
	again := *st
	if err := run(began.Add(4*time.Minute), st, false); err != nil {
		t.Fatal(err)
	}
	// A pass of four epochs takes four minutes, and an epoch of annealing follows it, which takes two minutes here.
	want := []time.Duration{9, 9, 9, 9, 9, 10}
	for i := range want {
		want[i] *= time.Minute
	}
	if got := said[workflows.StageTraining]; len(said) != 1 || !slices.Equal(got, want) {
		t.Errorf("said %v, want %v in training", said, want)
	}
	clear(said)
	if err := run(began.Add(4*time.Minute), &again, true); err != nil {
		t.Fatal(err)
	}
	// It pauses from minute 8 on, after the second segment, until minute 64.
	want = append(want[:5], 65*time.Minute, 66*time.Minute)
	if got := said[workflows.StageTraining]; len(said) != 1 || !slices.Equal(got, want) {
		t.Errorf("with a pause it said %v, want %v in training", said, want)
	}
}

// A signal of a round that is over changes nothing while the next one runs, nor does one that cannot be read.
func TestSpendingThatComesTooLate(t *testing.T) {
	w := &fakes{loss: 1, gain: 0.1, admits: 1}
	env := w.environment(t)
	var rounds []string
	env.SetOnChildWorkflowStartedListener(func(info *workflow.Info, _ workflow.Context, _ converter.EncodedValues) {
		rounds = append(rounds, info.WorkflowExecution.ID)
	})
	sent, most := 0, 0
	env.OnUpsertMemo(mock.Anything).Return(nil).Run(func(args mock.Arguments) {
		s := args.Get(0).(map[string]any)[workflows.MemoStatus].(workflows.Status)
		most = max(most, s.Spent().Calls)
		if s.Round.Calls == 0 || len(rounds) < 2 || sent == len(rounds) {
			return
		}
		sent = len(rounds)
		late := workflows.RoundSpend{Round: rounds[len(rounds)-2], Spend: workflows.Spend{Calls: 1000}}
		env.RegisterDelayedCallback(func() {
			env.SignalWorkflow(workflows.SignalSpent, "no sum")
			env.SignalWorkflow(workflows.SignalSpent, late)
		}, 0)
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), &workflows.State{ModelAndData: trained()})
	var next *workflow.ContinueAsNewError
	if err := env.GetWorkflowError(); !errors.As(err, &next) {
		t.Fatal(err)
	}
	if sent == 0 || most != w.asked {
		t.Errorf("of %v, late signals to %d: at most %d calls were shown, want %d", rounds, sent, most, w.asked)
	}
}

// captions is a worker's interceptor that keeps the summaries of activities and children.
type captions struct {
	interceptor.WorkerInterceptorBase
	mu   sync.Mutex
	seen map[string]string // by activity or child
}

type captioned struct {
	interceptor.WorkflowInboundInterceptorBase
	all *captions
}

type captioning struct {
	interceptor.WorkflowOutboundInterceptorBase
	all *captions
}

func (c *captions) InterceptWorkflow(
	_ workflow.Context, next interceptor.WorkflowInboundInterceptor,
) interceptor.WorkflowInboundInterceptor {
	i := &captioned{all: c}
	i.Next = next
	return i
}

func (c *captioned) Init(next interceptor.WorkflowOutboundInterceptor) error {
	o := &captioning{all: c.all}
	o.Next = next
	return c.Next.Init(o)
}

func (c *captioning) ExecuteActivity(ctx workflow.Context, name string, args ...any) workflow.Future {
	c.all.note(name, workflow.GetActivityOptions(ctx).Summary)
	return c.Next.ExecuteActivity(ctx, name, args...)
}

func (c *captioning) ExecuteChildWorkflow(ctx workflow.Context, name string, args ...any) workflow.ChildWorkflowFuture {
	c.all.note(name, workflow.GetChildWorkflowOptions(ctx).StaticSummary)
	return c.Next.ExecuteChildWorkflow(ctx, name, args...)
}

func (c *captions) note(name, summary string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[name] = summary
}

// The first tab of Temporal's UI shows the summaries of steps. They say where the run stands when a step begins, and in
// a round what the round has spent.
func TestSummariesSayWhereTheRunStands(t *testing.T) {
	w := &fakes{loss: 1}
	env := w.environment(t)
	c := &captions{seen: map[string]string{}}
	cfg := plan()
	cfg.Limits.Epochs = 4
	env.SetWorkerOptions(worker.Options{Interceptors: append(workflows.Interceptors(), c)})
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	result(t, env)
	for name, want := range map[string]string{
		workflows.Prepare.Name(): "check teacher, bank and config",
		workflows.Train.Name(): "annealing: epochs 5 to 5, 3 programs · pass 1, epoch 4 of 4 · " +
			"top-1 50.0 % · LLM [0-9]+ calls",
		workflows.NameTextGradRound: "textual step · pass 1, epoch 4 of 4 · top-1 50.0 % · " +
			"LLM [0-9]+ calls",
		workflows.Report.Name(): `write the report · pass 1, epoch 5 of 4 \+ 1 annealing · top-1 50.0 % · ` +
			"LLM [0-9]+ calls",
		workflows.Rewrite.Name(): "rewrite [ab] · LLM, in this round: [0-9]+ calls, [0-9]+ tokens",
	} {
		if got := c.seen[name]; !regexp.MustCompile("^" + want + "$").MatchString(got) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// The memo says how far a run is, also at its end, and is kept in continue-as-new. The result begins with a sentence.
func TestMemoAndResultSpeak(t *testing.T) {
	w := &fakes{loss: 1}
	env := w.environment(t)
	var memos []workflows.Status
	env.OnUpsertMemo(mock.Anything).Return(nil).Run(func(args mock.Arguments) {
		memos = append(memos, args.Get(0).(map[string]any)[workflows.MemoStatus].(workflows.Status))
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	r := result(t, env)
	if len(memos) == 0 || memos[0].Stage != "preparing" {
		t.Fatalf("memos %+v", memos)
	}
	last := memos[len(memos)-1]
	if last.Stage != workflows.StageDone || last.Summary != r.Summary || last.Epoch != 5 || last.Spend.Calls == 0 ||
		len(last.Points) != 1 || len(last.Events) != 0 {
		t.Errorf("the last memo is %+v", last)
	}
	data, err := json.Marshal(r)
	if err != nil || !strings.HasPrefix(string(data), `{"summary":`) {
		t.Errorf("the result is %s (%v)", data, err)
	}
}

func TestEpochWords(t *testing.T) {
	for want, s := range map[string]workflows.Status{
		"epoch 24 of at most 18 + 6 annealing": {Epoch: 24, Epochs: 24, Anneal: 6},
		"epoch 3 of at most 18":                {Epoch: 3, Epochs: 18},
	} {
		if got := s.EpochWords(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// In every execution, the UI shows what is distilled, because the summary of the start belongs to the first one only.
// It also shows which signals it may send and, at the end, the result.
func TestDetailsForTheUI(t *testing.T) {
	w := &fakes{loss: 1}
	env := w.environment(t)
	env.ExecuteWorkflow(workflows.Distill, plan(), &workflows.State{
		Moment: workflows.Moment{Pass: 1}, TeacherName: "am20", ModelAndData: trained(),
	})
	r := result(t, env)
	value, err := env.QueryWorkflow("__temporal_workflow_metadata")
	if err != nil {
		t.Fatal(err)
	}
	var told sdk.WorkflowMetadata
	if err := value.Get(&told); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"distil am20 on TSP-20\n", "**done**", "epoch 5 of at most 20 + 1 annealing", "**" + r.Summary + "**",
	} {
		if !strings.Contains(told.CurrentDetails, want) {
			t.Errorf("the details lack %q:\n%s", want, told.CurrentDetails)
		}
	}
	var signals []string
	for _, s := range told.Definition.SignalDefinitions {
		signals = append(signals, s.Name+": "+s.Description)
	}
	const want = "pause: pause before the next step; resume: go on; stop: end"
	if got := strings.Join(signals, "; "); !strings.Contains(got, want) {
		t.Errorf("signals %s, want %s …", got, want)
	}
}

// An execution that began before rounds told what they spend writes no memo for it, since a worker of that version may
// have read the signal without one.
func TestOlderExecutionsWriteNoMemoForRounds(t *testing.T) {
	w := &fakes{loss: 1}
	env := w.environment(t)
	env.OnGetVersion("distill", workflow.DefaultVersion, workflow.Version(10)).Return(workflow.Version(1))
	env.OnGetVersion("round", workflow.DefaultVersion, workflow.Version(1)).Return(workflow.Version(1))
	memos, told := 0, 0
	env.OnUpsertMemo(mock.Anything).Return(nil).Run(func(args mock.Arguments) {
		memos++
		if args.Get(0).(map[string]any)[workflows.MemoStatus].(workflows.Status).Round.Calls > 0 {
			told++
		}
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	result(t, env)
	if memos == 0 || told > 0 {
		t.Errorf("%d of %d memos tell of a round under way", told, memos)
	}
}

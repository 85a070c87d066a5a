package workflows_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/testsuite"

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
		"distil am20 on TSP-20\n", "**done**", "epoch 5 of at most 100 + 1 annealing", "**" + r.Summary + "**",
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

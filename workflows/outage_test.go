package workflows_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/workflows"
)

// An outage in the middle of a round affects only the open questions: finished edits are committed, and a heuristic
// that could not be revised keeps its score, so it has its turn again.
func TestTextGradCommitsWhatWasDoneBeforeAnOutage(t *testing.T) {
	away := final(workflows.ErrLLMUnavailable, "401")
	for name, tt := range map[string]struct {
		steps  bool // the writer does not answer for b's edit; otherwise it does not answer for any description
		events string
		blame  float64 // of b
	}{
		"description": {events: "textgrad a, textgrad b"},
		"edit":        {steps: true, events: "textgrad a, waiting b", blame: 0.7},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fakes{loss: 1, gain: 0.1}
			env := w.environment(t)
			override(env, workflows.Attribute, func(workflows.AttributeInput) (workflows.Attribution, error) {
				return workflows.Attribution{
					Dispatch: []workflows.Dispatch{
						{Index: 0, Name: "a", Heuristic: ref("a"), Score: 0.9, Failures: 1},
						{Index: 1, Name: "b", Heuristic: ref("b"), Score: 0.7, Failures: 1},
					},
					Blame: []workflows.Blame{{Heuristic: "a"}, {Heuristic: "b"}, {Heuristic: "c", Score: 0.1}},
				}, nil
			})
			if tt.steps {
				override(env, workflows.Step, func(in workflows.StepInput) (workflows.Candidate, error) {
					if in.Heuristic == ref("b") {
						return workflows.Candidate{}, away
					}
					return workflows.Candidate{Heuristic: ref("edit"), Name: "edit"}, nil
				})
			} else {
				override(env, workflows.Describe, func(workflows.DescribeInput) (workflows.Candidate, error) {
					return workflows.Candidate{}, away
				})
			}
			in := workflows.TextGradInput{Config: plan(), ModelAndData: bankOf(3)}
			env.ExecuteWorkflow(workflows.TextGradRound, in)
			out := outcome[workflows.TextGradOutput](t, env)
			var events []string
			for _, e := range out.Events {
				events = append(events, string(e.Kind)+" "+e.Name)
			}
			if got := strings.Join(events, ", "); got != tt.events || (out.Waiting != "") != tt.steps {
				t.Errorf("events %s and waiting %q, want %s", got, out.Waiting, tt.events)
			}
			want := []workflows.Blame{{Heuristic: "a"}, {Heuristic: "b", Score: tt.blame}, {Heuristic: "c", Score: 0.1}}
			if !slices.Equal(out.Blame, want) {
				t.Errorf("blame %v, want %v for b", out.Blame, tt.blame)
			}
			if len(out.Momentum) != 0 {
				t.Errorf("momentum %v: what was not tried is not unresolved", out.Momentum)
			}
		})
	}
}

// While the LLM does not answer, SGD goes on. At the plateau the run waits, and continues when the LLM answers again.
func TestDistillOutlivesTheLLM(t *testing.T) {
	w := &fakes{loss: 1, llmDown: 9}
	env := w.environment(t)
	waited := false
	env.RegisterDelayedCallback(func() {
		s := status(t, env)
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

// A run that goes on without the LLM says so, and no more of it from its annealing on.
func TestGoingOnWithoutTheLLMIsNoWaiting(t *testing.T) {
	w := &fakes{loss: 1, llmDown: 1 << 30}
	env := w.environment(t)
	notes := map[bool][]string{} // by whether it anneals
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
		var in workflows.TrainInput
		if info.ActivityType.Name != workflows.Train.Name() || args.Get(&in) != nil {
			return
		}
		notes[in.Anneal] = append(notes[in.Anneal], status(t, env).Note)
		if in.From > 0 {
			env.SignalWorkflow(workflows.SignalStop, nil)
		}
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	result(t, env)
	const without = "goes on without LLM: could not revise b: 401"
	if got := notes[false]; !slices.Equal(got, []string{"", without}) || !slices.Equal(notes[true], []string{""}) {
		t.Errorf("it notes %q, and as it anneals %q", notes[false], notes[true])
	}
}

// A round that is tried again revises those alone that found no LLM: the others have had their turn.
func TestTriesOfARoundReviseWhatIsLeft(t *testing.T) {
	w := &fakes{loss: 1, llmDown: 7} // the last refusal meets one of two heuristics
	env := w.environment(t)
	var most []int
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
		var in workflows.AttributeInput
		if info.ActivityType.Name == workflows.Attribute.Name() && args.Get(&in) == nil {
			most = append(most, in.TextGrad.Heuristics)
		}
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	if want := []int{2, 2, 2, 1}; !slices.Equal(most, want) {
		t.Errorf("two rounds and two tries of the second revise at most %v heuristics, want %v", most, want)
	}
}

// An outage neither ends a run nor uses up its epochs. Without a plateau, SGD goes on and the next pass asks again. At
// a plateau, or in its last pass, the run waits, both for edits and for new programs.
func TestDistillWaitsWhereSGDHasNoMoreToGive(t *testing.T) {
	for name, tt := range map[string]struct {
		change  func(*config.Distill)
		pass    int
		waits   bool
		trained string
	}{
		"a full bank": {func(c *config.Distill) { c.Add.MaxBank = 3 },
			0, true, "0+2, 2+2, 4+1 anneal"},
		"no Add": {func(c *config.Distill) { c.Add.Off = true },
			0, true, "0+2, 2+2, 4+1 anneal"},
		"no TextGrad": {func(c *config.Distill) { c.TextGrad.Off = true },
			0, true, "0+2, 2+2, 4+1 anneal"},
		"no plateau": {func(c *config.Distill) { c.Train.PlateauDelta = 0 },
			0, false, "0+2, 2+2"},
		"no plateau, no Add": {func(c *config.Distill) { c.Train.PlateauDelta, c.Add.Off = 0, true },
			0, false, "0+2, 2+2"},
		"the last pass": {func(c *config.Distill) { c.Train.PlateauDelta = 0 },
			4, true, "8+2, 10+2, 12+1 anneal"},
		"the last pass, no Add": {func(c *config.Distill) { c.Train.PlateauDelta, c.Add.Off = 0, true },
			4, true, "8+2, 10+2, 12+1 anneal"},
		"the last few epochs, full": {
			func(c *config.Distill) { c.Train.PlateauDelta, c.Limits.Epochs, c.Add.MaxBank = 0, 12, 3 },
			2, true, "8+2, 10+2, 12+1 anneal"},
		"the last few epochs": {func(c *config.Distill) { c.Train.PlateauDelta, c.Limits.Epochs = 0, 12 },
			2, true, "8+2, 10+2, 12+1 anneal"},
	} {
		w := &fakes{loss: 1, llmDown: 1 << 30}
		env := w.environment(t)
		cfg := plan()
		tt.change(&cfg)
		var state *workflows.State
		if tt.pass > 0 {
			state = &workflows.State{Moment: workflows.Moment{Pass: tt.pass, Epoch: 8}, ModelAndData: trained()}
		}
		var stage workflows.Stage
		env.RegisterDelayedCallback(func() {
			stage = status(t, env).Stage
			env.SignalWorkflow(workflows.SignalStop, nil)
		}, 12*time.Hour)
		env.ExecuteWorkflow(workflows.Distill, cfg, state)
		err := env.GetWorkflowError()
		good := !tt.waits && workflow.IsContinueAsNewError(err)
		if tt.waits && err == nil {
			good = stage == workflows.StageWaiting && result(t, env).Ended == "stopped on request"
		}
		if !good {
			t.Errorf("%s: after 12 hours %q, ended with %v", name, stage, err)
		}
		if got := strings.Join(w.trained, ", "); got != tt.trained {
			t.Errorf("%s: trained %q, want %q", name, got, tt.trained)
		}
	}
}

// The events say once that Add found no LLM, whether the run waits for it or goes on.
func TestEventsTellOfAnAddWithoutLLM(t *testing.T) {
	for _, waits := range []bool{true, false} {
		w := &fakes{loss: 1, llmDown: 1 << 30}
		env := w.environment(t)
		cfg := plan()
		cfg.TextGrad.Off = true
		if !waits {
			cfg.Train.PlateauDelta = 0
		}
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.SignalStop, nil) }, 12*time.Hour)
		env.ExecuteWorkflow(workflows.Distill, cfg, nil)
		var told []string
		for _, e := range status(t, env).Events {
			told = append(told, string(e.Kind)+" "+e.Detail)
		}
		if !slices.Equal(told, []string{"waiting for LLM: could not propose: 401"}) {
			t.Errorf("waits %v: %q", waits, told)
		}
	}
}

package workflows_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

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
				last := w.rejections[len(w.rejections)-1]
				if len(last) != 1 || !strings.Contains(last[0].Reason, "validation loss") {
					t.Errorf("the second attempt was shown %v", last)
				}
			}
		})
	}
}

// The critic is asked about each heuristic's own failures, first on its code and then on its description. The run
// commits the edit with the description that was written for it, or the program written from the new description.
func TestTextGradAsksOfEachItsOwn(t *testing.T) {
	for name, tt := range map[string]struct {
		accepted  string // the candidate that lowers the loss
		questions []string
		committed string
	}{
		"phase 1": {"edit", []string{"code a 0", "code a 1", "code b 0"}, "described"},
		"phase 2": {"rewritten", []string{
			"code a 0", "code a 1", "code b 0", "description a 0", "description a 1", "description b 0",
		}, "rewritten"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fakes{loss: 1}
			env := w.environment(t)
			var questions []string
			var committed []store.Ref
			listen := func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
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
			}
			env.SetOnActivityStartedListener(listen)
			override(env, workflows.Judge, func(in workflows.JudgeInput) (workflows.Verdict, error) {
				v := workflows.Verdict{Before: 1, After: 1, Candidate: in.Candidate}
				if in.Candidate == ref(tt.accepted) || in.Candidate == ref("described") {
					v.After = 0.5
				}
				return v, nil
			})
			override(env, workflows.Describe, func(in workflows.DescribeInput) (workflows.Candidate, error) {
				return workflows.Candidate{Heuristic: ref("described")}, nil
			})
			in := workflows.TextGradInput{Config: plan(), ModelAndData: bankOf(3)}
			env.ExecuteWorkflow(workflows.TextGradRound, in)
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

// A round begins with the state in which the one before ended: with its blame and its unresolved failures.
func TestRoundsCarryOn(t *testing.T) {
	w := &fakes{loss: 1, momentum: map[string][]store.Ref{}}
	env := w.environment(t)
	var before [][]workflows.Blame
	override(env, workflows.Attribute, func(in workflows.AttributeInput) (workflows.Attribution, error) {
		before = append(before, in.Blame)
		return workflows.Attribution{
			Dispatch: []workflows.Dispatch{{Name: "a", Heuristic: ref("a"), Failures: 2}},
			Blame:    []workflows.Blame{{Heuristic: "a", Score: float64(len(before))}},
		}, nil
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	result(t, env)
	want := []workflows.Blame{{Heuristic: "a", Score: 1}}
	if len(before) != 2 || len(before[0]) != 0 || !slices.Equal(before[1], want) {
		t.Errorf("rounds began with the blame %v", before)
	}
	if got := w.momentum["a"]; !slices.Equal(got, []store.Ref{ref("gradient"), ref("gradient")}) {
		t.Errorf("the second round's Step saw %v unresolved, want the two gradients of the first", got)
	}
}

// An edit is not committed if another edit of its round has made it faulty, or no better than what it replaces.
func TestTextGradJudgesAgainAfterACommit(t *testing.T) {
	for want, again := range map[string]workflows.Verdict{
		"after the round's other edits, state 7: trap":                            {Problem: "state 7: trap"},
		"after the round's other edits, validation loss 1.0000 instead of 0.9000": {Before: 0.9, After: 1},
		"validation loss 0.9000 → 0.6500":                                         {Before: 0.9, After: 0.65},
	} {
		w := &fakes{}
		env := w.environment(t)
		override(env, workflows.Judge, func(in workflows.JudgeInput) (workflows.Verdict, error) {
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

// An edit that was tuned again for the bank that an earlier edit changed is committed as it was judged last.
func TestTextGradCommitsWhatWasJudged(t *testing.T) {
	w := &fakes{}
	env := w.environment(t)
	override(env, workflows.Judge, func(in workflows.JudgeInput) (workflows.Verdict, error) {
		tuned := in.Candidate.Hash + ", tuned"
		return workflows.Verdict{Before: 1, After: 0.5, Candidate: ref(tuned)}, nil
	})
	var committed []string
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
		var in workflows.CommitInput
		if info.ActivityType.Name == workflows.Commit.Name() && args.Get(&in) == nil {
			committed = append(committed, in.Candidate.Hash)
		}
	})
	cfg := plan()
	cfg.Weights = &config.Weights{States: 1, Rounds: 1, Epochs: 1, Judge: 1}
	env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{Config: cfg, ModelAndData: bankOf(3)})
	outcome[workflows.TextGradOutput](t, env)
	if want := []string{"edit, tuned", "edit, tuned, tuned"}; !slices.Equal(committed, want) {
		t.Errorf("committed %q, want %q", committed, want)
	}
}

func TestRefusal(t *testing.T) {
	const wanted = ", and it has to fall by 0.25"
	for _, tt := range []struct {
		verdict workflows.Verdict
		want    string
	}{
		{workflows.Verdict{Before: 1, After: 0.5}, ""},
		{workflows.Verdict{Before: 1, After: 0.75}, ""}, // exactly δ
		{workflows.Verdict{Before: 1, After: 0.875}, "validation loss 0.8750 instead of 1.0000" + wanted},
		{workflows.Verdict{Before: 0.21541, After: 0.21544}, "validation loss 0.21544 instead of 0.21541" + wanted},
		{workflows.Verdict{Before: 1, After: math.NaN()}, "validation loss NaN instead of 1.0000" + wanted},
		{workflows.Verdict{Before: math.NaN(), After: 1}, "validation loss 1.0000 instead of NaN" + wanted},
		{workflows.Verdict{Before: 1, Problem: "trap"}, "trap"},
	} {
		if got := tt.verdict.Refusal(0.25); got != tt.want {
			t.Errorf("%+v: refused for %q, want %q", tt.verdict, got, tt.want)
		}
	}
}

// A failure stays persistent until its heuristic is edited or dropped, whatever other failures are found.
func TestMomentumLastsUntilAnEdit(t *testing.T) {
	const dropped = "gone"
	w := &fakes{loss: 1}
	var momentum []workflows.Unresolved
	for round, want := range []string{"a0 a1 b0", "a0 a1 b0 a0 a1 b0", "b0 a0 a1 b0 a0 a1 b0", ""} {
		env := w.environment(t)
		if round == 3 {
			w.gain = 0.1
		}
		override(env, workflows.Backward, func(in workflows.BackwardInput) (workflows.Gradient, error) {
			name := fmt.Sprintf("%c%d%d", 'a'+in.Owner, in.Failure, round)
			return workflows.Gradient{Object: ref(name), Valid: true}, nil
		})
		cfg := plan()
		cfg.TextGrad.Failures = 2
		w.momentum = map[string][]store.Ref{}
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{
			Config: cfg, ModelAndData: bankOf(3),
			Momentum: append(momentum, workflows.Unresolved{Heuristic: dropped, Gradient: ref("x")}),
		})
		out := outcome[workflows.TextGradOutput](t, env)
		// Step got the unresolved failures of its own heuristic.
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
		old := workflows.Unresolved{Heuristic: "a", Gradient: ref("a00")}
		if round == 2 && slices.Contains(momentum, old) {
			t.Errorf("momentum %v, want no more than two rounds of two", momentum)
		}
	}
}

// The writer of the next round is shown the last two rejected edits of the same program; an accepted edit ends that,
// and leaves its gain.
func TestRejectionsLastUntilAnEdit(t *testing.T) {
	w := &fakes{loss: 1}
	var past []workflows.Past
	for round, want := range []int{0, 1, 2, 2} {
		if round == 3 {
			w.gain = 0.1
		}
		env := w.environment(t)
		cfg := plan()
		cfg.TextGrad.Rounds, cfg.TextGrad.NoPhase2 = 1, true
		var shown []int
		override(env, workflows.Step, func(in workflows.StepInput) (workflows.Candidate, error) {
			shown = append(shown, len(in.Rejected))
			return workflows.Candidate{Heuristic: ref(fmt.Sprintf("edit%d", round)), Name: "edit"}, nil
		})
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{
			Config: cfg, ModelAndData: bankOf(3), Past: append(past, workflows.Past{Heuristic: "gone"}),
		})
		past = outcome[workflows.TextGradOutput](t, env).Past
		if slices.ContainsFunc(shown, func(n int) bool { return n != want }) || len(shown) == 0 {
			t.Errorf("round %d: the writers saw %v rejected edits, want %d each", round, shown, want)
		}
	}
	for _, p := range past {
		if p.Heuristic == "gone" || len(p.Rejected) > 0 || p.Gain <= 0 {
			t.Errorf("after an accepted edit %+v is kept", p)
		}
	}
}

// The event of a rejected edit has the losses of the edit that it speaks of, none where that was not judged.
func TestRejectionsHaveTheirOwnLosses(t *testing.T) {
	for bad, want := range map[int]workflows.Event{
		0: {Detail: "validation loss 2.0000 instead of 1.0000", Before: 1, After: 2},
		1: {Detail: "it does not compile"},
	} {
		w := &fakes{}
		env := w.environment(t)
		override(env, workflows.Step, func(in workflows.StepInput) (workflows.Candidate, error) {
			if in.Round == bad {
				return workflows.Candidate{Problem: "it does not compile"}, nil
			}
			return workflows.Candidate{Heuristic: ref("edit"), Name: "edit"}, nil
		})
		override(env, workflows.Judge, func(in workflows.JudgeInput) (workflows.Verdict, error) {
			return workflows.Verdict{Before: 1, After: 2, Candidate: in.Candidate}, nil
		})
		cfg := plan()
		cfg.TextGrad.Rounds, cfg.TextGrad.NoPhase2, cfg.TextGrad.Delta = 2, true, 0
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{Config: cfg, ModelAndData: bankOf(3)})
		got := outcome[workflows.TextGradOutput](t, env).Events[0]
		if got.Kind != workflows.EventRejected || got.Detail != want.Detail || got.Before != want.Before ||
			got.After != want.After {
			t.Errorf("edit %d does not compile: %+v, want %+v", bad, got, want)
		}
	}
}

func TestMomentumOutlivesARoundWithoutGradients(t *testing.T) {
	for mute, want := range map[bool]string{true: "old other", false: "old other gradient gradient gradient"} {
		w := &fakes{loss: 1, mute: mute}
		env := w.environment(t)
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{
			Config: plan(), ModelAndData: bankOf(3),
			Momentum: []workflows.Unresolved{
				{Heuristic: "a", Gradient: ref("old")}, {Heuristic: "c", Gradient: ref("other")},
			},
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

// If the budget ends among parallel questions, the round reports this, whichever question met the end first.
func TestTextGradReportsTheBudgetInAnyOrder(t *testing.T) {
	for refused := range 2 {
		w := &fakes{loss: 1}
		env := w.environment(t)
		override(env, workflows.Backward, func(in workflows.BackwardInput) (workflows.Gradient, error) {
			if in.Failure == refused {
				return workflows.Gradient{}, final(workflows.ErrLLMBudget, "the LLM budget is used up")
			}
			return workflows.Gradient{Problem: "no FLAW"}, nil
		})
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{Config: plan(), ModelAndData: bankOf(3)})
		out := outcome[workflows.TextGradOutput](t, env)
		if got := out.Events[0].Detail; got != "the LLM budget is used up" { // a has two failures
			t.Errorf("question %d refused, and the event says %q", refused, got)
		}
	}
}

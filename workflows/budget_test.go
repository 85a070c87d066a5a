package workflows_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// greedy stands for LLM activities that use all calls that they are given, at most five, and fail if they are given
// none.
type greedy struct {
	mu    sync.Mutex
	spent int
}

func (g *greedy) take(b *ledger.Budget) (ledger.Spend, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(b.Calls, 5)
	if n == 0 {
		return ledger.Spend{}, final(workflows.ErrLLMBudget, "the LLM budget is used up", ledger.Spend{})
	}
	g.spent += n
	return ledger.Spend{Calls: n}, nil
}

func (g *greedy) play(env *testsuite.TestWorkflowEnvironment) {
	override(env, workflows.Backward, func(in workflows.BackwardInput) (workflows.Gradient, error) {
		s, err := g.take(in.Budget)
		return workflows.Gradient{Object: ref("gradient"), Valid: err == nil, Spend: s}, err
	})
	candidate := func(b *ledger.Budget, h store.Ref) (workflows.Candidate, error) {
		s, err := g.take(b)
		return workflows.Candidate{Heuristic: h, Name: "edit", Spend: s}, err
	}
	override(env, workflows.Step, func(in workflows.StepInput) (workflows.Candidate, error) {
		return candidate(in.Budget, ref("edit"))
	})
	override(env, workflows.Rewrite, func(in workflows.RewriteInput) (workflows.Candidate, error) {
		return candidate(in.Budget, ref("rewritten"))
	})
	override(env, workflows.Describe, func(in workflows.DescribeInput) (workflows.Candidate, error) {
		return candidate(in.Budget, in.Heuristic)
	})
	override(env, workflows.Propose, func(in workflows.ProposeInput) (workflows.Proposal, error) {
		s, err := g.take(in.Budget)
		two := []workflows.Candidate{{Heuristic: ref("a")}, {Heuristic: ref("b")}}
		return workflows.Proposal{Candidates: two, Spend: s}, err
	})
	override(env, workflows.Assign, func(in workflows.AssignInput) (workflows.Assignment, error) {
		return workflows.Assignment{Counts: []int{2, 1}}, nil
	})
}

// A round never spends more than its budget, with any number of questions at once. It ends without an error even if its
// budget is small.
func TestRoundsKeepToTheirBudget(t *testing.T) {
	for _, gain := range []float64{0.1, 0} { // phase 1 succeeds, or both phases run
		for calls := range 40 {
			g := &greedy{}
			w := &fakes{loss: 1, gain: gain}
			env := w.environment(t)
			g.play(env)
			env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{
				Config: plan(), ModelAndData: bankOf(3), Budget: callsLeft(calls),
			})
			var out workflows.TextGradOutput
			if err := env.GetWorkflowError(); err != nil {
				t.Fatalf("%d calls: %v", calls, err)
			}
			if err := env.GetWorkflowResult(&out); err != nil {
				t.Fatal(err)
			}
			if out.Spend.Calls > calls || out.Spend.Calls != g.spent || out.Waiting != "" || len(out.Events) != 2 {
				t.Errorf("%d calls: spent %v of which %d were made, %d events, waiting %q",
					calls, out.Spend, g.spent, len(out.Events), out.Waiting)
			}
			if calls == 0 && !strings.Contains(out.Events[0].Detail, "budget is used up") {
				t.Errorf("no budget, and the event says %q", out.Events[0].Detail)
			}
		}
	}
}

// The gradients never use the call that is reserved for the step. If there is room for a gradient and a step, both are
// asked for. With a single call, neither is.
func TestGradientsLeaveTheStepItsCall(t *testing.T) {
	for failures := 1; failures <= 3; failures++ {
		for calls := 1; calls <= 16; calls++ {
			rounds := map[string]func(env *testsuite.TestWorkflowEnvironment){
				workflows.NameTextGradRound: func(env *testsuite.TestWorkflowEnvironment) {
					env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{
						Config: plan(), ModelAndData: bankOf(3), Budget: callsLeft(calls),
					})
				},
				workflows.NameAdd: func(env *testsuite.TestWorkflowEnvironment) {
					env.ExecuteWorkflow(workflows.Add, workflows.AddInput{
						Config: plan(), ModelAndData: bankOf(3), Budget: callsLeft(calls),
					})
				},
			}
			for name, round := range rounds {
				g := &greedy{}
				w := &fakes{loss: 1, failures: failures}
				env := w.environment(t)
				override(env, workflows.Attribute, func(workflows.AttributeInput) (workflows.Attribution, error) {
					return workflows.Attribution{Dispatch: []workflows.Dispatch{{Name: "a", Failures: failures}}}, nil
				})
				override(env, workflows.Propose, func(workflows.ProposeInput) (workflows.Proposal, error) {
					one := []workflows.Candidate{{Heuristic: ref("a"), Name: "a"}}
					return workflows.Proposal{Candidates: one}, nil // paid for in an earlier attempt
				})
				override(env, workflows.Assign, func(workflows.AssignInput) (workflows.Assignment, error) {
					return workflows.Assignment{Counts: []int{failures}}, nil
				})
				asked, stepped := 0, 0
				override(env, workflows.Backward, func(in workflows.BackwardInput) (workflows.Gradient, error) {
					s, err := g.take(in.Budget)
					asked += s.Calls
					return workflows.Gradient{Object: ref("gradient"), Valid: err == nil, Spend: s}, err
				})
				override(env, workflows.Step, func(in workflows.StepInput) (workflows.Candidate, error) {
					s, err := g.take(in.Budget)
					stepped += s.Calls
					return workflows.Candidate{Heuristic: ref("edit"), Name: "edit", Spend: s}, err
				})
				round(env)
				if err := env.GetWorkflowError(); err != nil {
					t.Fatal(err)
				}
				if both := calls > 1; (asked > 0) != both || (stepped > 0) != both {
					t.Errorf("%s, %d failures, %d calls: %d went into gradients and %d into steps",
						name, failures, calls, asked, stepped)
				}
			}
		}
	}
}

// A budget that has room for few questions at once is spent on one after another. It is not refused to all of them.
func TestTightBudgetIsSpent(t *testing.T) {
	cfg, err := config.Preset("lehd-tsp100")
	if err != nil {
		t.Fatal(err)
	}
	cfg.LLM.Prices = ledger.Prices{"gpt-5": {Input: 1.25, Output: 10}}
	worst := cfg.LLM.Worst(1)
	for _, usd := range []float64{0.5, 1, 4, 14, 100} {
		var mu sync.Mutex
		var spent ledger.Spend
		gradients, steps := map[string]int{}, map[string]int{} // calls, by heuristic
		call := func(b *ledger.Budget) (ledger.Spend, error) {
			l := ledger.Open(b, cfg.LLM.Prices)
			if err := l.Reserve("gpt-5", 20_000, cfg.LLM.MaxTokens); err != nil {
				return ledger.Spend{}, final(workflows.ErrLLMBudget, err.Error(), ledger.Spend{})
			}
			mu.Lock()
			defer mu.Unlock()
			s := cfg.LLM.Prices.Call("gpt-5", 5000, 4000)
			spent = spent.Plus(s)
			return s, nil
		}
		w := &fakes{loss: 1}
		env := w.environment(t)
		override(env, workflows.Attribute, func(workflows.AttributeInput) (workflows.Attribution, error) {
			var all workflows.Attribution
			for i := range cfg.TextGrad.Heuristics {
				all.Dispatch = append(all.Dispatch, workflows.Dispatch{
					Index: i, Name: strconv.Itoa(i), Heuristic: ref(strconv.Itoa(i)), Failures: cfg.TextGrad.Failures,
				})
			}
			return all, nil
		})
		override(env, workflows.Backward, func(in workflows.BackwardInput) (workflows.Gradient, error) {
			s, err := call(in.Budget)
			gradients[in.Heuristic.Hash] += s.Calls
			return workflows.Gradient{Object: ref("gradient"), Valid: err == nil, Spend: s}, err
		})
		override(env, workflows.Step, func(in workflows.StepInput) (workflows.Candidate, error) {
			s, err := call(in.Budget)
			steps[in.Heuristic.Hash] += s.Calls
			return workflows.Candidate{Heuristic: ref("edit"), Name: "edit", Spend: s}, err
		})
		override(env, workflows.Rewrite, func(in workflows.RewriteInput) (workflows.Candidate, error) {
			s, err := call(in.Budget)
			return workflows.Candidate{Heuristic: ref("rewritten"), Name: "rewritten", Spend: s}, err
		})
		budget := ledger.New(0, 0, usd)
		env.ExecuteWorkflow(workflows.TextGradRound, workflows.TextGradInput{
			Config: cfg, ModelAndData: bankOf(11), Budget: budget,
		})
		out := outcome[workflows.TextGradOutput](t, env)
		// Every heuristic has eight gradients of each kind, R steps and a rewrite, or the budget is spent except the
		// calls that heuristics which ended together could not use: each reserves a call for the step that follows a
		// gradient.
		all := cfg.TextGrad.Heuristics * (2*cfg.TextGrad.Failures + cfg.TextGrad.Rounds + 1)
		enough := usd*0.5e6 - float64(worst.MicroUSD)
		if out.Spend != spent || !budget.Allows(spent) || spent.Calls < all && float64(spent.MicroUSD) < enough {
			t.Errorf("%.2f USD: %v of at most %d calls, %v reported", usd, spent, all, out.Spend)
		}
		// Every gradient that was asked for is followed by a step.
		for name, n := range gradients {
			if n > 0 && steps[name] == 0 {
				t.Errorf("%.2f USD: heuristic %s has %d gradients and no step", usd, name, n)
			}
		}
	}
}

func TestAddKeepsToItsBudget(t *testing.T) {
	for calls := range 40 {
		g := &greedy{}
		w := &fakes{}
		env := w.environment(t)
		g.play(env)
		cfg := plan()
		cfg.Add.Rounds = 2
		env.ExecuteWorkflow(workflows.Add, workflows.AddInput{
			Config: cfg, ModelAndData: bankOf(3), Budget: callsLeft(calls),
		})
		var out workflows.AddOutput
		if err := env.GetWorkflowError(); err != nil {
			t.Fatalf("%d calls: %v", calls, err)
		}
		if err := env.GetWorkflowResult(&out); err != nil {
			t.Fatal(err)
		}
		if out.Spend.Calls > calls || out.Spend.Calls != g.spent || out.Waiting != "" {
			t.Errorf("%d calls: spent %v of which %d were made, waiting %q", calls, out.Spend, g.spent, out.Waiting)
		}
		if events := out.Revision.Events; calls == 0 && (len(events) != 1 || events[0].Kind != workflows.EventLimit) {
			t.Errorf("no budget, and the events are %v", events)
		}
	}
}

// For a full bank, Add asks nothing, and the run says so.
func TestAddToAFullBank(t *testing.T) {
	w := &fakes{}
	env := w.environment(t)
	cfg := plan()
	cfg.Add.MaxBank = 3
	env.ExecuteWorkflow(workflows.Add, workflows.AddInput{Config: cfg, ModelAndData: bankOf(3)})
	out := outcome[workflows.AddOutput](t, env)
	if events := out.Revision.Events; len(events) != 1 || events[0].Kind != workflows.EventLimit || w.asked != 0 {
		t.Errorf("events %v after %d questions, want one of kind %s and no question",
			events, w.asked, workflows.EventLimit)
	}
}

// An edit of a candidate replaces it only if it agrees better on the held-out faults. A rejected edit is shown to the
// next of the T rounds.
func TestAddRefines(t *testing.T) {
	for _, tt := range []struct {
		before, after float64
		admitted      string
		rejected      []int // edits Step was shown, by round
	}{
		{0.5, 0.6, "edit", []int{0, 0, 0}},
		{0.5, 0.5, "new", []int{0, 1, 2}},
		{0.5, 0.4, "new", []int{0, 1, 2}},
	} {
		w := &fakes{failures: 1}
		env := w.environment(t)
		assigns := 0
		override(env, workflows.Assign, func(in workflows.AssignInput) (workflows.Assignment, error) {
			assigns++
			return workflows.Assignment{Counts: []int{1}}, nil
		})
		override(env, workflows.Agree, func(in workflows.AgreeInput) (workflows.Agreement, error) {
			if in.Items[1] != ref("edit") {
				t.Errorf("compared %v, want the edit second", in.Items)
			}
			return workflows.Agreement{Top1: []float64{tt.before, tt.after}}, nil
		})
		override(env, workflows.Admit, func(in workflows.AdmitInput) (workflows.Revision, error) {
			if !slices.Equal(in.Candidates, []store.Ref{ref(tt.admitted)}) {
				t.Errorf("%v → %v: candidates %v, want %s", tt.before, tt.after, in.Candidates, tt.admitted)
			}
			if want := config.Default().Drop.Alike; in.Alike != want {
				t.Errorf("admitted up to an agreement of %v, want %v as Drop has it", in.Alike, want)
			}
			return workflows.Revision{Model: in.Model}, nil
		})
		cfg := plan()
		cfg.Add.Rounds = len(tt.rejected)
		env.ExecuteWorkflow(workflows.Add, workflows.AddInput{Config: cfg, ModelAndData: bankOf(3)})
		outcome[workflows.AddOutput](t, env)
		var rejected []int
		for _, r := range w.rejections {
			rejected = append(rejected, len(r))
		}
		if assigns != cfg.Add.Rounds || !slices.Equal(rejected, tt.rejected) {
			t.Errorf("%v → %v: faults assigned %d times, rejected edits shown %v, want %v",
				tt.before, tt.after, assigns, rejected, tt.rejected)
		}
	}
}

// The critic is asked about each candidate with the faults that were assigned to it.
func TestAddAsksOfEachItsOwn(t *testing.T) {
	w := &fakes{failures: 1}
	env := w.environment(t)
	override(env, workflows.Propose, func(workflows.ProposeInput) (workflows.Proposal, error) {
		return workflows.Proposal{Candidates: []workflows.Candidate{{Heuristic: ref("a")}, {Heuristic: ref("b")}}}, nil
	})
	asked := map[string]int{}
	var mu sync.Mutex
	override(env, workflows.Backward, func(in workflows.BackwardInput) (workflows.Gradient, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[in.Heuristic.Hash] = in.Owner
		return workflows.Gradient{Object: ref("gradient"), Valid: true}, nil
	})
	env.ExecuteWorkflow(workflows.Add, workflows.AddInput{Config: plan(), ModelAndData: bankOf(3)})
	outcome[workflows.AddOutput](t, env)
	if len(asked) != 2 || asked["a"] != 0 || asked["b"] != 1 {
		t.Errorf("asked about the faults of candidates %v", asked)
	}
}

// If the LLM does not answer about one candidate, it is not asked about the later ones, and Add can run again.
func TestAddAsksNoMoreOfAnAbsentLLM(t *testing.T) {
	w := &fakes{failures: 1}
	env := w.environment(t)
	override(env, workflows.Propose, func(workflows.ProposeInput) (workflows.Proposal, error) {
		return workflows.Proposal{Candidates: []workflows.Candidate{{Heuristic: ref("a")}, {Heuristic: ref("b")}}}, nil
	})
	var asked []int
	override(env, workflows.Backward, func(in workflows.BackwardInput) (workflows.Gradient, error) {
		asked = append(asked, in.Owner)
		return workflows.Gradient{}, final(workflows.ErrLLMUnavailable, "503", ledger.Spend{})
	})
	budget := &ledger.Budget{Calls: 3, Tokens: ledger.Unlimited, MicroUSD: ledger.Unlimited} // room for one at a time
	env.ExecuteWorkflow(workflows.Add, workflows.AddInput{Config: plan(), ModelAndData: bankOf(3), Budget: budget})
	if out := outcome[workflows.AddOutput](t, env); out.Waiting == "" || !slices.Equal(asked, []int{0}) {
		t.Errorf("waiting %q after questions about candidates %v, want one about the first", out.Waiting, asked)
	}
}

// A call of Add that is not made again keeps what it has paid for: candidates stay as they are where the LLM is away,
// and those that were edited before are kept edited.
func TestAddKeepsWhatIsPaid(t *testing.T) {
	w := &fakes{failures: 1}
	env := w.environment(t)
	override(env, workflows.Propose, func(workflows.ProposeInput) (workflows.Proposal, error) {
		return workflows.Proposal{Candidates: []workflows.Candidate{{Heuristic: ref("a")}, {Heuristic: ref("b")}}}, nil
	})
	override(env, workflows.Backward, func(in workflows.BackwardInput) (workflows.Gradient, error) {
		if in.Heuristic == ref("b") {
			return workflows.Gradient{}, final(workflows.ErrLLMUnavailable, "503", ledger.Spend{})
		}
		return workflows.Gradient{Object: ref("gradient"), Valid: true}, nil
	})
	override(env, workflows.Assign, func(workflows.AssignInput) (workflows.Assignment, error) {
		return workflows.Assignment{Counts: []int{1, 1}}, nil
	})
	override(env, workflows.Agree, func(workflows.AgreeInput) (workflows.Agreement, error) {
		return workflows.Agreement{Top1: []float64{0.4, 0.6}}, nil
	})
	var admitted []store.Ref
	override(env, workflows.Admit, func(in workflows.AdmitInput) (workflows.Revision, error) {
		admitted = in.Candidates
		return workflows.Revision{Model: in.Model}, nil
	})
	env.ExecuteWorkflow(workflows.Add, workflows.AddInput{Config: plan(), ModelAndData: bankOf(3), Once: true})
	out := outcome[workflows.AddOutput](t, env)
	if out.Waiting != "" || !slices.Equal(admitted, []store.Ref{ref("edit"), ref("b")}) {
		t.Errorf("waiting %q, admitted of %v; want the edit of a, and b as it was", out.Waiting, admitted)
	}
	if events := out.Revision.Events; len(events) != 1 || events[0].Kind != workflows.EventWaiting {
		t.Errorf("events %v, want one of kind %s", events, workflows.EventWaiting)
	}
}

// A candidate that faults on a state is left out with an event. The others go on. If none is left, nobody is admitted.
func TestAddLeavesOutWhatFaults(t *testing.T) {
	for _, all := range []bool{false, true} {
		w := &fakes{admits: 1}
		env := w.environment(t)
		bad := []workflows.Rejection{{Heuristic: ref("bad"), Reason: "state 7: trap"}}
		override(env, workflows.Propose, func(workflows.ProposeInput) (workflows.Proposal, error) {
			p := workflows.Proposal{Candidates: []workflows.Candidate{
				{Heuristic: ref("bad"), Name: "bad"}, {Heuristic: ref("good"), Name: "good"},
			}}
			if all {
				p.Candidates = p.Candidates[:1]
			}
			return p, nil
		})
		override(env, workflows.Assign, func(in workflows.AssignInput) (workflows.Assignment, error) {
			a := workflows.Assignment{Counts: make([]int, len(in.Candidates)), Rejected: bad}
			a.Counts[len(a.Counts)-1] = 1
			if all {
				a.Counts[0] = 0
			}
			return a, nil
		}).Once()
		override(env, workflows.Admit, func(in workflows.AdmitInput) (workflows.Revision, error) {
			if len(in.Candidates) != 1 || in.Candidates[0] != ref("edit") {
				t.Errorf("candidates %v, want the edit of the sound one", in.Candidates)
			}
			added := []workflows.Event{{Kind: workflows.EventAdd, Name: "good"}}
			return workflows.Revision{Model: in.Model, Events: added}, nil
		})
		env.ExecuteWorkflow(workflows.Add, workflows.AddInput{Config: plan(), ModelAndData: bankOf(3)})
		var events []string
		for _, e := range outcome[workflows.AddOutput](t, env).Revision.Events {
			events = append(events, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Kind, e.Name, e.Detail)))
		}
		want := []string{"rejected bad state 7: trap", "add good"}
		if all {
			want = want[:1]
		}
		if !slices.Equal(events, want) {
			t.Errorf("events %q, want %q", events, want)
		}
	}
}

// The limit holds over a whole run, in every round.
func TestDistillKeepsToItsBudget(t *testing.T) {
	for _, calls := range []int{8, 30, 60} {
		for _, addOff := range []bool{false, true} {
			g := &greedy{}
			w := &fakes{loss: 1, admits: 2}
			env := w.environment(t)
			g.play(env)
			cfg := plan()
			cfg.Limits.Calls, cfg.Limits.Passes, cfg.Add.Off = calls, 1, addOff
			env.ExecuteWorkflow(workflows.Distill, cfg, nil)
			if r := result(t, env); g.spent == 0 || g.spent > calls || r.Summary != strconv.Itoa(g.spent) {
				t.Errorf("%d calls, add.off %v: %d were made, %s are reported", calls, addOff, g.spent, r.Summary)
			}
		}
	}
}

// A run without budget left goes on with SGD and says why it ended.
func TestDistillEndsWithoutBudget(t *testing.T) {
	w := &fakes{loss: 1}
	env := w.environment(t)
	cfg := plan()
	cfg.Limits.Calls = 1
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	if r := result(t, env); !strings.Contains(r.Ended, "limit on the LLM is reached") {
		t.Errorf("ended: %s", r.Ended)
	}
	if got := strings.Join(w.trained, ", "); got != "0+2, 2+2, 4+1 anneal" {
		t.Errorf("trained %s", got)
	}
}

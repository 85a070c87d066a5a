package activities

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/llm/llmtest"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/workflows"
)

const near = `package near

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	fromHere := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -fromHere[c]
	}
}
`

// Programs that are none, each in its own way.
var (
	python  = "def heuristic(unselected_locs, first_loc, current_loc):\n    return -(unselected_locs - current_loc).norm(dim=-1)\n"
	renamed = strings.Replace(near, "func Score", "func Rank", 1)
	misfit  = strings.Replace(near, "score []float32", "score []float64", 1)
	traps   = strings.Replace(near, "score[k] =", "score[k+1] =", 1)
)

// What servers of these tests do, see package llmtest.
type (
	handler = http.HandlerFunc
	server  = llmtest.Server
)

var (
	says    = llmtest.Says
	refuses = llmtest.Refuses
)

func writes(program string) handler { return says("<new_program>\n" + program + "</new_program>") }

// bench is an activity environment on a real store with a real compiler and a server of one's own making.
type bench struct {
	*Activities
	t    *testing.T
	in   workflows.StepInput
	disk string // the folder of the store's objects
}

func newBench(t *testing.T) *bench {
	t.Helper()
	tools := compiletest.Toolchain(t)
	stack := devstacktest.Start(t, devstack.MinIO)
	s, err := store.Open(t.Context(), stack.Store())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Activities: New(artifact.New(s, tools, tensorops.CurrentIdentity(), 1<<20), nil, nil), t: t, disk: filepath.Join(stack.Dir, "data", "minio", stack.Store().Bucket)}
	h, err := bank.New("near", near, bank.Lineage{Origin: "hand"})
	if err != nil {
		t.Fatal(err)
	}
	h.TauH = 0.1
	f := failures{
		Context: textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 20, Sharpness: agreement.Sharpness{Top1: 0.9, Top2: 0.1}, TauH: 0.1},
		Owners:  [][]textgrad.Failure{{{Step: 3, N: 20, K: 17, KL: 1}}},
	}
	b.in = workflows.StepInput{Origin: "textgrad", LLMAccess: workflows.LLMAccess{LLM: config.LLM{
		Critic: "m", Writer: "m", Proposer: "m", Temperature: new(1.0), MaxTokens: 500, Repairs: 2, Prices: ledger.Prices{"m": {Input: 1, Output: 10}},
	}}}
	for ref, v := range map[*store.Ref]any{&b.in.Heuristic: h, &b.in.Failures: f} {
		if *ref, err = b.Store.PutJSON(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Store.PutJSON(t.Context(), textgrad.Gradient{Logic: "a", Teacher: "b", Flaw: "c", Direction: "d"})
	if err != nil {
		t.Fatal(err)
	}
	b.in.Gradients = []store.Ref{g}
	return b
}

// asks gives the bench a fresh worker whose LLM is s.
func (b *bench) asks(s *server) { b.asksFor(s, 10*time.Second) }

// asksFor is asks with a deadline for one question.
func (b *bench) asksFor(s *server, deadline time.Duration) {
	srv := httptest.NewServer(s)
	b.t.Cleanup(srv.Close)
	client, err := llm.New(llm.Config{BaseURL: srv.URL + "/v1", Attempt: 4 * time.Second, Deadline: deadline})
	if err != nil {
		b.t.Fatal(err)
	}
	b.LLM = &llm.Cached{Client: client, Cache: store.AnswerCache(b.Store.Store)}
}

// step runs the Step activity as Temporal does: again, after a pause, as long as its error allows for that. An attempt
// is given the last heartbeat of the one before.
func (b *bench) step(in workflows.StepInput) (c workflows.Candidate, err error) {
	var last *workflows.Progress
	for {
		if c, last, err = b.attempt(in, last); !workflows.IsType(err, workflows.ErrLLMNoAnswer) {
			return c, err
		}
		var app *temporal.ApplicationError
		errors.As(err, &app)
		time.Sleep(max(app.NextRetryDelay(), 20*time.Millisecond))
	}
}

// attempt runs the Step activity once, after an attempt whose last heartbeat is given, and returns its own.
func (b *bench) attempt(
	in workflows.StepInput, before *workflows.Progress,
) (c workflows.Candidate, last *workflows.Progress, err error) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(guarded("Step", b.Step), activity.RegisterOptions{Name: "Step"})
	if before != nil {
		env.SetHeartbeatDetails(*before)
	}
	env.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) {
		var p workflows.Progress
		if err := details.Get(&p); err != nil {
			b.t.Error(err)
		}
		last = &p
	})
	value, err := env.ExecuteActivity("Step", in)
	if err == nil {
		err = value.Get(&c)
	}
	return c, last, err
}

func TestFaultsOfTheServer(t *testing.T) {
	b := newBench(t)
	good := writes(near)
	prose := says("I would look for the city that lies alone. Shall I write it?")
	huge := says(strings.Repeat("x", 10<<20))
	long := refuses(400, `{"error":{"message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}}`)
	tests := []struct {
		name    string
		steps   []handler
		asked   int    // requests the server sees; 0: more than one
		paid    int    // calls that count
		problem string // of the candidate; "" if it passes
		failure string // of the activity: it waits for the LLM
		told    string // what a repair was shown
		again   int    // requests of a retry: what was refused cost nothing
	}{
		{name: "hangs", steps: []handler{llmtest.Hangs, good}, asked: 2, paid: 1},
		{name: "drips a byte a minute", steps: []handler{llmtest.Drips, good}, asked: 2, paid: 1},
		{name: "429 without Retry-After", steps: []handler{refuses(429, `{}`), good}, asked: 2, paid: 1},
		{name: "429 with Retry-After", steps: []handler{refuses(429, `{}`, "Retry-After", "0.02"), good}, asked: 2, paid: 1},
		{name: "429 for an hour", steps: []handler{refuses(429, `{}`, "Retry-After", "3600")}, asked: 1, failure: "asks to wait 1h"},
		{name: "500 storm", steps: []handler{refuses(500, `{}`)}, failure: "status 500"},
		{name: "500 storm that ends", steps: []handler{refuses(500, ``), refuses(503, `<html>`), good}, asked: 3, paid: 1},
		{name: "401", steps: []handler{refuses(401, `{"error":{"message":"bad key"}}`)}, asked: 1, failure: "refuses the key (status 401): bad key"},
		{name: "unknown model", steps: []handler{refuses(404, `{"error":{"message":"The model m does not exist."}}`)}, asked: 1, failure: "refuses the request (status 404): The model m"},
		{name: "refused parameter", steps: []handler{refuses(400, `{"error":{"message":"Unsupported value: 'temperature'"}}`)}, asked: 1, failure: "'temperature'"},
		{name: "prompt too long", steps: []handler{long}, asked: 1, problem: "refuses the prompt (status 400): This model's maximum", again: 1},
		{name: "repair too long", steps: []handler{writes(python), long}, asked: 2, paid: 1, problem: "no func Score", again: 1},
		{name: "truncated JSON", steps: []handler{refuses(200, `{"choices":[{"mess`), good}, asked: 2, paid: 1},
		{name: "empty choices", steps: []handler{refuses(200, `{"choices":[]}`)}, asked: 3, failure: "without choices"},
		{name: "10 MB reply", steps: []handler{huge}, asked: 3, paid: 3, problem: "larger than"},
		{name: "10 MB, then well", steps: []handler{huge, good}, asked: 2, paid: 2, told: "Reply 1 to this could not be used: reply is no answer: the reply was larger"},
		{name: "empty reply", steps: []handler{says("")}, asked: 3, paid: 3, problem: "the reply is empty"},
		{name: "prose, then well", steps: []handler{prose, good}, asked: 2, paid: 2, told: "no <new_program>"},
		{name: "prose for ever", steps: []handler{prose}, asked: 3, paid: 3, problem: "no <new_program>"},
		{name: "Python", steps: []handler{writes(python)}, asked: 3, paid: 3, problem: "no func Score"},
		{name: "another function", steps: []handler{writes(renamed), good}, asked: 2, paid: 2, told: "no func Score"},
		{name: "another signature", steps: []handler{writes(misfit), good}, asked: 2, paid: 2, told: "check"},
		{name: "compiles but traps", steps: []handler{writes(traps)}, asked: 3, paid: 3, problem: "trap"},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := b.in
			in.Round = i // another prompt than the other tests'
			s := &server{Steps: tt.steps}
			b.asks(s)
			c, err := b.step(in)
			if tt.failure != "" {
				var app *temporal.ApplicationError
				if !errors.As(err, &app) || app.Type() != workflows.ErrLLMUnavailable || !app.NonRetryable() || !strings.Contains(app.Message(), tt.failure) {
					t.Errorf("error %v, want %s that says %q", err, workflows.ErrLLMUnavailable, tt.failure)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(c.Problem, tt.problem) || (tt.problem == "") != (c.Problem == "") {
				t.Errorf("problem %q, want %q", c.Problem, tt.problem)
			}
			asked := len(s.Prompts)
			if asked != tt.asked && (tt.asked != 0 || asked < 2) {
				t.Errorf("%d requests, want %d", asked, tt.asked)
			}
			if c.Spend.Calls != tt.paid {
				t.Errorf("spent %v, want %d calls", c.Spend, tt.paid)
			}
			if last := s.Prompts[asked-1]; !strings.Contains(last, tt.told) {
				t.Errorf("the last prompt does not say %q:\n%s", tt.told, last)
			}
			if tt.failure != "" {
				return
			}
			// A worker that died after all this and one that takes over: the same candidate, nothing asked again.
			b.asks(s)
			again, err := b.step(in)
			if err != nil || again != c {
				t.Errorf("a retry gives %+v (%v), want %+v", again, err, c)
			}
			if more := len(s.Prompts) - asked; more != tt.again {
				t.Errorf("a retry asked %d times, want %d", more, tt.again)
			}
		})
	}
}

// The key is withdrawn between a reply and its repair: what was paid for is kept and counted, and used when the key is back.
func TestKeyWithdrawnMidway(t *testing.T) {
	b := newBench(t)
	s := &server{Steps: []handler{says("prose"), refuses(401, `{"error":{"message":"key revoked"}}`), writes(near)}}
	b.asks(s)
	_, err := b.step(b.in)
	var app *temporal.ApplicationError
	var spent ledger.Spend
	if !errors.As(err, &app) || app.Type() != workflows.ErrLLMUnavailable || app.Details(&spent) != nil || spent.Calls != 1 || spent.MicroUSD != 2000 {
		t.Fatalf("error %v, spent %+v; want to wait for the LLM, with one call booked", err, spent)
	}
	c, err := b.step(b.in)
	if err != nil || c.Problem != "" || len(s.Prompts) != 3 || c.Spend.Calls != 2 {
		t.Errorf("candidate %+v (%v) after %d requests, want a program after 3", c, err, len(s.Prompts))
	}
	replies, err := journal.Of(b.Store.Store, "default-test-workflow-id").Replies(t.Context())
	if err != nil || len(replies) != 2 || replies[0].Problem == "" || replies[1].Problem != "" || len(replies[1].Programs) != 1 {
		t.Fatalf("log %+v (%v), want the unusable reply and the program", replies, err)
	}
	if record, err := journal.Of(b.Store.Store, "default-test-workflow-id").Record(t.Context(), replies[0]); err != nil || record.Answer.Text != "prose" {
		t.Errorf("raw reply %+v (%v)", record.Answer, err)
	}
}

// A prompt that the server does not take is in the log as it was asked, and stays there when it is taken later.
func TestRefusedPromptIsKept(t *testing.T) {
	b := newBench(t)
	s := &server{Steps: []handler{refuses(413, ``), refuses(413, ``), writes(near)}}
	b.asks(s)
	for range 3 { // refused twice: one entry
		if _, err := b.step(b.in); err != nil {
			t.Fatal(err)
		}
	}
	replies, err := journal.Of(b.Store.Store, "default-test-workflow-id").Replies(t.Context())
	if err != nil || len(replies) != 2 {
		t.Fatalf("log %+v (%v), want the refusal and the program", replies, err)
	}
	refused, answered := replies[0], replies[1]
	if !strings.Contains(refused.Problem, "refuses the prompt (status 413)") || refused.Spend != (ledger.Spend{}) || refused.Task != "STEP" || refused.Heuristic != "near" {
		t.Errorf("refusal %+v", refused)
	}
	if record, err := journal.Of(b.Store.Store, "default-test-workflow-id").Record(t.Context(), refused); err != nil || record.Request.User != s.Prompts[0] || record.Answer.Text != "" {
		t.Errorf("record %+v (%v), want the prompt without an answer", record, err)
	}
	if answered.Problem != "" || answered.Key != refused.Key || answered.Spend.Calls != 1 {
		t.Errorf("answer %+v, want a paid one to the same prompt", answered)
	}
}

// What a run decides about a program is in the log of the reply it came in, also once it has been described anew.
func TestRulingsFollowTheCode(t *testing.T) {
	b := newBench(t)
	b.asks(&server{Steps: []handler{writes(near)}})
	if c, err := b.step(b.in); err != nil || c.Problem != "" {
		t.Fatalf("candidate %+v (%v)", c, err)
	}
	kept, err := bank.New("near", near, bank.Lineage{})
	if err != nil {
		t.Fatal(err)
	}
	if kept, err = kept.Describe("Score prefers what is near."); err != nil {
		t.Fatal(err)
	}
	other, err := bank.New("near", strings.Replace(near, "-fromHere", "fromHere", 1), bank.Lineage{})
	if err != nil {
		t.Fatal(err)
	}
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(func(ctx context.Context) error {
		return errors.Join(b.logDecision(ctx, kept, false, "dropped"), b.logDecision(ctx, other, true, "of another program"))
	}, activity.RegisterOptions{Name: "rule"})
	if _, err := env.ExecuteActivity("rule"); err != nil {
		t.Fatal(err)
	}
	const run = "default-test-workflow-id"
	replies, err := journal.Of(b.Store.Store, run).Replies(t.Context())
	if err != nil || len(replies) != 1 {
		t.Fatalf("log %+v (%v)", replies, err)
	}
	if rulings, err := journal.Of(b.Store.Store, run).Rulings(t.Context(), replies[0]); err != nil || len(rulings) != 1 || rulings[0].Text != "dropped" {
		t.Errorf("rulings %+v (%v), want that the program was dropped", rulings, err)
	}
}

// A gradient that cannot be had says why, and is no reason to wait.
func TestBackwardWithoutGradient(t *testing.T) {
	b := newBench(t)
	for i, tt := range []struct {
		step handler
		want string
	}{
		{says("LOGIC: by distance\nTEACHER: lies alone\nDIRECTION: reward isolation"), "FLAW is missing"},
		{refuses(413, ``), "refuses the prompt"},
	} {
		b.asks(&server{Steps: []handler{tt.step}})
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		env.RegisterActivity(b.Backward)
		cfg := b.in.LLM
		cfg.MaxTokens += i // another prompt
		value, err := env.ExecuteActivity(b.Backward, workflows.BackwardInput{LLMAccess: workflows.LLMAccess{LLM: cfg}, Heuristic: b.in.Heuristic, Failures: b.in.Failures, Channel: workflows.Code})
		if err != nil {
			t.Fatal(err)
		}
		var g workflows.Gradient
		if err := value.Get(&g); err != nil || g.Valid || !strings.Contains(g.Problem, tt.want) {
			t.Errorf("gradient %+v (%v), want none, since %q", g, err, tt.want)
		}
	}
}

// A budget that the next call might break ends the questions before it is asked, not after.
func TestBudgetIsHard(t *testing.T) {
	b := newBench(t)
	for i, tt := range []struct {
		name    string
		budget  *ledger.Budget
		asked   int
		problem string // of the candidate
	}{
		{"nothing left", ledger.New(0, 600, 0), 0, ""},
		{"one call", ledger.New(1, 0, 0), 1, "no <new_program>"},
		{"two calls", ledger.New(2, 0, 0), 2, "no <new_program>"},
		{"money for one", ledger.New(0, 0, 0.010), 1, "no <new_program>"},
		{"tokens for all", ledger.New(0, 100_000, 0), 3, "no <new_program>"},
		{"no limit", nil, 3, "no <new_program>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{Steps: []handler{says("prose")}}
			b.asks(s)
			in := b.in
			in.Budget, in.Round = tt.budget, i
			c, err := b.step(in)
			if len(s.Prompts) != tt.asked || c.Spend.Calls != tt.asked {
				t.Errorf("%d questions, spent %v, want %d", len(s.Prompts), c.Spend, tt.asked)
			}
			if tt.problem == "" {
				if !workflows.IsType(err, workflows.ErrLLMBudget) || !strings.Contains(err.Error(), "600 tokens left") {
					t.Errorf("error %v, want %s", err, workflows.ErrLLMBudget)
				}
			} else if err != nil || !strings.Contains(c.Problem, tt.problem) {
				t.Errorf("candidate %+v (%v), want problem %q", c, err, tt.problem)
			}
		})
	}
}

package activities

import (
	"errors"
	"strings"
	"testing"

	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/llm/llmtest"
	"github.com/epb-nco/epb/workflows"
)

// An edit of a candidate of Add gets its τ_h from the first faults that are not held out. An edit of a heuristic keeps
// its τ_h until it is judged.
func TestStepFitsEditsToFaults(t *testing.T) {
	fx := newFixture(t)
	h := fx.scoring("near", byNear, leaning(0.7))
	f := fx.put(faultSet{
		Shards: []workflows.Shard{fx.kinds("AAA"), fx.kinds("BABAC")}, Refine: [][]int32{nil,
			{0, 2}}, HeldOut: [][]int32{{1}, {1, 3}},
	})
	for origin, tt := range map[string]struct {
		program string
		tau     float64
		problem string
	}{
		"add":      {byFar, leaning(0.9), ""},
		"textgrad": {byFar, h.TauH, ""},
		" add":     {trapsOnC, 0, "state 4: trap"},
	} {
		fx.asks(&server{Steps: []handler{writes(source("near", tt.program))}})
		in := fx.in
		in.Heuristic, in.Origin, in.Faults = fx.put(h), workflows.Origin(strings.TrimSpace(origin)), f
		in.LLM.MaxTokens += len(origin) // another request
		out := perform(fx, fx.Step, in)
		if tt.problem != "" {
			if !strings.Contains(out.Problem, tt.problem) {
				t.Errorf("%s: %+v, want the problem %q", origin, out, tt.problem)
			}
			continue
		}
		if got := get[bank.Heuristic](fx, out.Heuristic); out.Problem != "" || !fits(got.TauH, tt.tau) {
			t.Errorf("%s: τ_h = %v, want %v (%+v)", origin, got.TauH, tt.tau, out)
		}
	}
}

func TestFaultsOfTheServer(t *testing.T) {
	fx := newFixture(t)
	good := writes(near)
	prose := says("I would look for the city that lies alone. Shall I write it?")
	huge := says(strings.Repeat("x", 10<<20))
	long := refuses(400,
		`{"error":{"message":"This model's maximum context length is 4096 tokens.",`+
			`"type":"BadRequestError","code":400}}`)
	limited := refuses(200, `{"error":{"message":"slow down","code":429}}`)
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
		{name: "429 with Retry-After", steps: []handler{refuses(429, `{}`, "Retry-After", "0.02"), good}, asked: 2,
			paid: 1},
		{name: "429 for an hour", steps: []handler{refuses(429, `{}`, "Retry-After", "3600")}, asked: 1,
			failure: "asks to wait 1h"},
		{name: "500 storm", steps: []handler{refuses(500, `{}`)}, failure: "status 500"},
		{name: "500 storm that ends", steps: []handler{refuses(500, ``), refuses(503, `<html>`), good}, asked: 3,
			paid: 1},
		{name: "401", steps: []handler{refuses(401, `{"error":{"message":"bad key"}}`)}, asked: 1,
			failure: "refuses the key (status 401): bad key"},
		{name: "unknown model", steps: []handler{refuses(404, `{"error":{"message":"The model m does not exist."}}`)},
			asked: 1, failure: "refuses the request (status 404): The model m"},
		{name: "refused parameter", steps: []handler{refuses(400,
			`{"error":{"message":"Unsupported value: 'temperature'"}}`)}, asked: 1, failure: "'temperature'"},
		{name: "prompt too long", steps: []handler{long}, asked: 1,
			problem: "refuses the prompt (status 400): This model's maximum", again: 1},
		{name: "repair too long", steps: []handler{writes(python), long}, asked: 2, paid: 1, problem: "no func Score",
			again: 1},
		{name: "truncated JSON", steps: []handler{refuses(200, `{"choices":[{"mess`), good}, asked: 2, paid: 1},
		{name: "empty choices", steps: []handler{refuses(200, `{"choices":[]}`)}, asked: 3, failure: "without choices"},
		{name: "a reply that says 429", steps: []handler{limited, limited, limited, good}, asked: 4, paid: 1},
		{name: "10 MB reply", steps: []handler{huge}, asked: 3, paid: 3, problem: "larger than"},
		{name: "10 MB, then well", steps: []handler{huge, good}, asked: 2, paid: 2,
			told: "Reply 1 to this could not be used: reply is no answer: the reply was larger"},
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
			in := fx.in
			in.Round = i // another prompt than the other tests'
			s := &server{Steps: tt.steps}
			fx.asks(s)
			c, err := fx.step(in)
			if tt.failure != "" {
				var app *temporal.ApplicationError
				if !errors.As(err, &app) || app.Type() != workflows.ErrLLMUnavailable || !app.NonRetryable() ||
					!strings.Contains(app.Message(), tt.failure) {
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
			fx.asks(s)
			again, err := fx.step(in)
			if err != nil || again != c {
				t.Errorf("a retry gives %+v (%v), want %+v", again, err, c)
			}
			if more := len(s.Prompts) - asked; more != tt.again {
				t.Errorf("a retry asked %d times, want %d", more, tt.again)
			}
		})
	}
}

// The key is withdrawn between a reply and its repair: what was paid for is kept and counted, and used when the key
// is back.
func TestKeyWithdrawnMidway(t *testing.T) {
	fx := newFixture(t)
	s := &server{Steps: []handler{says("prose"), refuses(401, `{"error":{"message":"key revoked"}}`), writes(near)}}
	fx.asks(s)
	_, err := fx.step(fx.in)
	var app *temporal.ApplicationError
	var spent ledger.Spend
	if !errors.As(err, &app) || app.Type() != workflows.ErrLLMUnavailable || app.Details(&spent) != nil ||
		spent.Calls != 1 || spent.MicroUSD != 2000 {
		t.Fatalf("error %v, spent %+v; want to wait for the LLM, with one call booked", err, spent)
	}
	c, err := fx.step(fx.in)
	if err != nil || c.Problem != "" || len(s.Prompts) != 3 || c.Spend.Calls != 2 {
		t.Errorf("candidate %+v (%v) after %d requests, want a program after 3", c, err, len(s.Prompts))
	}
	replies, err := journal.Of(fx.Store.Store, "default-test-workflow-id").Replies(t.Context())
	if err != nil || len(replies) != 2 || replies[0].Problem == "" || replies[1].Problem != "" ||
		len(replies[1].Programs) != 1 {
		t.Fatalf("log %+v (%v), want the unusable reply and the program", replies, err)
	}
	record, err := journal.Of(fx.Store.Store, "default-test-workflow-id").Record(t.Context(), replies[0])
	if err != nil || record.Answer.Text != "prose" {
		t.Errorf("raw reply %+v (%v)", record.Answer, err)
	}
}

// A prompt that the server does not take is in the log as it was asked, and stays there when it is taken later.
func TestRefusedPromptIsKept(t *testing.T) {
	fx := newFixture(t)
	s := &server{Steps: []handler{refuses(413, ``), refuses(413, ``), writes(near)}}
	fx.asks(s)
	for range 3 { // refused twice: one entry
		if _, err := fx.step(fx.in); err != nil {
			t.Fatal(err)
		}
	}
	replies, err := journal.Of(fx.Store.Store, "default-test-workflow-id").Replies(t.Context())
	if err != nil || len(replies) != 2 {
		t.Fatalf("log %+v (%v), want the refusal and the program", replies, err)
	}
	refused, answered := replies[0], replies[1]
	if !strings.Contains(refused.Problem, "refuses the prompt (status 413)") || refused.Spend != (ledger.Spend{}) ||
		refused.Task != "STEP" || refused.Heuristic != "near" {
		t.Errorf("refusal %+v", refused)
	}
	record, err := journal.Of(fx.Store.Store, "default-test-workflow-id").Record(t.Context(), refused)
	if err != nil || record.Request.User != s.Prompts[0] || record.Answer.Text != "" {
		t.Errorf("record %+v (%v), want the prompt without an answer", record, err)
	}
	if answered.Problem != "" || answered.Key != refused.Key || answered.Spend.Calls != 1 {
		t.Errorf("answer %+v, want a paid one to the same prompt", answered)
	}
}

// A budget that the next call might break ends the questions before it is asked, not after.
func TestBudgetIsHard(t *testing.T) {
	fx := newFixture(t)
	fx.asks(&server{Steps: []handler{writes(near)}})
	free := fx.in
	free.Round = 99
	if _, err := fx.step(free); err != nil {
		t.Fatal(err)
	}
	log := journal.Of(fx.Store.Store, "default-test-workflow-id")
	replies, err := log.Replies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	record, err := log.Record(t.Context(), replies[0])
	if err != nil {
		t.Fatal(err)
	}
	asked := record.Request
	var over *ledger.Exceeded // says what the call may cost at most
	err = ledger.Open(ledger.New(0, 1, 0), fx.in.LLM.Prices).
		Reserve(asked.Model, len(asked.System)+len(asked.User), asked.MaxTokens)
	if !errors.As(err, &over) {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		name    string
		budget  *ledger.Budget
		asked   int
		problem string // of the candidate
	}{
		{"nothing left", ledger.New(0, 600, 0), 0, ""},
		{"one call", ledger.New(1, 0, 0), 1, "no <new_program>"},
		{"two calls", ledger.New(2, 0, 0), 2, "no <new_program>"},
		{"money for one", ledger.New(0, 0, over.Worst.USD()), 1, "no <new_program>"},
		{"tokens for all", ledger.New(0, 100_000, 0), 3, "no <new_program>"},
		{"no limit", nil, 3, "no <new_program>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{Steps: []handler{says("prose")}}
			fx.asks(s)
			in := fx.in
			in.Budget, in.Round = tt.budget, i
			c, err := fx.step(in)
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

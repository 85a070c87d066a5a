package activities

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/workflows"
)

// An answer of the LLM that is damaged is asked for again, and the log says that it costs.
func TestDamagedAnswerIsAskedForAgain(t *testing.T) {
	fx, log := newFixture(t), logged(t)
	s := &server{Steps: []handler{says("first"), says("second")}}
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP\n"}
	asks := func() (text string) {
		fx.asks(s) // a worker that remembers nothing
		talk := fx.talk(t.Context(), startHeartbeat(t.Context(), ""), fx.in.LLM, nil, "near")
		read := func(a llm.Answer) (any, error) { text = a.Text; return a.Text, nil }
		if _, err := talk.Ask(t.Context(), req, read); err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := asks(); got != "first" {
		t.Fatalf("answer %q", got)
	}
	if got := asks(); got != "first" || log.Len() > 0 {
		t.Fatalf("answer %q, log %s", got, log)
	}
	key := "llm/" + req.Key() + ".json"
	fx.damage(key)
	if got := asks(); got != "second" || !strings.Contains(log.String(), key) ||
		!strings.Contains(log.String(), "costs another call") {
		t.Errorf("answer %q, log %s", got, log)
	}
	if got := asks(); got != "second" || len(s.Prompts) != 2 {
		t.Errorf("answer %q after %d questions, want the second one from the store", got, len(s.Prompts))
	}
}

// failed runs one attempt that must fail.
func (fx *fixture) failed(
	in workflows.StepInput, before *workflows.Progress,
) (*temporal.ApplicationError, *workflows.Progress) {
	fx.t.Helper()
	_, last, err := fx.attempt(in, before)
	var app *temporal.ApplicationError
	if !errors.As(err, &app) {
		fx.t.Fatalf("error %v", err)
	}
	return app, last
}

// Whoever looks at the activity in Temporal sees why the LLM does not answer, and when it is asked again: after the
// server's pause, or else after that of the retry policy. The server is asked once in an attempt.
func TestNoAnswerIsAskedAgainLater(t *testing.T) {
	fx := newFixture(t)
	for _, tt := range []struct {
		name string
		step handler
		next time.Duration // 0: as the retry policy says
		want string
	}{
		{"503", refuses(503, `{"error":{"message":"overloaded"}}`), 0, "does not answer: status 503: overloaded"},
		{"429", refuses(429, `{"error":{"message":"slow down"}}`), 0, "does not answer: status 429: slow down"},
		{"a pause", refuses(429, `{"message":"late"}`, "Retry-After", "7"), 7 * time.Second, "status 429: late"},
		{"lines", refuses(500, `{"error":{"message":"one\ntwo"}}`), 0, "status 500: one two"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{Steps: []handler{tt.step}}
			fx.asksFor(s, 10*time.Minute)
			app, last := fx.failed(fx.in, nil)
			if app.Type() != workflows.ErrLLMNoAnswer || app.NonRetryable() || app.NextRetryDelay() != tt.next {
				t.Errorf("%s, retried after %v, final %v", app.Type(), app.NextRetryDelay(), app.NonRetryable())
			}
			text := app.Message()
			if !strings.HasPrefix(text, "the LLM at 127.0.0.1:") || !strings.HasSuffix(text, tt.want) {
				t.Errorf("message %q, want that it ends in %q", text, tt.want)
			}
			if len(s.Prompts) != 1 || last == nil || last.Unanswered == nil ||
				time.Since(last.Unanswered.Since) > time.Minute {
				t.Errorf("%d questions, heartbeat %+v", len(s.Prompts), last)
			}
		})
	}
}

// The LLM is given up when one question has been asked for as long as the configuration says, and not before. Time that
// passed before the question was asked first does not count: there was no worker, or no store, or another question.
func TestGivenUpAfterTheDeadline(t *testing.T) {
	fx := newFixture(t)
	busy := refuses(http.StatusServiceUnavailable, `{"error":{"message":"busy"}}`)
	fx.asksFor(&server{Steps: []handler{says("prose"), busy}}, 10*time.Minute)
	app, last := fx.failed(fx.in, nil) // after one reply that had no program in it
	if app.NonRetryable() || last.Unanswered == nil {
		t.Fatalf("%v, heartbeat %+v; want to ask again", app, last)
	}
	if last.Spend.Calls != 1 {
		t.Errorf("the heartbeat tells of %v, want the paid reply", last.Spend)
	}
	since := last.Unanswered.Since

	app, last = fx.failed(fx.in, last)
	if app.NonRetryable() || !last.Unanswered.Since.Equal(since) || last.Spend.Calls != 1 {
		t.Errorf("%v since %v with %v spent, want to go on since %v with one call", app, last.Unanswered.Since,
			last.Spend, since)
	}
	long := *last.Unanswered
	long.Since = since.Add(-time.Hour)
	app, _ = fx.failed(fx.in, &workflows.Progress{Unanswered: &long})
	var spent ledger.Spend
	if app.Type() != workflows.ErrLLMUnavailable || !app.NonRetryable() ||
		app.Details(&spent) != nil || spent.Calls != 1 {
		t.Errorf("%s, final %v, spent %v; want to give up with one paid call", app.Type(), app.NonRetryable(), spent)
	}
	if text := app.Message(); !strings.Contains(text, "the server is not available (status 503): busy") {
		t.Errorf("message %q", text)
	}

	long.Request = "another question"
	app, last = fx.failed(fx.in, &workflows.Progress{Unanswered: &long})
	if app.NonRetryable() || time.Since(last.Unanswered.Since) > time.Minute {
		t.Errorf("%v since %v, want that a question has its own time", app, last.Unanswered.Since)
	}
}

// The heartbeat of an attempt keeps the larger sum: what the one before it told, until it has counted as much itself.
func TestHeartbeatTellsTheSpending(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.SetHeartbeatDetails(workflows.Progress{Spend: ledger.Spend{Calls: 2, Input: 20}})
	name := activity.RegisterOptions{Name: "told"}
	env.RegisterActivityWithOptions(func(ctx context.Context) (sums []int, err error) {
		hb := startHeartbeat(ctx, "waiting for the writer")
		defer hb.stop()
		for calls := range 4 {
			hb.spent(ledger.Spend{Calls: calls, Input: 10 * calls})
			hb.mu.Lock()
			sums = append(sums, hb.now.Spend.Tokens())
			hb.mu.Unlock()
		}
		return sums, nil
	}, name)
	var sums []int
	value, err := env.ExecuteActivity(name.Name)
	if err == nil {
		err = value.Get(&sums)
	}
	if want := []int{20, 20, 20, 30}; err != nil || !slices.Equal(sums, want) {
		t.Errorf("it tells of %v tokens (%v), want %v", sums, err, want)
	}
}

// An attempt that is cut off hands on what it was given: its heartbeats hold the question that was asked before.
func TestHeartbeatHandsOnTheQuestion(t *testing.T) {
	before := &workflows.Unanswered{Request: "question", Since: time.Unix(1, 0).UTC(), Broken: 1}
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.SetHeartbeatDetails(workflows.Progress{What: "waiting for the LLM", Unanswered: before})
	name := activity.RegisterOptions{Name: "told"}
	env.RegisterActivityWithOptions(func(ctx context.Context) (workflows.Progress, error) {
		hb := startHeartbeat(ctx, "waiting for the writer")
		hb.stop()
		return hb.now, nil
	}, name)
	var p workflows.Progress
	value, err := env.ExecuteActivity(name.Name)
	if err == nil {
		err = value.Get(&p)
	}
	if err != nil || p.Unanswered == nil || *p.Unanswered != *before || p.What != "waiting for the writer" {
		t.Errorf("it tells %+v (%v), want %+v in it", p, err, before)
	}
}

package dialogue_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/llm/llmtest"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/tensorops"
)

// fixture is a real store and a server of a test's own making.
type fixture struct {
	t         *testing.T
	store     *store.Store
	artifacts *artifact.Store
	llm       *llm.Cached
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	s, err := store.Open(t.Context(), devstacktest.Start(t, devstack.MinIO).Store())
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{t: t, store: s, artifacts: artifact.New(s, nil, tensorops.Identity{}, 1<<20)}
}

// asks gives the fixture a fresh client of a server.
func (fx *fixture) asks(s *llmtest.Server) {
	srv := httptest.NewServer(s)
	fx.t.Cleanup(srv.Close)
	client, err := llm.New(llm.Config{BaseURL: srv.URL + "/v1", Attempt: 4 * time.Second, Deadline: time.Minute})
	if err != nil {
		fx.t.Fatal(err)
	}
	fx.llm = &llm.Cached{Client: client, Cache: store.AnswerCache(fx.store)}
}

// talk begins a talk of a step of a run, or of none.
func (fx *fixture) talk(run, about, by string, l *ledger.Ledger) *dialogue.Talk {
	t := &dialogue.Talk{
		LLM: fx.llm, Artifacts: fx.artifacts, Config: config.LLM{Repairs: 2}, Ledger: l, About: about, By: by,
	}
	if run != "" {
		t.Journal = journal.Of(fx.store, run)
	}
	return t
}

// text reads a reply as it is.
func text(a llm.Answer) (any, error) { return a.Text, nil }

// Every answer of the stand-in leaves its mark on what was spent, a useless one and one that is asked for again
// included.
func TestStandInIsBooked(t *testing.T) {
	fx := newFixture(t)
	for i, tt := range []struct {
		steps []http.HandlerFunc
		want  bool
	}{
		{[]http.HandlerFunc{llmtest.StandIn("no gradient"), llmtest.Says("no gradient")}, true},
		{[]http.HandlerFunc{llmtest.Says("no gradient"), llmtest.StandIn("no gradient")}, true},
		{[]http.HandlerFunc{llmtest.Says("no gradient")}, false},
	} {
		fx.asks(&llmtest.Server{Steps: tt.steps})
		talk := fx.talk("", "near", "", ledger.Open(nil, nil))
		req := llm.Request{Role: llm.Critic, Model: "m", User: fmt.Sprintf("# Task: BACKWARD %d\n", i)}
		_, err := talk.AskUntilParsed(t.Context(), req, func(answer llm.Answer) (any, error) {
			return textgrad.ParseGradient(answer.Text)
		})
		if got := talk.Ledger.Spent(); !dialogue.IsProgramError(err) || got.StandIn != tt.want || got.Calls != 3 {
			t.Errorf("case %d: %+v (%v), want 3 calls and the mark %v", i, got, err, tt.want)
		}
	}
}

// A run that asks a language model what the stand-in has answered gets another answer, and each journal shows its own.
func TestModelIsAskedAfterTheStandIn(t *testing.T) {
	fx := newFixture(t)
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP again\n"}
	said := map[string]*llmtest.Server{
		"rules": {Steps: []http.HandlerFunc{llmtest.StandIn("by rule")}},
		"model": {Steps: []http.HandlerFunc{llmtest.Says("by a model")}},
	}
	for _, run := range []string{"rules", "model"} {
		fx.asks(said[run])
		talk := fx.talk(run, "near", "step", ledger.Open(nil, nil))
		if _, err := talk.Ask(t.Context(), req, text); err != nil {
			t.Fatal(err)
		}
	}
	for run, want := range map[string]string{"rules": "by rule", "model": "by a model"} {
		replies, err := journal.Of(fx.store, run).Replies(t.Context())
		if err != nil || len(replies) != 1 || len(said[run].Prompts) != 1 {
			t.Fatalf("%s: log %+v (%v) after %d questions", run, replies, err, len(said[run].Prompts))
		}
		record, err := journal.Of(fx.store, run).Record(t.Context(), replies[0])
		if err != nil || record.Answer.Text != want {
			t.Errorf("%s: record %+v (%v), want %q", run, record, err, want)
		}
	}
}

// A run that changes from the stand-in to a language model has both answers to a question in its journal, and both are
// booked.
func TestSwitchFromTheStandInIsBooked(t *testing.T) {
	fx := newFixture(t)
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP\n"}
	for _, answer := range []http.HandlerFunc{
		llmtest.StandIn("by rule"), llmtest.Says("by a model"), llmtest.Says("asked in vain"), // at last a retry
	} {
		fx.asks(&llmtest.Server{Steps: []http.HandlerFunc{answer}})
		talk := fx.talk("run", "near", "step", ledger.Open(nil, nil))
		if _, err := talk.Ask(t.Context(), req, text); err != nil || talk.Ledger.Spent().Calls != 1 {
			t.Fatalf("spent %v (%v), want a call", talk.Ledger.Spent(), err)
		}
	}
	replies, err := journal.Of(fx.store, "run").Replies(t.Context())
	if err != nil || len(replies) != 2 {
		t.Fatalf("log %+v (%v), want two answers", replies, err)
	}
	for i, want := range []string{"by rule", "by a model"} {
		record, err := journal.Of(fx.store, "run").Record(t.Context(), replies[i])
		spend := replies[i].Spend
		if err != nil || record.Answer.Text != want || spend.Calls != 1 || spend.StandIn != (i == 0) {
			t.Errorf("entry %+v with %q (%v), want %q for a call", replies[i], record.Answer.Text, err, want)
		}
	}
}

// Two activities of a run that ask the same pay once, and both are in the journal.
func TestSameQuestionIsPaidOnce(t *testing.T) {
	fx := newFixture(t)
	s := &llmtest.Server{Steps: []http.HandlerFunc{llmtest.Says("no program")}}
	fx.asks(s)
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP\n"}
	total := ledger.Spend{}
	for _, by := range []string{"first", "second", "first"} { // at last a retry of the first
		talk := fx.talk("run", by, by, ledger.Open(nil, nil))
		if _, err := talk.Ask(t.Context(), req, func(llm.Answer) (any, error) { return "made", nil }); err != nil {
			t.Fatal(err)
		}
		if by == "second" || total.Calls == 0 {
			total = total.Plus(talk.Ledger.Spent())
		} else if talk.Ledger.Spent() != total {
			t.Errorf("a retry books %v, want %v as before", talk.Ledger.Spent(), total)
		}
	}
	replies, err := journal.Of(fx.store, "run").Replies(t.Context())
	if err != nil || len(replies) != 2 || len(s.Prompts) != 1 || total.Calls != 1 ||
		replies[0].Spend.Plus(replies[1].Spend).Calls != 1 {
		t.Errorf("%d requests, %v in all, log %+v (%v); want one paid call that two activities used",
			len(s.Prompts), total, replies, err)
	}
}

// What the run has an answer to is asked again whatever is left, since it costs nothing.
func TestPaidAnswersAreFree(t *testing.T) {
	fx := newFixture(t)
	s := &llmtest.Server{Steps: []http.HandlerFunc{llmtest.Says("no program")}}
	fx.asks(s)
	req := llm.Request{Role: llm.Proposer, Model: "m", User: "# Task: PROPOSE\n", MaxTokens: 5000}
	asks := func(by string, tokens int) (spent ledger.Spend, err error) {
		talk := fx.talk("run", by, by, ledger.Open(ledger.New(0, tokens, 0), nil))
		_, err = talk.Ask(t.Context(), req, func(llm.Answer) (any, error) { return "made", nil })
		return talk.Ledger.Spent(), err
	}
	var over *dialogue.OverBudget
	if _, err := asks("first", 600); !errors.As(err, &over) || len(s.Prompts) != 0 {
		t.Errorf("before it was asked: %v after %d questions, want that it is over budget", err, len(s.Prompts))
	}
	if spent, err := asks("first", 100_000); err != nil || spent.Calls != 1 {
		t.Errorf("%v, spent %v", err, spent)
	}
	if spent, err := asks("second", 600); err != nil || spent.Calls != 0 || len(s.Prompts) != 1 {
		t.Errorf("asked again: %v, spent %v, %d questions; want the answer for nothing", err, spent, len(s.Prompts))
	}
}

// A question without an answer says what its caller needs to ask again: which one it is, since when it is asked and for
// how long, what was paid so far, and why there is no answer.
func TestUnanswered(t *testing.T) {
	fx := newFixture(t)
	s := &llmtest.Server{Steps: []http.HandlerFunc{
		llmtest.Says("no gradient"), llmtest.Refuses(429, `{"error":{"message":"slow"}}`, "Retry-After", "7"),
	}}
	fx.asks(s)
	talk := fx.talk("run", "near", "step", ledger.Open(nil, nil))
	req := llm.Request{Role: llm.Critic, Model: "m", User: "# Task: BACKWARD\n"}
	begun := time.Now()
	_, err := talk.AskUntilParsed(t.Context(), req, func(answer llm.Answer) (any, error) {
		return textgrad.ParseGradient(answer.Text)
	})
	var u *dialogue.Unanswered
	if !errors.As(err, &u) || !errors.Is(err, llm.ErrNoAnswer) || dialogue.IsRejection(err) {
		t.Fatalf("error %v, want a question without an answer", err)
	}
	if u.Request == req.Key() || u.Asked.Before(begun) || u.Deadline != time.Minute || u.Spent.Calls != 1 {
		t.Errorf("%+v, want the second question, asked for a minute, after one paid call", u)
	}
	if u.Err.Status != 429 || u.Err.RetryAfter != 7*time.Second || len(s.Prompts) != 2 {
		t.Errorf("%+v after %d questions, want the server's pause after two", u.Err, len(s.Prompts))
	}
}

// No question begins once the worker is told to stop.
func TestNoQuestionWhileStopping(t *testing.T) {
	fx := newFixture(t)
	s := &llmtest.Server{Steps: []http.HandlerFunc{llmtest.Says("hi")}}
	fx.asks(s)
	talk := fx.talk("", "near", "", ledger.Open(nil, nil))
	stop := make(chan struct{})
	close(stop)
	talk.Stop = stop
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP\n"}
	if _, err := talk.Ask(t.Context(), req, text); !errors.Is(err, dialogue.ErrStopping) || len(s.Prompts) != 0 {
		t.Errorf("error %v after %d questions, want none", err, len(s.Prompts))
	}
}

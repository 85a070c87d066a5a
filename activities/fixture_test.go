package activities

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
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
	"github.com/epb-nco/epb/teachers"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/workflows"
)

// perform runs an activity of the run whose journal ruled reads.
func perform[In, Out any](fx *fixture, do func(context.Context, In) (Out, error), in In) Out {
	fx.t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(do)
	var out Out
	value, err := env.ExecuteActivity(do, in)
	if err == nil {
		err = value.Get(&out)
	}
	if err != nil {
		fx.t.Fatal(err)
	}
	return out
}

// on is the model and the data that a step works on.
func on(m workflows.Model, d workflows.Dataset) workflows.ModelAndData {
	return workflows.ModelAndData{Model: m, Data: d}
}

// get reads a stored value.
func get[T any](fx *fixture, ref store.Ref) T {
	fx.t.Helper()
	var v T
	if err := fx.Store.GetJSON(fx.t.Context(), ref, &v); err != nil {
		fx.t.Fatal(err)
	}
	return v
}

// ruled checks the rulings on a program in the journal, the oldest first. "+" and some words stand for one that keeps
// the program, "-" for one that does not.
func (fx *fixture) ruled(h bank.Heuristic, want ...string) {
	fx.t.Helper()
	rulings, err := journal.Of(fx.Store.Store, "default-test-workflow-id").Rulings(fx.t.Context(),
		journal.Reply{Programs: []string{journal.CodeOf(h)}})
	if err != nil {
		fx.t.Fatal(err)
	}
	ok := len(rulings) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = rulings[i].Kept == (want[i][0] == '+') && strings.Contains(rulings[i].Text, want[i][1:])
	}
	if !ok {
		fx.t.Errorf("%s: the log says %+v, want %q", h.Name, rulings, want)
	}
}

func namesOf(hs []bank.Heuristic) string {
	var names []string
	for _, h := range hs {
		names = append(names, h.Name)
	}
	return strings.Join(names, " ")
}

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

// Texts that are no valid programs, each for another reason.
var (
	python = "def heuristic(unselected_locs, first_loc, current_loc):\n" +
		"    return -(unselected_locs - current_loc).norm(dim=-1)\n"
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

// fixture is the activities on a real store with a real compiler, a step to run and a server that answers it.
type fixture struct {
	*Activities
	t     testing.TB
	in    workflows.StepInput
	stack *devstack.Stack // of the store
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	tools := compiletest.Toolchain(t)
	stack := devstacktest.Start(t, devstack.MinIO)
	s, err := store.Open(t.Context(), stack.Store())
	if err != nil {
		t.Fatal(err)
	}
	artifacts := artifact.New(s, tools, tensorops.CurrentIdentity(), 1<<20)
	fx := &fixture{Activities: New(artifacts, nil, nil), t: t, stack: stack}
	h, err := bank.New("near", near, bank.Lineage{Origin: "hand"})
	if err != nil {
		t.Fatal(err)
	}
	h.TauH = 0.1
	f := failures{
		Context: textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 20,
			Sharpness: agreement.Sharpness{Top1: 0.9, Top2: 0.1}, TauH: 0.1},
		Owners: [][]textgrad.Failure{{{Step: 3, N: 20, K: 17}}},
	}
	fx.in = workflows.StepInput{Origin: "textgrad", LLMAccess: workflows.LLMAccess{LLM: config.LLM{
		Critic: "m", Writer: "m", Proposer: "m", Temperature: new(1.0), MaxTokens: 500, Repairs: 2,
		Prices: ledger.Prices{"m": {Input: 1, Output: 10}},
	}}}
	for ref, v := range map[*store.Ref]any{&fx.in.Heuristic: h, &fx.in.Failures: f} {
		if *ref, err = fx.Store.PutJSON(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
	g, err := fx.Store.PutJSON(t.Context(), textgrad.Gradient{Logic: "a", Teacher: "b", Flaw: "c", Direction: "d"})
	if err != nil {
		t.Fatal(err)
	}
	fx.in.Gradients = []store.Ref{g}
	return fx
}

// asks gives the fixture a fresh worker whose LLM is s.
func (fx *fixture) asks(s *server) { fx.asksFor(s, 10*time.Second) }

// asksFor is asks with a deadline for one question.
func (fx *fixture) asksFor(s *server, deadline time.Duration) {
	srv := httptest.NewServer(s)
	fx.t.Cleanup(srv.Close)
	client, err := llm.New(llm.Config{BaseURL: srv.URL + "/v1", Attempt: 4 * time.Second, Deadline: deadline})
	if err != nil {
		fx.t.Fatal(err)
	}
	fx.LLM = &llm.Cached{Client: client, Cache: store.AnswerCache(fx.Store.Store)}
}

// step runs the Step activity as Temporal does: again, after a pause, as long as its error allows for that. An attempt
// is given the last heartbeat of the one before.
func (fx *fixture) step(in workflows.StepInput) (c workflows.Candidate, err error) {
	var last *workflows.Progress
	for {
		if c, last, err = fx.attempt(in, last); !workflows.IsType(err, workflows.ErrLLMNoAnswer) {
			return c, err
		}
		var app *temporal.ApplicationError
		errors.As(err, &app)
		time.Sleep(max(app.NextRetryDelay(), 20*time.Millisecond))
	}
}

// attempt runs the Step activity once, after an attempt whose last heartbeat is given, and returns its own.
func (fx *fixture) attempt(
	in workflows.StepInput, before *workflows.Progress,
) (c workflows.Candidate, last *workflows.Progress, err error) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(guarded("Step", fx.Step), activity.RegisterOptions{Name: "Step"})
	if before != nil {
		env.SetHeartbeatDetails(*before)
	}
	env.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) {
		var p workflows.Progress
		if err := details.Get(&p); err != nil {
			fx.t.Error(err)
		}
		last = &p
	})
	value, err := env.ExecuteActivity("Step", in)
	if err == nil {
		err = value.Get(&c)
	}
	return c, last, err
}

// put stores a value.
func (fx *fixture) put(v any) store.Ref {
	fx.t.Helper()
	ref, err := fx.Store.PutJSON(fx.t.Context(), v)
	if err != nil {
		fx.t.Fatal(err)
	}
	return ref
}

// entry returns a program as an entry of a bank.
func (fx *fixture) entry(name, source string) bank.Heuristic {
	fx.t.Helper()
	h, err := bank.New(name, source, bank.Lineage{Origin: "hand"})
	if err != nil {
		fx.t.Fatal(err)
	}
	h.TauH = 0.1
	return h
}

// rollout returns a shard of the teacher that ships with EPB.
func (fx *fixture) rollout() workflows.Shard {
	fx.t.Helper()
	ref, err := fx.Store.Put(fx.t.Context(), teachers.POMOTSP20)
	if err != nil {
		fx.t.Fatal(err)
	}
	s, err := fx.Rollout(fx.t.Context(), workflows.RolloutTask{Split: "train", Problem: routing.TSP,
		NamedTeacher: workflows.NamedTeacher{Teacher: ref, Name: "pomo_tsp20.pt"},
		Nodes:        20, Count: 2, Starts: 1, Seed: 1})
	if err != nil {
		fx.t.Fatal(err)
	}
	return s
}

// damage flips a bit of an object on the store's disk.
func (fx *fixture) damage(key string) {
	fx.t.Helper()
	devstacktest.Damage(fx.t, fx.stack, key)
}

// lose takes an object from the store's disk.
func (fx *fixture) lose(key string) {
	fx.t.Helper()
	devstacktest.Lose(fx.t, fx.stack, key)
}

// elsewhere returns the activities of another worker on the same store, with nothing in memory.
func (fx *fixture) elsewhere() *Activities {
	return New(artifact.New(fx.Store.Store, fx.Store.Compiler, fx.Store.Kernels, 1<<20), fx.LLM, nil)
}

// logged returns where the log of the process goes until the test ends.
func logged(t *testing.T) *bytes.Buffer {
	log, before := &bytes.Buffer{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return log
}

package activities

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/workflows"
)

// The heartbeat of an activity whose LLM is away says so, with the server's reason; with the answer it says so no more.
func TestHeartbeatSaysWhyTheLLMIsAwaited(t *testing.T) {
	b := newBench(t)
	heard := make(chan workflows.Progress, 1)
	var once sync.Once
	answer := writes(near)
	b.asks(&server{steps: []handler{
		refuses(http.StatusServiceUnavailable, `{"error":{"message":"overloaded"}}`),
		func(w http.ResponseWriter, r *http.Request) { // as long as nobody was told
			select {
			case p := <-heard:
				told := strings.HasPrefix(p.Waiting, "the LLM at 127.0.0.1:") && strings.HasSuffix(p.Waiting, "status 503: overloaded")
				if !told || p.Try != 2 {
					t.Errorf("heartbeat %+v", p)
				}
				answer(w, r)
			case <-r.Context().Done():
			}
		},
		answer,
	}})
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(b.Step)
	env.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) {
		var p workflows.Progress
		if err := details.Get(&p); err != nil {
			t.Error(err)
		}
		if p.Waiting != "" {
			once.Do(func() { heard <- p })
		}
	})
	if _, err := env.ExecuteActivity(b.Step, b.in); err != nil {
		t.Fatal(err)
	}
	once.Do(func() { t.Error("no heartbeat said why it waits") })
}

// What a heart was told of a wait is gone when the answer is there.
func TestHeartForgetsTheWait(t *testing.T) {
	ctx, h := asking(t.Context(), "waiting for the writer")
	defer h.still()
	b := newBench(t)
	b.asks(&server{steps: []handler{refuses(http.StatusServiceUnavailable, `{}`), writes(near)}})
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP wait\n"}
	read := func(a llm.Answer) (any, error) { return a.Text, nil }
	if _, err := b.talk(ctx, b.in.LLM, nil, "near").ask(ctx, req, read); err != nil {
		t.Fatal(err)
	}
	if h.now.Waiting != "" || h.now.Next != nil || h.now.Asked != nil || h.now.What != "waiting for the writer" {
		t.Errorf("after the answer the heart says %+v", h.now)
	}
}

package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/llm"
)

const key = "sk-very-secret-0123456789"

var ask = llm.Request{
	Role: llm.Critic, Model: "m", System: "be short", User: "hello", Temperature: 0.7, MaxTokens: 64, Seed: 3,
}

const good = `{"id":"1","object":"chat.completion","model":"m-2026",` +
	`"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"hi"}}],` +
	`"usage":{"prompt_tokens":11,"completion_tokens":2,"total_tokens":13}}`

// serve answers the n-th request (from 1) with steps[n-1], the last one forever.
func serve(t *testing.T, steps ...http.HandlerFunc) (*llm.Client, *atomic.Int32) {
	t.Helper()
	return serveTo(t, llm.Config{APIKey: key, Attempt: 4 * time.Second, MaxReply: 1 << 16}, steps...)
}

// serveTo is serve to a client of a config.
func serveTo(t *testing.T, cfg llm.Config, steps ...http.HandlerFunc) (*llm.Client, *atomic.Int32) {
	t.Helper()
	var calls atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(calls.Add(1))
		steps[min(n, len(steps))-1](w, r)
	}))
	t.Cleanup(srv.Close)
	cfg.BaseURL = srv.URL + "/v1"
	client, err := llm.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return client, &calls
}

func reply(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func hang(_ http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body) // only then does the server notice that the client is gone
	<-r.Context().Done()
}

func drip(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	for i := range len(good) {
		fmt.Fprint(w, good[i:i+1])
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(time.Minute):
		}
	}
}

func TestCompleteSendsAndReads(t *testing.T) {
	var got map[string]any
	var auth, path string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		auth, path = r.Header.Get("Authorization"), r.URL.Path
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		reply(200, good)(w, r)
	})
	answer, err := client.Complete(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Answer{Text: "hi", Model: "m-2026", Finish: "stop", PromptTokens: 11, CompletionTokens: 2}
	if answer != want {
		t.Errorf("answer %+v, want %+v", answer, want)
	}
	if path != "/v1/chat/completions" || auth != "Bearer "+key {
		t.Errorf("path %q, authorization %q", path, auth)
	}
	if got["model"] != "m" || got["temperature"] != 0.7 || got["max_tokens"] != 64.0 || got["seed"] != 3.0 {
		t.Errorf("sent %v", got)
	}
	if m := got["messages"].([]any); len(m) != 2 || m[0].(map[string]any)["content"] != "be short" {
		t.Errorf("messages %v", got["messages"])
	}
}

// What a run has spent rests on the server's counts: those that cannot be are estimated anew.
func TestIncredibleCountsAreEstimated(t *testing.T) {
	for _, counts := range []string{
		`"prompt_tokens":-9000000,"completion_tokens":2`, `"prompt_tokens":11,"completion_tokens":-1`,
		`"prompt_tokens":9000000000000000000,"completion_tokens":2`,
	} {
		body := strings.Replace(good, `"prompt_tokens":11,"completion_tokens":2`, counts, 1)
		client, _ := serve(t, reply(200, body))
		a, err := client.Complete(t.Context(), ask)
		if err != nil || !a.Estimated || a.PromptTokens < 1 || a.PromptTokens > 100 || a.CompletionTokens != 1 {
			t.Errorf("%s: %+v (%v), want an estimate", counts, a, err)
		}
	}
}

func TestCompleteOmitsWhatIsNotAsked(t *testing.T) {
	var got map[string]any
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		json.NewDecoder(r.Body).Decode(&got)
		reply(200, good)(w, r)
	})
	if _, err := client.Complete(t.Context(), llm.Request{Model: "m", Temperature: llm.OmitTemperature}); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"temperature", "max_tokens", "max_completion_tokens", "seed"} {
		if v, sent := got[field]; sent {
			t.Errorf("%s = %v was sent", field, v)
		}
	}
}

func TestEmptyKeyAndLocalhost(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	srv := httptest.NewServer(reply(200, good))
	defer srv.Close()
	t.Setenv("OPENAI_BASE_URL", strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)+"/v1/")
	cfg, err := llm.ConfigFromEnv()
	if err != nil {
		t.Fatal(err)
	}
	client, err := llm.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Complete(t.Context(), ask); err != nil {
		t.Error(err)
	}
}

func TestNewRefusesBadURL(t *testing.T) {
	for _, u := range []string{
		"https://me:hunter2@host/v1", "me:hunter2@host/v1", "localhost:8000", "ftp://x/v1", "http://", "::", "hunter2",
		"https://host/v1?key=hunter2",
	} {
		if _, err := llm.New(llm.Config{BaseURL: u}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("base URL %q: %v", u, err)
		}
	}
}

// A call ends within its time, whether the server is silent or sends a byte now and then.
func TestOneCallHasItsTime(t *testing.T) {
	for name, server := range map[string]http.HandlerFunc{"hangs for ever": hang, "drips for ever": drip} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, calls := serveTo(t, llm.Config{Attempt: 2 * time.Second}, server)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := client.Complete(ctx, ask); !errors.Is(err, llm.ErrNoAnswer) || ctx.Err() != nil {
				t.Errorf("error %v (%v), want the call's own end", err, ctx.Err())
			}
			if calls.Load() != 1 {
				t.Errorf("%d calls, want one", calls.Load())
			}
		})
	}
}

// A failure is told at once, by its kind: the server is asked once, whatever it answers.
func TestMisbehavingServers(t *testing.T) {
	denied := `{"error":{"message":"Incorrect API key provided: ` + key + `","code":"invalid_api_key"}}`
	tests := []struct {
		name string
		step http.HandlerFunc
		kind error
	}{
		{"429", reply(429, `{"error":{"message":"slow"}}`), llm.ErrNoAnswer},
		{"429 with Retry-After", reply(429, `{}`, "Retry-After", "0.05"), llm.ErrNoAnswer},
		{"500", reply(500, ``), llm.ErrNoAnswer},
		{"502 without JSON", reply(502, `<html>`), llm.ErrNoAnswer},
		{"503", reply(503, `{}`), llm.ErrNoAnswer},
		{"hangs", hang, llm.ErrNoAnswer},
		{"drips", drip, llm.ErrNoAnswer},
		{"truncated JSON", reply(200, good[:60]), llm.ErrNoAnswer},
		{"no choices", reply(200, `{"model":"m","choices":[]}`), llm.ErrNoAnswer},
		{"a large error page", reply(502, strings.Repeat("x", 1<<20)), llm.ErrNoAnswer},
		{"a large page on a limit", reply(429, strings.Repeat("x", 1<<20)), llm.ErrNoAnswer},
		{"a large refusal", reply(401, strings.Repeat("x", 1<<20)), llm.ErrAuth},
		{"401", reply(401, denied), llm.ErrAuth},
		{"403 without JSON", reply(403, `forbidden`), llm.ErrAuth},
		{"no quota", reply(429, `{"error":{"message":"pay","code":"insufficient_quota"}}`), llm.ErrQuota},
		{"402", reply(402, `{"error":{"message":"pay"}}`), llm.ErrQuota},
		{"unknown model", reply(404, `{"error":{"message":"no model m"}}`), llm.ErrRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			client, calls := serve(t, tt.step, reply(200, good))
			_, err := client.Complete(context.Background(), ask)
			if !errors.Is(err, tt.kind) {
				t.Errorf("error %v, want %v", err, tt.kind)
			} else if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "very-secret") {
				t.Errorf("the key is in the error: %v", err)
			}
			if calls.Load() != 1 {
				t.Errorf("%d calls, want one", calls.Load())
			}
			if answer, err := client.Complete(context.Background(), ask); err != nil || answer.Text != "hi" {
				t.Errorf("the next call: answer %+v, error %v", answer, err)
			}
		})
	}
}

// A base URL that leads to a page for people is named as what is wrong.
func TestPageInPlaceOfAReply(t *testing.T) {
	client, _ := serve(t, reply(200, "<html>", "Content-Type", "text/html; charset=utf-8"))
	_, err := client.Complete(t.Context(), ask)
	if !errors.Is(err, llm.ErrNoAnswer) || !strings.Contains(err.Error(), `"text/html; charset=utf-8"`) ||
		!strings.Contains(err.Error(), "Most end in /v1") {
		t.Errorf("error %v does not say what to look at", err)
	}
}

// The pause that a server asks for is handed to the caller, a day at most.
func TestRetryAfterIsTold(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		header, value string
		want          time.Duration
	}{
		{"Retry-After", "0.05", 50 * time.Millisecond},
		{"Retry-After", "3600", time.Hour}, {"Retry-After-Ms", "3600000", time.Hour},
		{"Retry-After", "10000000000", day}, {"Retry-After", "1e300", day},
		{"Retry-After", "Inf", day}, {"Retry-After-Ms", "1e300", day},
		{"Retry-After", "Fri, 31 Dec 2999 23:59:59 GMT", day},
	} {
		client, calls := serve(t, reply(429, `{"error":{"message":"later"}}`, tt.header, tt.value))
		_, err := client.Complete(t.Context(), ask)
		var e *llm.Error
		if !errors.As(err, &e) || e.RetryAfter != tt.want || e.Status != 429 || calls.Load() != 1 {
			t.Errorf("%s %s: error %v after %d calls, want one call and a pause of %v",
				tt.header, tt.value, err, calls.Load(), tt.want)
		}
	}
}

// Who is refused is not told to wait: the same words must come back from an archive of refusals.
func TestRefusalsAskForNoPause(t *testing.T) {
	client, _ := serve(t, reply(400, `{"error":{"message":"prompt is too long"}}`, "Retry-After", "5"))
	_, err := client.Complete(t.Context(), ask)
	if e, ok := errors.AsType[*llm.Error](err); !ok || e.Kind != llm.ErrPrompt || e.RetryAfter != 0 {
		t.Errorf("error %#v, want a refusal without a pause", err)
	}
}

// The reply of a server that names no model is that of the model that was asked.
func TestModelWithoutAName(t *testing.T) {
	client, _ := serve(t, reply(200, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`))
	if answer, err := client.Complete(t.Context(), ask); err != nil || answer.Model != ask.Model {
		t.Errorf("answer %+v (%v), want model %s", answer, err, ask.Model)
	}
}

// A server that calls its model and the end of a reply by a whole book is cut short.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", 1<<10)
	client, _ := serve(t, reply(200, `{"model":"`+long+`","choices":[{"finish_reason":"`+long+
		`","message":{"content":"hi"}}]}`))
	got, err := client.Complete(t.Context(), ask)
	if err != nil || len(got.Model) > 200 || len(got.Finish) > 64 || got.Text != "hi" {
		t.Errorf("%d and %d bytes (%v)", len(got.Model), len(got.Finish), err)
	}
}

// What a status line says of a failure names the server, and not the key.
func TestNoAnswerNamesTheServer(t *testing.T) {
	client, _ := serve(t, reply(503, `{"error":{"message":"busy `+key+`"}}`))
	_, err := client.Complete(t.Context(), ask)
	var e *llm.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Host, "127.0.0.1:") {
		t.Fatalf("error %#v", err)
	}
	if got, want := e.NoAnswer(), "the LLM at "+e.Host+" does not answer: status 503: busy [key]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCancelEndsTheCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	client, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		cancel()
		<-r.Context().Done() // the server hangs until the client goes away
	})
	if _, err := client.Complete(ctx, ask); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// The stand-in is known by its model's name, also by the one it had before.
func TestStandInIsKnownByItsName(t *testing.T) {
	for server, want := range map[string]string{
		llm.StandIn: llm.StandIn, "epb-standin": llm.StandIn, "m-2026": "m-2026",
	} {
		client, _ := serve(t, reply(200, strings.Replace(good, "m-2026", server, 1)))
		answer, err := client.Complete(t.Context(), ask)
		if err != nil || answer.Model != want || llm.IsStandIn(server) != (want == llm.StandIn) {
			t.Errorf("%s: answered by %q, want %q (%v)", server, answer.Model, want, err)
		}
	}
}

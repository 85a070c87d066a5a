package llm

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	const m = time.Minute
	for _, tt := range []struct {
		cfg               Config
		tokens            int
		attempt, deadline time.Duration
	}{
		{Config{}, 0, 3 * m, 10 * m},
		{Config{}, 2000, 3 * m, 10 * m},
		{Config{}, 24000, 20 * m, 60 * m},
		{Config{Attempt: 5 * m}, 24000, 5 * m, 15 * m},
		{Config{Attempt: m}, 0, m, 10 * m},
		{Config{Deadline: 30 * m}, 24000, 20 * m, 30 * m},
	} {
		attempt, deadline := tt.cfg.attempt(tt.tokens), tt.cfg.deadline(tt.tokens)
		if attempt != tt.attempt || deadline != tt.deadline {
			t.Errorf("%+v, %d tokens: %v and %v, want %v and %v",
				tt.cfg, tt.tokens, attempt, deadline, tt.attempt, tt.deadline)
		}
	}
}

// The time a request gets is its own, not the client's.
func TestTimeIsPerRequest(t *testing.T) {
	var told []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		told = append(told, r.Header.Get("X-Stainless-Timeout")) // seconds; openai-go sends what it was given
		http.Error(w, "", http.StatusNotFound)
	}))
	defer srv.Close()
	c, err := New(Config{BaseURL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	for _, tokens := range []int{0, 24000} {
		_, _ = c.Complete(t.Context(), Request{Model: "m", MaxTokens: tokens}) // refused, which is of no interest here
	}
	if got := strings.Join(told, " "); got != "180 1200" {
		t.Errorf("timeouts %q", got)
	}
}

// A call that takes too long says how long it had, and which variable gives it more.
func TestTimeIsOver(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that the client is gone
		<-r.Context().Done()
	}))
	defer srv.Close()
	c, err := New(Config{BaseURL: srv.URL, Attempt: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Complete(t.Context(), Request{Model: "m"})
	var failed *Error
	if !errors.As(err, &failed) || failed.Kind != ErrNoAnswer ||
		!strings.Contains(failed.NoAnswer(), "within 200ms") ||
		!strings.Contains(failed.NoAnswer(), "EPB_LLM_ATTEMPT") {
		t.Errorf("a call whose time is over: %v", err)
	}
}

func TestTimesFromEnv(t *testing.T) {
	t.Setenv("EPB_LLM_ATTEMPT", "20m")
	t.Setenv("EPB_LLM_DEADLINE", "")
	if c, err := ConfigFromEnv(); err != nil || c.Attempt != 20*time.Minute || c.Deadline != 0 {
		t.Errorf("config %+v (%v)", c, err)
	}
	for _, bad := range []string{"20", "soon", "-1m", "0s"} {
		t.Setenv("EPB_LLM_DEADLINE", bad)
		if _, err := ConfigFromEnv(); err == nil || !strings.Contains(err.Error(), "EPB_LLM_DEADLINE") {
			t.Errorf("%s: error %v, want one that names the variable", bad, err)
		}
	}
}

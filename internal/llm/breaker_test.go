package llm_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/llm"
)

// pausing is serve with a client that makes a pause.
func pausing(t *testing.T, pause time.Duration, steps ...http.HandlerFunc) (*llm.Client, *atomic.Int32) {
	t.Helper()
	return serveTo(t, llm.Config{Deadline: time.Second, Backoff: 2 * time.Second, Pause: pause}, steps...)
}

// One call finds out that the server is of no use; those behind it do not.
func TestFailureSparesFurtherCalls(t *testing.T) {
	for _, tt := range []struct {
		name  string
		step  http.HandlerFunc
		pause time.Duration
		calls int32 // of two
	}{
		{"unavailable", reply(503, `{"error":{"message":"busy"}}`), time.Hour, 1},
		{"key", reply(401, `{"error":{"message":"bad key"}}`), time.Hour, 1},
		{"quota", reply(402, `{"error":{"message":"pay"}}`), time.Hour, 1},
		{"request", reply(404, `{"error":{"message":"no model m"}}`), time.Hour, 2},
		{"prompt", reply(413, `{}`), time.Hour, 2},
		{"Retry-After", reply(429, `{"error":{"message":"later"}}`, "Retry-After", "3600"), time.Nanosecond, 1},
		{"after the pause", reply(503, `{}`), time.Nanosecond, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client, calls := pausing(t, tt.pause, tt.step)
			_, first := client.Complete(t.Context(), ask)
			_, err := client.Complete(t.Context(), ask)
			var was, is *llm.Error
			if !errors.As(first, &was) || !errors.As(err, &is) || is.Kind != was.Kind || is.Status != was.Status {
				t.Fatalf("errors %v and %v, want the same kind", first, err)
			}
			if calls.Load() != tt.calls {
				t.Errorf("%d calls, want %d", calls.Load(), tt.calls)
			}
			if told := strings.Contains(err.Error(), "not asked: that was so 0s ago: "+was.Detail); told != (tt.calls == 1) {
				t.Errorf("error %q", err)
			}
			if was.RetryAfter > 0 && (is.RetryAfter > was.RetryAfter || is.RetryAfter < was.RetryAfter-time.Minute) {
				t.Errorf("asks to wait %v, was %v", is.RetryAfter, was.RetryAfter)
			}
		})
	}
}

// A call that was on its way when another one failed is left alone, and its answer ends the pause.
func TestSuccessEndsThePause(t *testing.T) {
	begun, answer := make(chan struct{}), make(chan struct{})
	client, calls := pausing(t, time.Hour, func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-answer
		reply(200, good)(w, r)
	}, reply(401, `{}`), reply(200, good))
	patient := make(chan error)
	go func() {
		_, err := client.Complete(context.Background(), ask)
		patient <- err
	}()
	<-begun
	for range 2 {
		if _, err := client.Complete(t.Context(), ask); !errors.Is(err, llm.ErrAuth) {
			t.Errorf("error %v, want %v", err, llm.ErrAuth)
		}
	}
	close(answer)
	if err := <-patient; err != nil {
		t.Errorf("the call on its way: %v", err)
	}
	if _, err := client.Complete(t.Context(), ask); err != nil || calls.Load() != 3 {
		t.Errorf("after the success: %v, %d calls, want 3", err, calls.Load())
	}
}

// A caller that gives up says nothing about the server.
func TestCancelMakesNoPause(t *testing.T) {
	client, _ := pausing(t, time.Hour, reply(200, good))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Complete(ctx, ask); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := client.Complete(t.Context(), ask); err != nil {
		t.Error(err)
	}
}

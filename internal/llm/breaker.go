package llm

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"
)

// breaker spares a server that has just failed further calls, and these calls their waiting. Calls on their way are left alone.
type breaker struct {
	mu    sync.Mutex
	last  *Error // nil: calls go through
	at    time.Time
	until time.Time
}

// longest is how long a server is left alone at its own wish, which may be a mistake.
const longest = time.Hour

// refusal returns how a call ends that must not begin now, or nil.
func (b *breaker) refusal(now time.Time) *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last == nil || !now.Before(b.until) {
		return nil
	}
	e := *b.last
	e.Attempts = 0
	if e.RetryAfter > 0 {
		e.RetryAfter = b.until.Sub(now).Round(time.Second)
	}
	e.Detail = fmt.Sprintf("not asked: that was so %v ago: %s", now.Sub(b.at).Round(time.Second), e.Detail)
	return &e
}

// learn takes note of how a call ended. A server that refuses one request or prompt may well answer the next.
func (b *breaker) learn(err error, now time.Time, pause time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.last = nil
		return
	}
	var e *Error
	if !errors.As(err, &e) || e.Kind == ErrPrompt || e.Kind == ErrRequest {
		return
	}
	until := now.Add(min(cmp.Or(e.RetryAfter, pause), longest))
	if b.last == nil || until.After(b.until) {
		b.last, b.at, b.until = e, now, until
	}
}

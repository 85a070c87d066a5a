package llm

import (
	"errors"
	"fmt"
	"time"
)

// What a caller may do about a failed call, to be tested with errors.Is.
var (
	// ErrAuth: the server refuses the key (401, 403). Asking again is useless until someone changes it.
	ErrAuth = errors.New("the server refuses the key")
	// ErrQuota: the account has no money or quota left. Asking again is useless until someone adds some.
	ErrQuota = errors.New("the account's quota is used up")
	// ErrNoAnswer: no usable answer this time (429, 5xx, time-outs, broken replies). Ask again later.
	ErrNoAnswer = errors.New("the server is not available")
	// ErrEndpoint: the worker's environment does not name the server, or names it badly. Asking again is useless
	// until someone sets the variable and starts the worker again.
	ErrEndpoint = errors.New("the endpoint cannot be asked")
	// ErrPrompt: the server refuses this prompt, which is too long for the model or turned down by a filter. Asking it
	// again is useless; another one may pass.
	ErrPrompt = errors.New("the server refuses the prompt")
	// ErrRequest: the server refuses any such request (other 4xx): an unknown model, a parameter it does not take.
	// Asking again is useless until someone changes the server, the endpoint or the config.
	ErrRequest = errors.New("the server refuses the request")
)

// Error is a failed call. It never holds the key.
type Error struct {
	Kind       error         // one of the Err values above
	Host       string        // host and port of the server
	Status     int           // HTTP status, or the one in the reply's body; 0 if there was none
	RetryAfter time.Duration // what the server asked to wait; 0 if it did not
	Detail     string
}

// Error says what is wrong.
func (e *Error) Error() string {
	s := e.Kind.Error()
	if e.Status != 0 {
		s += fmt.Sprintf(" (status %d)", e.Status)
	}
	if e.RetryAfter > 0 {
		s += fmt.Sprintf(", asks to wait %v", e.RetryAfter)
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// NoAnswer says in words, for a status line, that the server does not answer, and why.
func (e *Error) NoAnswer() string {
	text := fmt.Sprintf("the LLM at %s does not answer: ", e.Host)
	if e.Status != 0 {
		text += fmt.Sprintf("status %d: ", e.Status)
	}
	return text + e.Detail
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

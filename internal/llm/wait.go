package llm

import (
	"context"
	"fmt"
	"time"
)

// Wait is what a call waits for at a moment. The zero Wait is none: the call has ended.
type Wait struct {
	Host  string    // of the server, with its port
	Try   int       // the attempt that is on its way or comes next
	Asked time.Time // when the attempt began; zero between two attempts
	Next  time.Time // when the next attempt begins; zero while one is on its way
	Last  *Error    // how the attempt before ended; nil on the first one
}

// Trouble says in words why the answer is late, or nothing on the first attempt.
func (w Wait) Trouble() string {
	if w.Last == nil {
		return ""
	}
	text := fmt.Sprintf("the LLM at %s does not answer: ", w.Host)
	if w.Last.Status != 0 {
		text += fmt.Sprintf("status %d: ", w.Last.Status)
	}
	return text + w.Last.Detail
}

type waitKey struct{}

// WithWait has calls under ctx tell what they wait for, whenever that changes. Of equal requests that are one call, the
// first is told.
func WithWait(ctx context.Context, tell func(Wait)) context.Context {
	return context.WithValue(ctx, waitKey{}, tell)
}

func tell(ctx context.Context, w Wait) {
	if tell, ok := ctx.Value(waitKey{}).(func(Wait)); ok {
		tell(w)
	}
}

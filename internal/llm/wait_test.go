package llm_test

import (
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/llm"
)

// A call tells what it waits for: the first attempt, the pause after a failure and its cause, the next attempt, and that
// it is over.
func TestCallsTellWhatTheyWaitFor(t *testing.T) {
	cfg := llm.Config{Deadline: time.Minute, Backoff: time.Millisecond, APIKey: "sk-planted"}
	client, _ := serveTo(t, cfg, reply(503, `{"error":{"message":"busy sk-planted"}}`), reply(200, good))
	var waits []llm.Wait
	if _, err := client.Complete(llm.WithWait(t.Context(), func(w llm.Wait) { waits = append(waits, w) }), ask); err != nil {
		t.Fatal(err)
	}
	if len(waits) != 4 {
		t.Fatalf("told %+v, want an attempt, a pause, an attempt and the end", waits)
	}
	if w := waits[0]; w.Try != 1 || w.Asked.IsZero() || !w.Next.IsZero() || w.Trouble() != "" {
		t.Errorf("first %+v", w)
	}
	if w := waits[1]; w.Try != 2 || !w.Asked.IsZero() || w.Next.IsZero() {
		t.Errorf("then %+v", w)
	}
	if w := waits[2]; w.Try != 2 || w.Asked.IsZero() || !w.Next.IsZero() {
		t.Errorf("then %+v", w)
	}
	if waits[3] != (llm.Wait{}) {
		t.Errorf("at the end %+v", waits[3])
	}
	for _, w := range waits[1:3] {
		text := w.Trouble()
		if want := "the LLM at " + w.Host + " does not answer: status 503: busy [key]"; text != want {
			t.Errorf("trouble %q, want %q", text, want)
		}
	}
}

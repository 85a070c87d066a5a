package archive_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/archive"
)

func entry(r llm.Request, a llm.Answer) archive.Entry {
	return archive.Entry{Key: r.Key(), Request: r, Answer: a}
}

func request(role llm.Role, user string) llm.Request {
	return llm.Request{
		Role: role, Model: "dear", System: "You are the " + string(role), User: user,
		Temperature: 0.7, MaxTokens: 64, Seed: 3,
	}
}

// sample returns entries of all kinds, out of order, one of them twice.
func sample() []archive.Entry {
	step := request(llm.Writer, "# Task: STEP\n\npackage near\n\nif a < b && b > c {}")
	critique := request(llm.Critic, "# Task: BACKWARD CODE\n")
	critique.Temperature, critique.Seed, critique.MaxTokens = -3, 0, 0 // none of them is sent
	propose := request(llm.Proposer, "# Task: PROPOSE\n")
	long := request(llm.Proposer, "# Task: PROPOSE\nlong")
	refused := archive.Entry{Key: long.Key(), Request: long,
		Refusal: "the server refuses the prompt (status 413): prompt is too long:\nby 3"}
	return []archive.Entry{
		entry(step, llm.Answer{Text: "déjà <vu>", Model: "dear-2026", Finish: "length", PromptTokens: 9,
			CompletionTokens: 4}),
		refused,
		entry(critique, llm.Answer{Text: "far", Model: "dear-2026", Finish: "stop", PromptTokens: 11,
			CompletionTokens: 1, Estimated: true}),
		entry(propose, llm.Answer{Model: "dear-2026", Finish: llm.FinishNothing, PromptTokens: 5}),
		entry(request(llm.Writer, "# Task: STEP\nall of it"), llm.Answer{Model: "dear-2026", Finish: llm.FinishTooLarge,
			PromptTokens: 7, CompletionTokens: 900, Estimated: true}),
		entry(step, llm.Answer{Text: "déjà <vu>", Model: "dear-2026", Finish: "length", PromptTokens: 9,
			CompletionTokens: 4, Replayed: true}),
	}
}

func write(t *testing.T, entries []archive.Entry, zip bool) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := archive.Write(&out, entries, zip); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The bytes of an archive depend on its entries alone: not on their order, nor on whether they were replayed.
func TestSameEntriesSameBytes(t *testing.T) {
	for _, zip := range []bool{false, true} {
		data := write(t, sample(), zip)
		read, err := archive.Read(bytes.NewReader(data))
		if err != nil || len(read) != 5 {
			t.Fatalf("zip %v: %d entries (%v), want 5", zip, len(read), err)
		}
		slices.Reverse(read)
		if !bytes.Equal(write(t, read, zip), data) {
			t.Errorf("zip %v: another order makes another archive", zip)
		}
	}
	if text := string(write(t, sample(), false)); !strings.Contains(text, "déjà <vu>") ||
		!strings.Contains(text, "a < b && b > c") {
		t.Errorf("nobody can read this:\n%s", text)
	}
}

func TestDamage(t *testing.T) {
	text := string(write(t, sample(), false))
	for name, damaged := range map[string]string{
		"changed prompt": strings.Replace(text, "a < b", "a > b", 1),
		"cut off":        text[:len(text)-20],
		"no answer":      strings.Replace(text, `"model":"dear-2026"`, `"model":""`, 1),
		"unknown field":  strings.Replace(text, `{"key"`, `{"extra":1,"key"`, 1),
	} {
		if _, err := archive.Read(strings.NewReader(damaged)); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: error %v, want one that names the line", name, err)
		}
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Load(empty); err == nil || !strings.Contains(err.Error(), "no entries") {
		t.Errorf("empty file: error %v", err)
	}
}

func TestSaveKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl.gz")
	if err := archive.Save(path, sample()); err != nil {
		t.Fatal(err)
	}
	if err := archive.Save(path, sample()[:1]); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v, want one that the file exists", err)
	}
	if read, err := archive.Load(path); err != nil || len(read) != 5 {
		t.Errorf("%d entries (%v), want the first five", len(read), err)
	}
}

// A client gets what the archive holds of each request, and learns that it is replayed.
func TestReplay(t *testing.T) {
	client := serve(t, sample())
	for _, e := range sample() {
		got, err := client.Complete(t.Context(), e.Request)
		if e.Refusal != "" {
			if !errors.Is(err, llm.ErrPrompt) || err.Error() != e.Refusal {
				t.Errorf("refused prompt: error %q, want %q", err, e.Refusal)
			}
			continue
		}
		want := e.Answer
		want.Replayed = true
		if want.Estimated { // by the client, anew
			want.PromptTokens, want.CompletionTokens = got.PromptTokens, got.CompletionTokens
		}
		if err != nil || got != want {
			t.Errorf("answer %+v (%v), want %+v", got, err, want)
		}
		if spend := got.Spend("dear", nil); !spend.Replayed || spend.StandIn {
			t.Errorf("spend %+v, want a replayed one", spend)
		}
	}
}

// A request that is not in the archive is refused at once, with its role and its program.
func TestUnknownRequest(t *testing.T) {
	client := serve(t, sample())
	req := request(llm.Writer, "# Task: STEP\n\n```go\npackage lone_city\n```\n")
	_, err := client.Complete(t.Context(), req)
	if !errors.Is(err, llm.ErrRequest) {
		t.Fatalf("error %v, want one that ends the question at once", err)
	}
	for _, want := range []string{"STEP", "writer", "lone_city", "dear", "404"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not name %s", err, want)
		}
	}
	other := sample()[0].Request
	other.Seed++
	if _, err := client.Complete(t.Context(), other); !errors.Is(err, llm.ErrRequest) {
		t.Errorf("another seed: error %v, want that it is not in the archive", err)
	}
}

func TestTwoOutcomes(t *testing.T) {
	e := sample()[0]
	other := e
	other.Answer.Model = llm.StandIn
	if _, err := archive.Handler([]archive.Entry{e, other}); err == nil ||
		!strings.Contains(err.Error(), llm.StandIn) || !strings.Contains(err.Error(), "dear-2026") {
		t.Errorf("error %v, want one that names both models", err)
	}
}

func serve(t *testing.T, entries []archive.Entry) *llm.Client {
	t.Helper()
	handler, err := archive.Handler(entries[:len(entries)-1])
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client, err := llm.New(llm.Config{BaseURL: server.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Package llmtest is a server that speaks chat completions as a test tells it to, well or badly.
package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/epb-nco/epb/internal/llm"
)

// Server answers the n-th request with the n-th step, and all that follow with the last one.
type Server struct {
	Steps   []http.HandlerFunc
	Prompts []string // of the requests so far; read it when none is under way

	mu sync.Mutex
}

// ServeHTTP answers a completion by the next step. It has no list of models.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		http.NotFound(w, r)
		return
	}
	var body struct {
		Messages []struct{ Role, Content string }
	}
	data, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(data, &body)
	s.mu.Lock()
	step := s.Steps[min(len(s.Prompts), len(s.Steps)-1)]
	s.Prompts = append(s.Prompts, body.Messages[len(body.Messages)-1].Content)
	s.mu.Unlock()
	step(w, r)
}

// Says answers with a text, 1000 tokens for the prompt and 100 for itself.
func Says(text string) http.HandlerFunc { return answer("m-2026", text) }

// StandIn answers as the stand-in does.
func StandIn(text string) http.HandlerFunc { return answer(llm.StandIn, text) }

func answer(model, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		message := map[string]any{"role": "assistant", "content": text}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model":   model,
			"choices": []any{map[string]any{"finish_reason": "stop", "message": message}},
			"usage":   map[string]any{"prompt_tokens": 1000, "completion_tokens": 100},
		})
	}
}

// Refuses answers with a status, a body, and perhaps the name and value of a header.
func Refuses(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if len(header) == 2 {
			w.Header().Set(header[0], header[1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Hangs never answers.
func Hangs(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client is gone
	<-r.Context().Done()
}

// Drips answers a byte a minute.
func Drips(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	for {
		_, _ = io.WriteString(w, " ")
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(time.Minute):
		}
	}
}

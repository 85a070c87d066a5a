package standin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/epb-nco/epb/internal/llm"
)

// maxRequest is the size limit of a request body in bytes.
const maxRequest = 8 << 20

// Entry is one line of the server's log.
type Entry struct {
	Hash string    `json:"hash"` // SHA-256 of the request body
	Task string    `json:"task"` // as in the prompt's first heading
	Time time.Time `json:"time"`
}

// Handler returns the server. A request for the model llm.NullWriter is answered by the null writer, any other by the
// stand-in, and the answer names its author. The handler writes one Entry as a line to log for every completion that is
// asked for, answered or not, unless log is nil.
func Handler(log io.Writer) http.Handler {
	var mu sync.Mutex
	record := func(body []byte, task string) error {
		if log == nil {
			return nil
		}
		sum := sha256.Sum256(body)
		line, err := json.Marshal(Entry{Hash: hex.EncodeToString(sum[:]), Task: task, Time: time.Now().UTC()})
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		_, err = log.Write(append(line, '\n'))
		return err
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, map[string]any{
			"object": "list",
			"data": []any{
				map[string]any{"id": llm.StandIn, "object": "model", "owned_by": "epb"},
				map[string]any{"id": llm.NullWriter, "object": "model", "owned_by": "epb"},
			},
		})
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		if err != nil {
			refuse(w, http.StatusRequestEntityTooLarge, err)
			return
		}
		var request struct {
			Model    string
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal(body, &request); err != nil {
			refuse(w, http.StatusBadRequest, fmt.Errorf("the body is no chat completion request: %w", err))
			return
		}
		var system, user string
		for _, m := range request.Messages {
			switch m.Role {
			case "system":
				system = m.Content
			case "user":
				user = m.Content
			}
		}
		if err := record(body, parse(system, user).task); err != nil {
			refuse(w, http.StatusInternalServerError, fmt.Errorf("write the log: %w", err))
			return
		}
		author, answer := llm.StandIn, Answer
		if request.Model == llm.NullWriter {
			author, answer = llm.NullWriter, AnswerByLot
		}
		text, err := answer(system, user)
		if err != nil {
			refuse(w, http.StatusUnprocessableEntity, err)
			return
		}
		sum := sha256.Sum256(body)
		in, out := len(body)/4, len(text)/4 // about four bytes a token
		write(w, http.StatusOK, map[string]any{
			"id": "epb-" + hex.EncodeToString(sum[:8]), "object": "chat.completion", "created": 0, "model": author,
			"choices": []any{map[string]any{
				"index": 0, "finish_reason": "stop",
				"message": map[string]any{"role": "assistant", "content": text},
			}},
			"usage": map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out},
		})
	})
	return mux
}

func refuse(w http.ResponseWriter, status int, err error) {
	write(w, status, map[string]any{"error": map[string]any{"message": err.Error(), "type": "invalid_request_error"}})
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // the client is gone if this fails
}

package archive

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/epb-nco/epb/internal/llm"
)

// maxRequest is the size limit of a request body in bytes.
const maxRequest = 8 << 20

// Handler returns a server that answers each request of an archive as it was answered then, and says so by
// llm.ReplayedHeader. It refuses any other request for good (404, which a client reports as llm.ErrRequest). Handler
// fails if one request has two outcomes, so that no run can be repeated from the archive.
func Handler(entries []Entry) (http.Handler, error) {
	known := map[llm.Request]Entry{}
	roles := map[string]llm.Role{} // by system prompt
	var models []string
	for _, e := range entries {
		sent := asSent(e.Request)
		if other, ok := known[sent]; ok && (other.Answer != e.Answer || other.Refusal != e.Refusal) {
			return nil, fmt.Errorf("request %.8s has two outcomes, of %s and of %s: the run changed its model on the "+
				"way, so that it cannot be repeated", e.Key, giver(other), giver(e))
		}
		known[sent] = e
		roles[e.Request.System] = e.Request.Role
		models = append(models, e.Request.Model)
		if e.Refusal == "" {
			models = append(models, e.Answer.Model)
		}
	}
	slices.Sort(models)
	models = slices.Compact(models)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		list := make([]any, len(models))
		for i, m := range models {
			list[i] = map[string]any{"id": m, "object": "model", "owned_by": "epb-archive"}
		}
		write(w, http.StatusOK, map[string]any{"object": "list", "data": list})
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		req, err := read(http.MaxBytesReader(w, r.Body, maxRequest))
		if err != nil {
			refuse(w, http.StatusBadRequest, "", fmt.Sprintf("the body is no chat completion request: %v", err))
			return
		}
		e, ok := known[req]
		switch {
		case !ok:
			refuse(w, http.StatusNotFound, "not_in_archive", "the archive has no reply to "+describe(req, roles)+
				": this run asks otherwise than the archived one; compare their configs, seeds and versions")
		case e.Refusal != "":
			status, detail := refusal(e.Refusal)
			refuse(w, status, "invalid_prompt", detail)
		default:
			w.Header().Set(llm.ReplayedHeader, "archive")
			write(w, http.StatusOK, completion(e))
		}
	})
	return mux, nil
}

// asSent returns a request without what a server does not get to see.
func asSent(r llm.Request) llm.Request {
	r.Role = ""
	if r.Temperature < 0 {
		r.Temperature = llm.OmitTemperature
	}
	return r
}

// giver names who gave an entry's outcome.
func giver(e Entry) string {
	if e.Refusal != "" {
		return "a server that refused it"
	}
	return e.Answer.Model
}

// read reads a request from the body that llm.Client sends.
func read(body io.Reader) (llm.Request, error) {
	var sent struct {
		Model               string
		Messages            []struct{ Role, Content string }
		Temperature         *float64
		MaxTokens           int `json:"max_tokens"`
		MaxCompletionTokens int `json:"max_completion_tokens"`
		Seed                int64
	}
	if err := json.NewDecoder(body).Decode(&sent); err != nil {
		return llm.Request{}, err
	}
	if sent.Model == "" || len(sent.Messages) == 0 {
		return llm.Request{}, errors.New("it has no model or no messages")
	}
	req := llm.Request{
		Model: sent.Model, Temperature: llm.OmitTemperature, Seed: sent.Seed,
		MaxTokens: cmp.Or(sent.MaxTokens, sent.MaxCompletionTokens),
	}
	if sent.Temperature != nil {
		req.Temperature = *sent.Temperature
	}
	for _, m := range sent.Messages {
		switch m.Role {
		case "system":
			req.System = m.Content
		case "user":
			req.User = m.Content
		}
	}
	return req, nil
}

// program finds the name of the program that a prompt shows.
var program = regexp.MustCompile(`(?m)^package (\w+)$`)

// describe names a request by its task, role, program and model. Nothing else of the prompt is in the text: it may be
// long, and llm.Client looks for words in a refusal.
func describe(req llm.Request, roles map[string]llm.Role) string {
	text := fmt.Sprintf("%q", req.Task())
	if role, ok := roles[req.System]; ok {
		text += fmt.Sprintf(" by the %s", role)
	}
	if found := program.FindStringSubmatch(req.User); found != nil {
		text += " about program " + found[1]
	}
	return text + " for model " + req.Model
}

// refused finds status and detail in the text of an llm.Error.
var refused = regexp.MustCompile(`(?s)^` + regexp.QuoteMeta(llm.ErrPrompt.Error()) + `(?: \(status (\d+)\))?: (.*)$`)

// refusal returns the status and the words with which a server refused a prompt, from the text of the client's error.
// The client then makes the same text of them.
func refusal(text string) (status int, detail string) {
	found := refused.FindStringSubmatch(text)
	if found == nil {
		return http.StatusBadRequest, text
	}
	status, err := strconv.Atoi(found[1])
	if err != nil {
		status = http.StatusBadRequest
	}
	return status, found[2]
}

// completion returns an answer as a server gives it. Where the tokens of the reply were estimated by the client, it
// counts none, so that the client estimates them again. A reply that was too large has no text to estimate.
func completion(e Entry) map[string]any {
	in, out := e.Answer.PromptTokens, e.Answer.CompletionTokens
	if e.Answer.Estimated && e.Answer.Finish != llm.FinishTooLarge {
		in, out = 0, 0
	}
	return map[string]any{
		"id": "epb-" + e.Key[:16], "object": "chat.completion", "created": 0, "model": e.Answer.Model,
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": e.Answer.Finish,
			"message": map[string]any{"role": "assistant", "content": e.Answer.Text},
		}},
		"usage": map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out},
	}
}

func refuse(w http.ResponseWriter, status int, code, text string) {
	write(w, status, map[string]any{
		"error": map[string]any{"message": text, "type": "invalid_request_error", "code": code},
	})
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // the client is gone if this fails
}

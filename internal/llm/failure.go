package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
)

// explain returns the error of a call that allowed for an answer of maxTokens: its kind, by the status and by what the
// server says, and the pause that the server asks for.
func (c *Client) explain(res *http.Response, err error, maxTokens int) *Error {
	e := &Error{Host: c.address}
	if res != nil {
		e.Status = res.StatusCode
		e.RetryAfter = retryAfter(res.Header, time.Now())
	}
	var said refusal
	if api, ok := errors.AsType[*openai.Error](err); ok {
		said = refusal{api.Code, api.Type, api.Param, api.Message}
	}
	if res != nil && res.StatusCode >= 400 && said.message == "" {
		body, _ := io.ReadAll(res.Body) // as much as there is
		said.message = cmp.Or(message(body), strings.TrimSpace(string(body)))
	}
	if res != nil && res.StatusCode < 300 && !isJSON(res.Header) {
		said.message = fmt.Sprintf("a reply of type %q, which is no JSON: is the path of the base URL right? Most end "+
			"in /v1", res.Header.Get("Content-Type"))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		said.message = fmt.Sprintf("no whole reply within %v, the time of one call: where the model is slower than "+
			"that, EPB_LLM_ATTEMPT in the worker's environment gives it more", c.cfg.attempt(maxTokens))
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		said.message = "the reply is larger than the cap" // the error itself speaks of a request
	}
	said.message = cmp.Or(said.message, err.Error())
	e.Detail = c.redact(said.message)
	e.Kind = said.failure(e.Status, maxTokens)
	if e.Kind != ErrNoAnswer {
		e.RetryAfter = 0 // nobody waits to be refused again
	}
	return e
}

// nothing returns the error of a call that the server took and gave no answer to. raw is the JSON of the reply, or of
// its choice, empty if there is none; detail is for one that does not say what is wrong. Some servers put an error into
// it, with the status as its code. That is then the status of the error.
func (c *Client) nothing(res *http.Response, raw, detail string, maxTokens int) *Error {
	e := &Error{Kind: ErrNoAnswer, Host: c.address, Status: res.StatusCode, Detail: detail}
	var body struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
			Param   string `json:"param"`
			Code    any    `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(raw), &body) != nil || body.Error.Message == "" {
		e.Detail = cmp.Or(c.redact(message([]byte(raw))), e.Detail)
		return e
	}
	e.Detail = c.redact(body.Error.Message)
	status, _ := body.Error.Code.(float64)
	code, _ := body.Error.Code.(string)
	if status >= http.StatusBadRequest {
		e.Status = int(status)
	}
	e.Kind = refusal{code, body.Error.Type, body.Error.Param, body.Error.Message}.failure(int(status), maxTokens)
	return e
}

// refusal is what a server says when it does not answer; fields that it left out are empty.
type refusal struct{ code, kind, param, message string }

// failure returns the kind of failure that a refusal with a status is, in answer to a request for up to maxTokens. A
// status below 400 is none: the server gave no status, or one of success.
func (r refusal) failure(status, maxTokens int) error {
	refusesPrompt := promptCode[r.code] || promptCode[r.kind] || tooLong.MatchString(r.message)
	switch {
	case status >= 400 && status < 500 && noRoom(r.message, r.param, maxTokens):
		return ErrRequest
	case status == http.StatusRequestEntityTooLarge, status != http.StatusTooManyRequests && refusesPrompt:
		return ErrPrompt
	case denied(status, r.code) != nil:
		return denied(status, r.code)
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooManyRequests,
		status >= 500, status < 400:
		return ErrNoAnswer // it may pass
	}
	return ErrRequest
}

// denied returns ErrAuth or ErrQuota if a status or code says that the key or the money is missing, nil otherwise.
func denied(status int, code string) error {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return ErrAuth
	case status == http.StatusPaymentRequired || code == "insufficient_quota":
		return ErrQuota
	}
	return nil
}

// How servers say that they refuse the prompt: OpenAI, Azure and llama.cpp by a code or type, others in words.
var (
	promptCode = map[string]bool{
		"context_length_exceeded": true, "exceed_context_size_error": true, "string_above_max_length": true,
		"invalid_prompt": true, "content_filter": true, "content_policy_violation": true,
	}
	tooLong = regexp.MustCompile(`(?i)context[ _](length|size|window)|prompt is too long|input is too long`)

	// contextLength finds a model's context length, in tokens, in an error of vLLM or OpenAI.
	contextLength = regexp.MustCompile(`(?i)maximum context length (?:is|of) (\d+)`)
)

// leastPrompt is the size of EPB's shortest prompts, in tokens.
const leastPrompt = 1024

// noRoom reports whether a server refuses max_tokens itself, so that no prompt would fit beside it.
func noRoom(detail, param string, maxTokens int) bool {
	if found := contextLength.FindStringSubmatch(detail); found != nil {
		length, err := strconv.Atoi(found[1])
		return err == nil && maxTokens+leastPrompt > length
	}
	return param == "max_tokens" || param == "max_completion_tokens"
}

// isJSON reports whether a reply says that it is JSON.
func isJSON(h http.Header) bool {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}

// message reads the error of servers that do not answer as OpenAI does: in a field "message" (older ones of vLLM), as a
// text "error", or as a text "detail" (FastAPI). It is empty where an error has another form.
func message(body []byte) string {
	var says map[string]any
	_ = json.Unmarshal(body, &says) // a body that is no JSON has no message
	for _, field := range []string{"message", "error", "detail"} {
		if text, ok := says[field].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// secret matches what looks like a key of OpenAI.
var secret = regexp.MustCompile(`\bsk-[^\s"']+`)

// redact removes the key, and any text that looks like a key, from a message, and cuts the message to 300 bytes.
func (c *Client) redact(s string) string {
	if c.cfg.APIKey != "" {
		s = strings.ReplaceAll(s, c.cfg.APIKey, "[key]")
	}
	s = secret.ReplaceAllString(s, "[key]")
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}

// retryAfter returns the pause that a server asks for, in milliseconds, in seconds or as a date; 0 if it asks for none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return seconds(s)
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return seconds(t.Sub(now).Seconds())
	}
	return 0
}

// seconds returns a pause of s seconds, at most a day: a longer one is taken for a mistake of the server.
func seconds(s float64) time.Duration {
	const day = 24 * 3600
	return time.Duration(min(s, day) * float64(time.Second))
}

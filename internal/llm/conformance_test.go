package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/llm"
)

// The shapes that servers answer in: fields nobody asked for, null where something else was expected, counts left out.
func TestServersReplies(t *testing.T) {
	tests := []struct {
		file     string
		want     llm.Answer
		unusable string // part of
	}{
		{"openai",
			llm.Answer{
				Text: "hi", Model: "gpt-5-mini-2025-08-07", Finish: "stop",
				PromptTokens: 21, CompletionTokens: 266,
			},
			""},
		{"openai_reasoned_away",
			llm.Answer{Model: "gpt-5-2025-08-07", Finish: "length", PromptTokens: 21, CompletionTokens: 4096},
			"reasoning"},
		{"openai_refusal",
			llm.Answer{Model: "gpt-5-2025-08-07", Finish: "stop", PromptTokens: 21, CompletionTokens: 12}, "empty"},
		{"openai_filtered",
			llm.Answer{Model: "gpt-4.1-2025-04-14", Finish: "content_filter", PromptTokens: 21, CompletionTokens: 1},
			"content_filter"},
		{"vllm",
			llm.Answer{Text: "hi", Model: "Qwen/Qwen3-8B", Finish: "stop", PromptTokens: 24, CompletionTokens: 118},
			""},
		{"vllm_no_parser",
			llm.Answer{
				Text: "<think>\nShort.\n</think>\n\nhi", Model: "Qwen/Qwen3-8B", Finish: "stop",
				PromptTokens: 24, CompletionTokens: 9,
			},
			""},
		{"vllm_cut",
			llm.Answer{
				Text: "package near", Model: "Qwen/Qwen3-8B", Finish: "length",
				PromptTokens: 24, CompletionTokens: 64,
			},
			"cut off after 64"},
		{"ollama",
			llm.Answer{Text: "hi", Model: "llama3.1:8b", Finish: "stop", PromptTokens: 26, CompletionTokens: 3}, ""},
		{"ollama_thinking",
			llm.Answer{Text: "hi", Model: "qwen3:8b", Finish: "stop", PromptTokens: 26, CompletionTokens: 97}, ""},
		{"mistral_thinking",
			llm.Answer{
				Text: "hi", Model: "magistral-small-2509", Finish: "stop", PromptTokens: 21, CompletionTokens: 60,
			},
			""},
		{"ollama_thought_away",
			llm.Answer{Model: "qwen3:8b", Finish: "length", PromptTokens: 26, CompletionTokens: 500}, "reasoning"},
		{"vllm_thought_away",
			llm.Answer{Model: "Qwen/Qwen3-8B", Finish: "length", PromptTokens: 24, CompletionTokens: 500}, "reasoning"},
		{"null_usage",
			llm.Answer{
				Text: "hi", Model: "local", Finish: "stop",
				PromptTokens: 4, CompletionTokens: 1, Estimated: true,
			},
			""},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("testdata", tt.file+".json"))
			if err != nil {
				t.Fatal(err)
			}
			client, calls := serve(t, reply(200, string(body)))
			answer, err := client.Complete(t.Context(), ask)
			if err != nil || answer != tt.want || calls.Load() != 1 {
				t.Errorf("answer %+v, error %v after %d calls, want %+v after one", answer, err, calls.Load(), tt.want)
			}
			if got := answer.Unusable(); (tt.unusable == "") != (got == "") || !strings.Contains(got, tt.unusable) {
				t.Errorf("unusable %q, want %q", got, tt.unusable)
			}
			if tt.unusable == "" && llm.Visible(answer.Text) != "hi" {
				t.Errorf("visible text %q", llm.Visible(answer.Text))
			}
		})
	}
}

// How the same servers refuse.
func TestServersErrors(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		status     int
		kind       error
		says       string
	}{
		{"openai: wrong key",
			`{"error":{"message":"Incorrect API key provided: sk-proj-abc.","type":"invalid_request_error",` +
				`"param":null,"code":"invalid_api_key"}}`,
			401, llm.ErrAuth, "[key]"},
		{"openai: quota",
			`{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","param":null,` +
				`"code":"insufficient_quota"}}`,
			429, llm.ErrQuota, "quota"},
		{"openai: temperature",
			`{"error":{"message":"Unsupported value: 'temperature' does not support 0.7 with this model.",` +
				`"type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`,
			400, llm.ErrRequest, "temperature"},
		{"vllm: unknown model",
			`{"error":{"message":"The model ` + "`m`" + ` does not exist.","type":"NotFoundError",` +
				`"param":"model","code":404}}`,
			404, llm.ErrRequest, "does not exist"},
		{"vllm: too long",
			`{"error":{"message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError",` +
				`"param":null,"code":400}}`,
			400, llm.ErrPrompt, "context length"},
		{"vllm, older",
			`{"object":"error","message":"The model does not exist.","type":"NotFoundError","param":null,` +
				`"code":404}`,
			404, llm.ErrRequest, "does not exist"},
		{"vllm, older: too long",
			`{"object":"error",` +
				`"message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",` +
				`"type":"BadRequestError","param":null,"code":400}`,
			400, llm.ErrPrompt, "5000 tokens"},
		{"openai: too long",
			`{"error":{"message":"Your input exceeds the limit of this model.","type":"invalid_request_error",` +
				`"param":"messages","code":"context_length_exceeded"}}`,
			400, llm.ErrPrompt, "exceeds"},
		{"openai: policy",
			`{"error":{"message":"Invalid prompt: your prompt was flagged.","type":"invalid_request_error",` +
				`"param":null,"code":"invalid_prompt"}}`,
			400, llm.ErrPrompt, "flagged"},
		{"azure: filter",
			`{"error":{"message":"The response was filtered.","type":null,"param":"prompt","code":"content_filter",` +
				`"status":400}}`,
			400, llm.ErrPrompt, "filtered"},
		{"llama.cpp: too long",
			`{"error":{"code":400,` +
				`"message":"request (4390 tokens) exceeds the available context size (4096 tokens), ` +
				`try increasing it",` +
				`"type":"exceed_context_size_error","n_prompt_tokens":4390,"n_ctx":4096}}`,
			400, llm.ErrPrompt, "4390"},
		{"llama.cpp, older: too long",
			`{"error":{"code":500,"message":"the request exceeds the available context size.",` +
				`"type":"server_error"}}`,
			500, llm.ErrPrompt, "context size"},
		{"a text as error: too long", `{"error":"prompt is too long: 5000 tokens"}`, 400, llm.ErrPrompt, "5000"},
		{"fastapi: too long", `{"detail":"the prompt is too long"}`, 400, llm.ErrPrompt, "too long"},
		{"google: in a list",
			`[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]`,
			400, llm.ErrRequest, "not valid"},
		{"fastapi: a field too many",
			`{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]}`,
			422, llm.ErrRequest, `"seed"`},
		{"a text as error in a reply", `{"error":"the model is loading"}`, 200, llm.ErrNoAnswer, "is loading"},
		{"a proxy without body", `null`, 200, llm.ErrNoAnswer, "without choices"},
		{"a status of success: policy",
			`{"error":{"message":"It was flagged.","type":"x","code":"content_filter"}}`,
			200, llm.ErrPrompt, "flagged"},
		{"larger than the cap", strings.Repeat("x", 1<<17), 502, llm.ErrNoAnswer, "larger than the cap"},
		{"a proxy: too large", `<html>Request Entity Too Large</html>`, 413, llm.ErrPrompt, ""},
		{"ollama: unknown model",
			`{"error":{"message":"model \"m\" not found, try pulling it first","type":"not_found_error",` +
				`"param":null,"code":null}}`,
			404, llm.ErrRequest, "try pulling"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client, calls := serve(t, reply(tt.status, tt.body))
			_, err := client.Complete(t.Context(), ask)
			e, ok := err.(*llm.Error)
			if !ok || e.Kind != tt.kind || e.Status != tt.status ||
				!strings.Contains(e.Detail, tt.says) || strings.Contains(e.Detail, "abc") {
				t.Errorf("error %#v, want %v that says %q", err, tt.kind, tt.says)
			}
			if calls.Load() != 1 {
				t.Errorf("%d calls, want 1", calls.Load())
			}
		})
	}
}

// OpenRouter puts an error into a reply of status 200, with the status that counts as its code. Such a reply is not one
// that was paid for.
func TestErrorInAReply(t *testing.T) {
	for _, tt := range []struct {
		says   string
		status int
		kind   error
	}{
		{"Insufficient credits", 402, llm.ErrQuota}, {"No auth", 401, llm.ErrAuth}, {"No model m", 404, llm.ErrRequest},
		{"Overloaded", 502, llm.ErrNoAnswer}, {"Rate limit exceeded", 429, llm.ErrNoAnswer},
		{"This endpoint's maximum context length is 8192 tokens.", 400, llm.ErrPrompt},
	} {
		client, _ := serve(t, reply(200, fmt.Sprintf(`{"error":{"message":%q,"code":%d}}`, tt.says, tt.status)))
		_, err := client.Complete(t.Context(), ask)
		e, ok := err.(*llm.Error)
		if !ok || e.Kind != tt.kind || e.Status != tt.status || e.Detail != tt.says {
			t.Errorf("error %#v, want %v of status %d that says %q", err, tt.kind, tt.status, tt.says)
		}
	}
}

// A reply that ends in an error, as OpenRouter gives it, is no answer: it is not stored, and the next call may go well.
// The status of one that was charged for says that there was a reply, since such replies count as perhaps paid for.
func TestReplyThatEndsInAnError(t *testing.T) {
	const broken = `{"model":"m","choices":[{"index":0,"finish_reason":"error","message":{"role":"assistant",` +
		`"content":"The flaw is"},"error":{"code":%d,"message":%q}}],"usage":{"total_tokens":%d}}`
	for _, tt := range []struct {
		says         string
		code, tokens int
		status       int
		kind         error
	}{
		{"Provider returned error", 502, 47, 200, llm.ErrNoAnswer},
		{"Provider returned error", 502, 0, 502, llm.ErrNoAnswer},
		{"", 0, 47, 200, llm.ErrNoAnswer}, {"flagged " + key, 403, 0, 403, llm.ErrAuth},
	} {
		client, calls := serve(t, reply(200, fmt.Sprintf(broken, tt.code, tt.says, tt.tokens)), reply(200, good))
		c := &llm.Cached{Client: client, Cache: &memory{m: map[string][]byte{}}}
		_, err := c.Complete(t.Context(), llm.Endpoint{}, ask)
		e, ok := err.(*llm.Error)
		if !ok || e.Kind != tt.kind || e.Status != tt.status || e.Detail == "" || strings.Contains(e.Detail, key) {
			t.Errorf("%q: error %#v, want %v of status %d", tt.says, err, tt.kind, tt.status)
		}
		if answer, err := c.Complete(t.Context(), llm.Endpoint{}, ask); err != nil || answer.Text != "hi" ||
			calls.Load() != 2 {
			t.Errorf("%q, asked again: %+v (%v) after %d calls", tt.says, answer, err, calls.Load())
		}
	}
}

// A server without room for llm.max_tokens refuses every prompt, so that the config must change. One with room for some
// prompts refuses only those that are too long.
func TestNoRoomForTheAnswer(t *testing.T) {
	const vllm = `{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: %d. ` +
		`This model's maximum context length is 16384 tokens and your request has 3616 input tokens.",` +
		`"type":"BadRequestError","param":"max_tokens","code":400}}`
	const openAI = `{"error":{"message":"max_tokens is too large: %d. ` +
		`This model supports at most 4096 completion tokens.",` +
		`"type":"invalid_request_error","param":"max_tokens","code":null}}`
	for _, tt := range []struct {
		body      string
		maxTokens int
		kind      error
	}{
		{vllm, 16384, llm.ErrRequest}, {vllm, 16000, llm.ErrRequest}, {vllm, 13000, llm.ErrPrompt},
		{openAI, 16384, llm.ErrRequest},
	} {
		client, _ := serve(t, reply(400, fmt.Sprintf(tt.body, tt.maxTokens)))
		req := ask
		req.MaxTokens = tt.maxTokens
		if _, err := client.Complete(t.Context(), req); !errors.Is(err, tt.kind) {
			t.Errorf("%d tokens: %v, want %v", tt.maxTokens, err, tt.kind)
		}
	}
}

// A reply without choices that was charged for is an answer of no use.
func TestNothingForMoney(t *testing.T) {
	const charged = `{"model":"m","choices":[],"usage":{"prompt_tokens":40,"completion_tokens":7,"total_tokens":47}}`
	client, calls := serve(t, reply(200, charged))
	answer, err := client.Complete(t.Context(), ask)
	if err != nil || answer.PromptTokens != 40 || answer.CompletionTokens != 7 || answer.Unusable() == "" ||
		calls.Load() != 1 {
		t.Errorf("answer %+v, error %v after %d calls", answer, err, calls.Load())
	}
}

// A reply beyond the cap is paid for: it is kept as an answer of no use and never asked for again.
func TestHugeReplyIsAnAnswerOnce(t *testing.T) {
	client, calls := serve(t, reply(200, strings.Replace(good, `"hi"`, `"`+strings.Repeat("x", 10<<20)+`"`, 1)))
	cache := &memory{m: map[string][]byte{}}
	for range 2 {
		c := &llm.Cached{Client: client, Cache: cache}
		answer, err := c.Complete(t.Context(), llm.Endpoint{}, ask)
		if err != nil || answer.Finish != llm.FinishTooLarge || answer.Text != "" ||
			answer.CompletionTokens != ask.MaxTokens || answer.Unusable() == "" {
			t.Errorf("answer %+v, error %v", answer, err)
		}
	}
	if calls.Load() != 1 {
		t.Errorf("%d calls, want 1", calls.Load())
	}
}

// What is sent is plain chat completions, which all of them read: two messages and the fields asked for, nothing more.
func TestRequestIsPlain(t *testing.T) {
	var got map[string]json.RawMessage
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		json.NewDecoder(r.Body).Decode(&got)
		reply(200, good)(w, r)
	})
	if _, err := client.Complete(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	for field := range got {
		switch field {
		case "model", "messages", "temperature", "max_tokens", "seed":
		default:
			t.Errorf("field %s is sent, which some server may refuse", field)
		}
	}
	const messages = `[{"content":"be short","role":"system"},{"content":"hello","role":"user"}]`
	if string(got["messages"]) != messages {
		t.Errorf("messages %s, want %s", got["messages"], messages)
	}
}

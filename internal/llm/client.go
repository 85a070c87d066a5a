package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// Config says where the models are and how long to wait for them. Zero values take the defaults.
type Config struct {
	BaseURL string // default OpenAI; a local server such as http://localhost:11434/v1 will do
	APIKey  string // may be empty for servers that want none

	Attempt  time.Duration // for one call; default 3 min, or as long as max_tokens take a slow model if that is longer
	Deadline time.Duration // for asking one question again and again; default 10 min, or three calls if that is longer
	MaxReply int64         // bytes of one reply; default 4 MiB
}

// OpenAI is the base URL where none is named.
const OpenAI = "https://api.openai.com/v1"

// slowest is the speed of a slow model, in tokens per second.
const slowest = 20

// ConfigFromEnv reads OPENAI_BASE_URL and OPENAI_API_KEY, and the durations EPB_LLM_ATTEMPT and EPB_LLM_DEADLINE.
func ConfigFromEnv() (Config, error) {
	c := Config{BaseURL: os.Getenv("OPENAI_BASE_URL"), APIKey: os.Getenv("OPENAI_API_KEY")}
	for name, to := range map[string]*time.Duration{"EPB_LLM_ATTEMPT": &c.Attempt, "EPB_LLM_DEADLINE": &c.Deadline} {
		v := os.Getenv(name)
		if v == "" {
			continue
		}
		d, err := time.ParseDuration(v)
		if err != nil || d <= 0 {
			return Config{}, fmt.Errorf("%s is no duration: want one such as 90s or 10m", name)
		}
		*to = d
	}
	return c, nil
}

// attempt returns how long one call may take that asks for an answer of at most maxTokens.
func (c Config) attempt(maxTokens int) time.Duration {
	return cmp.Or(c.Attempt, max(3*time.Minute, time.Duration(maxTokens)*time.Second/slowest))
}

// deadline returns how long such a question is asked again and again.
func (c Config) deadline(maxTokens int) time.Duration {
	return cmp.Or(c.Deadline, max(10*time.Minute, 3*c.attempt(maxTokens)))
}

// Client asks one server. It is safe for concurrent use.
type Client struct {
	cfg     Config
	host    string
	address string // host and port
	api     openai.ChatCompletionService
	models  openai.ModelService
	who     identity
}

// New returns a client and does not contact the server. It fails on a base URL that cannot be one, and on one with a
// user, a password or a query in it: the URL is shown wherever the server is named.
func New(cfg Config) (*Client, error) {
	if cfg.BaseURL == "" {
		cfg.BaseURL = OpenAI
	}
	// No error here shows the value, which may be a key that was put into the wrong variable.
	if strings.ContainsAny(cfg.BaseURL, "@?") {
		return nil, errors.New("llm base URL: it holds a user, a password or a query: leave them out, " +
			"the key has a setting of its own")
	}
	u, err := url.Parse(cfg.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, errors.New("llm base URL: it is none, want http://host/v1 or https://host/v1")
	}
	cfg.MaxReply = cmp.Or(cfg.MaxReply, 4<<20)

	transport := http.DefaultTransport.(*http.Transport).Clone() // honours NO_PROXY
	opts := []option.RequestOption{
		option.WithBaseURL(cfg.BaseURL),
		option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: capped{transport, cfg.MaxReply}}),
		option.WithAPIKey(cfg.APIKey),
	}
	return &Client{
		cfg: cfg, host: u.Hostname(), address: u.Host,
		api: openai.NewChatCompletionService(opts...), models: openai.NewModelService(opts...),
	}, nil
}

// Complete asks once and waits for the answer, for as long as one call may take. It fails with *Error, or with the
// error of ctx. A reply that is there but of no use (empty, cut off, too large) is an answer, since asking again would
// be paid again: see Answer.Unusable. One that the server ends in an error is none: it may go well another time.
func (c *Client) Complete(ctx context.Context, req Request) (Answer, error) {
	answer, failed := c.ask(ctx, req)
	switch {
	case failed == nil:
		return answer, nil
	case ctx.Err() != nil:
		return Answer{}, ctx.Err()
	}
	return Answer{}, failed
}

// ask makes the call of Complete.
func (c *Client) ask(ctx context.Context, req Request) (Answer, *Error) {
	var res *http.Response
	within := option.WithRequestTimeout(c.cfg.attempt(req.MaxTokens))
	completion, err := c.api.New(ctx, c.params(req), within, option.WithResponseInto(&res))
	if _, large := errors.AsType[*http.MaxBytesError](err); large && res.StatusCode < http.StatusBadRequest {
		tokens := int(c.cfg.MaxReply / bytesPerToken)
		if req.MaxTokens > 0 {
			tokens = min(tokens, req.MaxTokens)
		}
		return Answer{
			Model: req.Model, Finish: FinishTooLarge,
			PromptTokens: estimate(req.System + req.User), CompletionTokens: tokens, Estimated: true,
		}, nil
	}
	if err != nil {
		return Answer{}, c.explain(res, err, req.MaxTokens)
	}
	completion = cmp.Or(completion, &openai.ChatCompletion{}) // nil where the body is null
	if len(completion.Choices) == 0 && completion.Usage.TotalTokens == 0 {
		return Answer{}, c.nothing(res, completion.RawJSON(), "a reply without choices", req.MaxTokens)
	}
	if len(completion.Choices) == 0 {
		completion.Choices = []openai.ChatCompletionChoice{{FinishReason: FinishNothing}} // it was charged for
	}
	model := modelName(cmp.Or(cut(completion.Model, maxModel), req.Model))
	c.who.answered(model)
	choice := completion.Choices[0]
	if choice.FinishReason == finishError {
		failed := c.nothing(res, choice.RawJSON(), "the reply ended in an error", req.MaxTokens)
		if completion.Usage.TotalTokens > 0 {
			failed.Status = res.StatusCode // it may be paid for: the status says that there was a reply
		}
		return Answer{}, failed
	}
	answer := Answer{
		Text:             text(choice.Message),
		Model:            model,
		Finish:           cut(string(choice.FinishReason), maxFinish),
		PromptTokens:     int(completion.Usage.PromptTokens),
		CompletionTokens: int(completion.Usage.CompletionTokens),
		Replayed:         res.Header.Get(ReplayedHeader) != "",
		// This client alone says that a reply was too large: here an archive repeats it, with the estimate of then.
		Estimated: choice.FinishReason == FinishTooLarge,
	}
	if answer.PromptTokens == 0 && answer.CompletionTokens == 0 || !credible(answer) { // not every server counts
		answer.Estimated = true
		answer.PromptTokens, answer.CompletionTokens = estimate(req.System+req.User), estimate(answer.Text)
	}
	return answer, nil
}

// What a server calls its model and the end of a reply goes into prompts, histories and tables, so it is cut to so many
// bytes.
const (
	maxModel  = 200
	maxFinish = 64
)

// cut returns at most so many bytes of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// text returns the text of a message. Mistral's reasoning models send it in parts, among which are thoughts.
func text(m openai.ChatCompletionMessage) string {
	var parts []struct{ Text string }
	if json.Unmarshal([]byte(m.JSON.Content.Raw()), &parts) != nil {
		return m.Content
	}
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.Text)
	}
	return all.String()
}

// credible reports whether an answer can have taken so many tokens. Limits on what a run may spend rest on them.
func credible(a Answer) bool {
	const most = 10_000_000
	return a.PromptTokens >= 0 && a.PromptTokens <= most && a.CompletionTokens >= 0 && a.CompletionTokens <= most
}

// bytesPerToken is the usual length of a token of English or Go.
const bytesPerToken = 4

// estimate returns the number of tokens of a text, roughly.
func estimate(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// params returns a request as the API takes it.
func (c *Client) params(req Request) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{
		Model: req.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(req.System),
			openai.UserMessage(req.User),
		},
	}
	if req.Temperature >= 0 {
		p.Temperature = openai.Float(req.Temperature)
	}
	if req.Seed != 0 {
		p.Seed = openai.Int(req.Seed)
	}
	switch {
	case req.MaxTokens == 0:
	case c.host == "api.openai.com": // its reasoning models refuse max_tokens, which all others take
		p.MaxCompletionTokens = openai.Int(int64(req.MaxTokens))
	default:
		p.MaxTokens = openai.Int(int64(req.MaxTokens))
	}
	return p
}

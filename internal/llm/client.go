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
	"regexp"
	"strconv"
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
			return Config{}, fmt.Errorf("%s is %q: want a duration such as 90s or 10m", name, v)
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

// New returns a client. It fails on a base URL that is none, or that holds a password or query and would show it wherever it is named; the
// server is not contacted.
func New(cfg Config) (*Client, error) {
	if cfg.BaseURL == "" {
		cfg.BaseURL = OpenAI
	}
	// None of these shows the value: it may be a key in the wrong variable.
	if strings.ContainsAny(cfg.BaseURL, "@?") {
		return nil, errors.New("llm base URL: it holds a user, a password or a query: leave them out, the key has a setting of its own")
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

// Complete asks once and waits for the answer. Errors are *Error, or the context's. A reply that is there but of no use
// (empty, cut off, larger than the cap) is an answer, since asking again would be paid again: see Answer.Unusable.
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

func (c *Client) ask(ctx context.Context, req Request) (Answer, *Error) {
	var res *http.Response
	within := option.WithRequestTimeout(c.cfg.attempt(req.MaxTokens))
	completion, err := c.api.New(ctx, c.params(req), within, option.WithResponseInto(&res))
	if errors.Is(err, errTooLarge) && res != nil && res.StatusCode < http.StatusBadRequest {
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
	if len(completion.Choices) == 0 {
		if completion.Usage.TotalTokens == 0 {
			return Answer{}, &Error{Kind: ErrUnavailable, Host: c.address, Status: res.StatusCode, Detail: "a reply without choices"}
		}
		completion.Choices = []openai.ChatCompletionChoice{{FinishReason: FinishNothing}} // it was charged for
	}
	model := modelName(completion.Model)
	c.who.answered(model)
	choice := completion.Choices[0]
	answer := Answer{
		Text:             choice.Message.Content,
		Model:            model,
		Finish:           string(choice.FinishReason),
		PromptTokens:     int(completion.Usage.PromptTokens),
		CompletionTokens: int(completion.Usage.CompletionTokens),
	}
	if answer.PromptTokens == 0 && answer.CompletionTokens == 0 { // not every server counts
		answer.PromptTokens, answer.CompletionTokens, answer.Estimated = estimate(req.System+req.User), estimate(answer.Text), true
	}
	return answer, nil
}

// bytesPerToken is the usual length of a token of English or Go.
const bytesPerToken = 4

func estimate(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

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
	case c.host == "api.openai.com": // its reasoning models refuse the older field, which everyone else speaks
		p.MaxCompletionTokens = openai.Int(int64(req.MaxTokens))
	default:
		p.MaxTokens = openai.Int(int64(req.MaxTokens))
	}
	return p
}

// explain says what is wrong with a call that allowed for an answer of maxTokens.
func (c *Client) explain(res *http.Response, err error, maxTokens int) *Error {
	e := &Error{Kind: ErrUnavailable, Host: c.address, Detail: c.redact(err.Error())}
	if res != nil {
		e.Status = res.StatusCode
		e.RetryAfter = retryAfter(res.Header, time.Now())
	}
	code, kind, param := "", "", ""
	if api := (*openai.Error)(nil); errors.As(err, &api) {
		code, kind, param = api.Code, api.Type, api.Param
		if says := cmp.Or(api.Message, message(api.Response)); says != "" {
			e.Detail = c.redact(says)
		}
	}
	switch s := e.Status; {
	case s >= 400 && s < 500 && noRoom(e.Detail, param, maxTokens):
		e.Kind = ErrRequest
	case s == http.StatusRequestEntityTooLarge || s >= 400 && s != http.StatusTooManyRequests && (promptCode[code] || promptCode[kind] || tooLong.MatchString(e.Detail)):
		e.Kind = ErrPrompt
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		e.Kind = ErrAuth
	case s == http.StatusPaymentRequired || code == "insufficient_quota":
		e.Kind = ErrQuota
	case s == http.StatusRequestTimeout || s == http.StatusConflict || s == http.StatusTooManyRequests || s >= 500 || s < 400:
	default:
		e.Kind = ErrRequest
	}
	return e
}

// How servers say that it is the prompt they do not take: OpenAI, Azure and llama.cpp by a code or type, others in words.
var (
	promptCode = map[string]bool{
		"context_length_exceeded": true, "exceed_context_size_error": true, "string_above_max_length": true,
		"invalid_prompt": true, "content_filter": true, "content_policy_violation": true,
	}
	tooLong = regexp.MustCompile(`(?i)context[ _](length|size|window)|prompt is too long|input is too long`)

	// contextLength finds the number in what vLLM and OpenAI say of a model's context.
	contextLength = regexp.MustCompile(`(?i)maximum context length (?:is|of) (\d+)`)
)

// leastPrompt is the size in tokens below which no prompt of EPB's is.
const leastPrompt = 1024

// noRoom reports whether it is max_tokens that a server does not take, rather than a prompt beside it: no prompt would fit.
func noRoom(detail, param string, maxTokens int) bool {
	if found := contextLength.FindStringSubmatch(detail); found != nil {
		length, err := strconv.Atoi(found[1])
		return err == nil && maxTokens+leastPrompt > length
	}
	return param == "max_tokens" || param == "max_completion_tokens"
}

// message reads the error of servers that do not wrap it, as older vLLM.
func message(res *http.Response) string {
	var body struct {
		Message string `json:"message"`
	}
	_ = json.NewDecoder(res.Body).Decode(&body) // what is no JSON says nothing
	return body.Message
}

var secret = regexp.MustCompile(`\bsk-[^\s"']+`)

// redact takes the key, and whatever looks like one, out of a message and shortens it.
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

// retryAfter reads the pause a server asks for: milliseconds, seconds or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return seconds(s)
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}

// seconds returns a number of seconds, a day at most: a server that asks for more is asked again all the same.
func seconds(s float64) time.Duration {
	const day = 24 * 3600
	return time.Duration(min(s, day) * float64(time.Second))
}

package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
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
	BaseURL string // default OpenAI; http://localhost:11434/v1 and the like are welcome
	APIKey  string // may be empty for servers that want none

	Deadline time.Duration // for one call with all its attempts; default 10 min, or as long as three attempts if that is longer
	Attempt  time.Duration // for one attempt; default 3 min, or as long as max_tokens take at slowest if that is longer
	Backoff  time.Duration // before the second attempt, doubled for each further one, at most 1 min; default 1 s
	Pause    time.Duration // without calls after one that failed, unless the server says how long; default 30 s
	MaxReply int64         // bytes of one reply; default 4 MiB
}

// OpenAI is the base URL where none is named.
const OpenAI = "https://api.openai.com/v1"

const (
	maxBackoff = time.Minute
	slowest    = 20 // tokens per second a model is given time for
)

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

// patience returns how long an attempt and a whole call may take, for answers of so many tokens. What is set holds as it is.
func (c Config) patience(maxTokens int) (attempt, deadline time.Duration) {
	attempt = cmp.Or(c.Attempt, max(3*time.Minute, time.Duration(maxTokens)*time.Second/slowest))
	return attempt, cmp.Or(c.Deadline, max(10*time.Minute, 3*attempt))
}

// Client asks one server. It is safe for concurrent use.
type Client struct {
	cfg     Config
	host    string
	address string // host and port
	api     openai.ChatCompletionService
	models  openai.ModelService
	breaker breaker
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
	cfg.Backoff = cmp.Or(cfg.Backoff, time.Second)
	cfg.Pause = cmp.Or(cfg.Pause, 30*time.Second)
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

// maxBroken is how many replies without a choice, each perhaps paid for, are taken before giving up for now.
const maxBroken = 3

// Complete asks once and waits for the answer. 429, 5xx, time-outs and broken replies are tried again, after the
// pause the server asks for, until the deadline. Errors are *Error, or the context's. A reply that is there but of
// no use (empty, cut off, larger than the cap) is an answer, since asking again would be paid again: see Answer.Fault.
// For a pause after a failure that the next call would meet too, calls fail without being made.
func (c *Client) Complete(ctx context.Context, req Request) (Answer, error) {
	if failed := c.breaker.refusal(time.Now()); failed != nil {
		return Answer{}, failed
	}
	answer, err := c.insist(ctx, req)
	c.breaker.learn(err, time.Now(), c.cfg.Pause)
	return answer, err
}

func (c *Client) insist(ctx context.Context, req Request) (Answer, error) {
	timeout, deadline := c.cfg.patience(req.MaxTokens)
	within, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	pause := c.cfg.Backoff
	broken := 0
	var last *Error
	defer tell(ctx, Wait{})
	for attempt := 1; ; attempt++ {
		tell(ctx, Wait{Host: c.address, Try: attempt, Asked: time.Now(), Last: last})
		answer, failed := c.attempt(within, req, timeout)
		if failed == nil {
			return answer, nil
		}
		if err := ctx.Err(); err != nil {
			return Answer{}, err
		}
		failed.Attempts = attempt
		if failed.Status == http.StatusOK {
			broken++
		}
		if !errors.Is(failed, ErrUnavailable) || broken == maxBroken {
			return Answer{}, failed
		}
		wait := failed.RetryAfter
		if wait == 0 {
			wait = pause/2 + rand.N(pause/2+1)
			pause = min(2*pause, maxBackoff)
		}
		if deadline, _ := within.Deadline(); time.Now().Add(wait).After(deadline) {
			return Answer{}, failed
		}
		last = failed
		tell(ctx, Wait{Host: c.address, Try: attempt + 1, Next: time.Now().Add(wait), Last: last})
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
	}
}

func (c *Client) attempt(ctx context.Context, req Request, timeout time.Duration) (Answer, *Error) {
	var res *http.Response
	completion, err := c.api.New(ctx, c.params(req), option.WithRequestTimeout(timeout), option.WithResponseInto(&res))
	c.who.met(res)
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
			return Answer{}, &Error{Kind: ErrUnavailable, Status: res.StatusCode, Detail: "a reply without choices"}
		}
		completion.Choices = []openai.ChatCompletionChoice{{FinishReason: FinishNothing}} // it was charged for
	}
	choice := completion.Choices[0]
	answer := Answer{
		Text:             choice.Message.Content,
		Model:            completion.Model,
		Finish:           string(choice.FinishReason),
		PromptTokens:     int(completion.Usage.PromptTokens),
		CompletionTokens: int(completion.Usage.CompletionTokens),
		StandIn:          res.Header.Get(StandInHeader) != "" && completion.Model == StandInModel,
	}
	if answer.PromptTokens == 0 && answer.CompletionTokens == 0 { // not every server counts
		answer.PromptTokens, answer.CompletionTokens, answer.Estimated = estimate(req.System+req.User), estimate(answer.Text), true
	}
	return answer, nil
}

// bytesPerToken is the usual length of a token of English or Go.
const bytesPerToken = 4

func estimate(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// How the rule-based stand-in says what it is; see package standin.
const (
	StandInHeader = "X-EPB-Standin"
	StandInModel  = "epb-standin"
)

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
	e := &Error{Kind: ErrUnavailable, Detail: c.redact(err.Error())}
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

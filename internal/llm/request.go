package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// Role says what a call is for; the model, its price and its limits are chosen by role.
type Role string

// The three roles: the critic writes text gradients, the writer edits one program and its description, the
// proposer finds failure modes and new strategies.
const (
	Critic   Role = "critic"
	Writer   Role = "writer"
	Proposer Role = "proposer"
)

// schema is raised when stored answers stop being valid for equal requests.
const schema = 2

// OmitTemperature leaves the temperature to the server: some reasoning models refuse the field.
const OmitTemperature = -1

// Request is one question to a model.
type Request struct {
	Role        Role    `json:"role"`
	Model       string  `json:"model"`
	System      string  `json:"system"`
	User        string  `json:"user"`
	Temperature float64 `json:"temperature"` // negative: not sent
	MaxTokens   int     `json:"max_tokens"`  // 0: not sent
	Seed        int64   `json:"seed"`        // 0: not sent
}

// Task returns the name of the request's task, which is the first heading of its prompt: "STEP", "BACKWARD CODE".
func (r Request) Task() string {
	heading, _, _ := strings.Cut(r.User, "\n")
	return strings.TrimPrefix(heading, "# Task: ")
}

// Key returns the name of the request: SHA-256, in hex, over every field and the schema version.
func (r Request) Key() string {
	data, err := json.Marshal(struct {
		Schema int `json:"schema"`
		Request
	}{schema, r})
	if err != nil { // only a temperature that is no number
		panic(fmt.Sprintf("llm: request cannot be hashed: %v", err))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Answer is what came back.
type Answer struct {
	Text             string `json:"text"`  // raw, reasoning blocks included
	Model            string `json:"model"` // as the server names it
	Finish           string `json:"finish,omitempty"`
	PromptTokens     int    `json:"prompt_tokens"`
	CompletionTokens int    `json:"completion_tokens"`
	Estimated        bool   `json:"estimated,omitempty"` // the server did not count tokens
	Replayed         bool   `json:"replayed,omitempty"`  // from an archive: the model gave it to another run
}

// How an answer ended, in addition to the server's other words.
const (
	FinishLength   = "length"    // max_tokens were used up
	FinishTooLarge = "too_large" // more bytes than Config.MaxReply; the text is dropped
	FinishNothing  = "nothing"   // a reply without choices that was charged for
)

// finishError is how OpenRouter ends a reply that broke off because the model's provider failed.
const finishError = "error"

// Unusable says why the text of an answer may be of no use. It is empty for an answer that is complete. Asking the same
// again would not help.
func (a Answer) Unusable() string {
	switch {
	case a.Finish == FinishTooLarge:
		return "the reply was larger than this program accepts"
	case a.Finish == FinishLength && Visible(a.Text) == "":
		return fmt.Sprintf("all %d tokens went into reasoning, none into an answer (raise llm.max_tokens)",
			a.CompletionTokens)
	case a.Finish == FinishLength:
		return fmt.Sprintf("the reply was cut off after %d tokens (llm.max_tokens)", a.CompletionTokens)
	case Visible(a.Text) == "":
		return fmt.Sprintf("the reply is empty (finish reason %q)", a.Finish)
	}
	return ""
}

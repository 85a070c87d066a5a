package llm_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/llm"
)

func TestCode(t *testing.T) {
	const src = "package x\n\nfunc Score() {}"
	const wrong = "```go\npackage wrong\n\nfunc Score() { /* much longer */ }\n```\n"
	for name, text := range map[string]string{
		"bare":               src + "\n",
		"fenced":             "Sure:\n```go\n" + src + "\n```\nDone.",
		"fenced, no name":    "```\n" + src + "\n```",
		"longest fence":      "Before:\n```go\nx := 1\n```\nAfter:\n```go\n" + src + "\n```",
		"reasoning":          "<think>maybe\n" + wrong + "</think>\n" + src,
		"swallowed tag":      "hm, package wrong</think>\n" + src,
		"fence with a name":  "```go main.go\n" + src + "\n```",
		"windows line ends":  "```go\r\n" + src + "\r\n```",
		"cut before the end": "```go\n" + src,
		"reasons on, cut":    src + "\n<think>or rather\n" + wrong,
	} {
		if got := llm.Code(text); got != src {
			t.Errorf("%s: %q, want %q", name, got, src)
		}
	}
}

func TestTagged(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		ok               bool
	}{
		{"plain", "so <code>\nx\n</code> done", "x", true},
		{"fence inside", "<code>\n```go\nx\n```\n</code>", "x", true},
		{"last one wins", "<code>draft</code> better: <code>x</code>", "x", true},
		{"quoted in reasoning", "<think>use <code>y</code></think><code>x</code>", "x", true},
		{"not closed", "<code>x", "", false},
		{"named again", "<code>x</code> I kept it within <code> tags.", "x", true},
		{"reasoning cut off", "<think>perhaps <code>y</code>, no,", "", false},
		{"reasons again, cut", "<think>a</think><code>x</code><reasoning>or <code>y</code>", "x", true},
		{"absent", "x", "", false},
		{"closed only", "x</code>", "", false},
	} {
		if got, ok := llm.Tagged(tt.text, "code"); got != tt.want || ok != tt.ok {
			t.Errorf("%s: %q %v, want %q %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// A draft in reasoning that was cut off is no answer, and Unusable says where the tokens went.
func TestCutReasoningIsNoAnswer(t *testing.T) {
	a := llm.Answer{Text: "<think>\n```go\npackage draft\n```\nno, ", Finish: llm.FinishLength, CompletionTokens: 64}
	if got := llm.Code(a.Text); got != "" || !strings.Contains(a.Unusable(), "reasoning") {
		t.Errorf("code %q, unusable %q", got, a.Unusable())
	}
}

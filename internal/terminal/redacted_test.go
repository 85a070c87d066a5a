package terminal

import (
	"strings"
	"testing"
)

func TestRedacted(t *testing.T) {
	for text, want := range map[string]string{
		"as it is: 3 % of ×, é, τ_h":                     "as it is: 3 % of ×, é, τ_h",
		"a\n\tb\x1b[31m\u202ec\u200b\x00":                `a b\x1b[31m\u202ec\u200b\x00`,
		"get https://u:p@host:1/a?X-Amz-Signature=s now": "get https://host:1/a now",
		`Get "http://host/a?b=c": refused`:               `Get "http://host/a": refused`,
		"get https://u:p@ss/w@host/a now":                "get https://host/a now",
		"Authorization: Bearer abc.def-1 refused":        "Authorization: [key] refused",
		"key sk-abc-123 refused":                         "key [key] refused",
		"not UTF-8 \xff\xfe":                             `not UTF-8 \xff\xfe`,
		strings.Repeat("x", longest+1):                   strings.Repeat("x", longest-1) + "…",
	} {
		if got := Redacted(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

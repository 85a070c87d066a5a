package terminal_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/epb-nco/epb/internal/terminal"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ in, text, line string }{
		{"plain τ_h → 0.03, 東京", "plain τ_h → 0.03, 東京", "plain τ_h → 0.03, 東京"},
		{"two\nlines\tin columns", "two\nlines\tin columns", `two\nlines\tin columns`},
		{"\x1b[2J\x1b]0;title\a", `\x1b[2J\x1b]0;title\a`, `\x1b[2J\x1b]0;title\a`},
		{"a\rb\bc\x00\x7f", `a\rb\bc\x00\x7f`, `a\rb\bc\x00\x7f`},
		{"C1 \u009b31m", `C1 \u009b31m`, `C1 \u009b31m`},
		{"back\u202ewards \u2066and\u2069 zero\u200bwidth", `back\u202ewards \u2066and\u2069 zero\u200bwidth`,
			`back\u202ewards \u2066and\u2069 zero\u200bwidth`},
		{"no UTF-8: \xff\xc3", `no UTF-8: \xff\xc3`, `no UTF-8: \xff\xc3`},
		{"", "", ""},
	} {
		if got := terminal.Text(c.in); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := terminal.Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

func TestError(t *testing.T) {
	if got := terminal.Error(errors.New("file\x1b: line 1\nwant 2")); got != "file\\x1b: line 1\nwant 2" {
		t.Errorf("%q", got)
	}
	got := terminal.Error(errors.New("bank.json: unknown field " + strings.Repeat("é", 1<<20) +
		": remove it\nsecond line"))
	if len(got) > 2200 || !utf8.ValidString(got) || !strings.HasPrefix(got, "bank.json: unknown field é") ||
		!strings.HasSuffix(got, "é: remove it\nsecond line") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

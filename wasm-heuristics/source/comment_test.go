package source_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Lines fill a hundred columns and no more; only a longer word has a line of its own that is longer.
func TestComment(t *testing.T) {
	full := strings.Repeat("x", 97) // with "// " exactly a hundred columns
	for _, tt := range []struct{ text, want string }{
		{"", "//"},
		{"  a\n b ", "// a b"},
		{full, "// " + full},
		{full + " y", "// " + full + "\n// y"},
		{full[:95] + " y", "// " + full[:95] + " y"},
		{full[:96] + " y", "// " + full[:96] + "\n// y"},
		{full + full + " y", "// " + full + full + "\n// y"},
	} {
		if got := source.Comment(tt.text); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

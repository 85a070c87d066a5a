package report

import (
	"strings"
	"testing"
)

func FuzzHighlightKeepsTheSource(f *testing.F) {
	for _, src := range []string{"", "package x\n// c\nfunc f() { return 1.5 }\n", "a \"unterminated", "`raw\r\n`",
		"/* open", "\x00\xff func", "\ufefffunc x"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var b strings.Builder
		for _, s := range highlight(src) {
			b.WriteString(s.Text)
		}
		if b.String() != src {
			t.Errorf("highlight(%q) spells %q", src, b.String())
		}
	})
}

// Package terminal is how EPB writes to a terminal: text from outside made fit for it, tables, and a status line.
//
// Text from files, programs and models can contain control characters that move the cursor, overwrite earlier lines or
// reverse a line.
package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns s with every character that is neither printable, a newline nor a tab as its Go escape, such as \x1b or
// \u202e.
func Text(s string) string { return escaped(s, "\n\t") }

// Line is Text for one line: newlines and tabs are escaped too.
func Line(s string) string { return escaped(s, "") }

func escaped(s, keep string) string {
	printable := func(r rune) bool { return strconv.IsPrint(r) || strings.ContainsRune(keep, r) }
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case printable(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		s = s[size:]
	}
	return b.String()
}

// maxErrorLine is how many bytes of a line of an error are shown.
const maxErrorLine = 2000

// Error returns what err says as Text, with the middle of its longest lines left out: an error may quote what it was
// given.
func Error(err error) string {
	lines := strings.Split(Text(err.Error()), "\n")
	for i, line := range lines {
		if left := len(line) - maxErrorLine; left > 0 {
			head, tail := line[:maxErrorLine/2], line[len(line)-maxErrorLine/2:]
			lines[i] = fmt.Sprintf("%s … (%d bytes left out) … %s", strings.ToValidUTF8(head, ""), left,
				strings.ToValidUTF8(tail, ""))
		}
	}
	return strings.Join(lines, "\n")
}

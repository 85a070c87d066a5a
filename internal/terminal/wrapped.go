package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Wrapped prints words in lines of at most 110 columns. The first line keeps the blanks that it begins with, the others
// have four more.
func Wrapped(w io.Writer, text string) {
	const most = 110
	indent := len(text) - len(strings.TrimLeft(text, " "))
	line := strings.Repeat(" ", indent)
	for n, word := range strings.Fields(text) {
		switch {
		case n == 0:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > most:
			fmt.Fprintln(w, line)
			line = strings.Repeat(" ", indent+4) + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w, line)
}

package source

import "strings"

// commentWidth is how many columns the lines of a Comment have at most, unless a word is longer.
const commentWidth = 100

// Comment sets a text as a line comment, without a line break at its end.
func Comment(text string) string {
	var b strings.Builder
	line := "//"
	for word := range strings.FieldsSeq(text) {
		if line != "//" && len(line)+1+len(word) > commentWidth {
			b.WriteString(line + "\n")
			line = "//"
		}
		line += " " + word
	}
	return b.String() + line
}

package report

import (
	"html/template"
	"strings"
)

// prose is plain text as HTML, in which names between backticks are code, and no line begins with a percent sign.
func prose(text string) template.HTML {
	text = strings.ReplaceAll(text, " %", "\u00a0%")
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + template.HTMLEscapeString(part) + "</code>")
		} else {
			b.WriteString(template.HTMLEscapeString(part))
		}
	}
	return template.HTML(b.String())
}

// breakable is a program's name as HTML, which may continue on a new line after each underscore.
func breakable(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(name), "_", "_<wbr>"))
}

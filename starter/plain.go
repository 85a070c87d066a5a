package main

import (
	"regexp"
	"strings"

	"github.com/epb-nco/epb/internal/terminal"
)

// longest is how many characters of a foreign text are shown in a line.
const longest = 400

var (
	urlUser  = regexp.MustCompile(`(\w://)[^/\s"'@]*@`)
	urlQuery = regexp.MustCompile(`(https?://[^\s"'?]*)\?[^\s"']*`)
	apiKey   = regexp.MustCompile(`\bsk-[^\s"']+`)
)

// plain makes one line for a terminal of a text that came from elsewhere, such as an error, without what may be a secret
// in it.
func plain(text string) string {
	text = urlUser.ReplaceAllString(text, "$1")
	text = urlQuery.ReplaceAllString(text, "$1")
	text = apiKey.ReplaceAllString(text, "[key]")
	text = terminal.Line(strings.Join(strings.Fields(text), " "))
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest-1]) + "…"
	}
	return text
}

package main

import (
	"regexp"
	"strings"
	"unicode"
)

// longest is how many characters of a foreign text are shown in a line.
const longest = 400

var (
	urlUser  = regexp.MustCompile(`(\w://)[^/\s"'@]*@`)
	urlQuery = regexp.MustCompile(`(https?://[^\s"'?]*)\?[^\s"']*`)
	apiKey   = regexp.MustCompile(`\bsk-[^\s"']+`)
)

// plain makes one line for a terminal of a text that came from elsewhere, such as an error: without control characters, without
// characters that change the direction of writing, and without what may be a secret in it.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	text = urlUser.ReplaceAllString(text, "$1")
	text = urlQuery.ReplaceAllString(text, "$1")
	text = apiKey.ReplaceAllString(text, "[key]")
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest-1]) + "…"
	}
	return text
}

package terminal

import (
	"regexp"
	"strings"
)

// longest is how many characters of a text from elsewhere are shown in a line.
const longest = 400

var (
	urlUser  = regexp.MustCompile(`(\w://)[^\s"']*@`) // up to the last @: a password may hold others, and slashes
	urlQuery = regexp.MustCompile(`(https?://[^\s"'?]*)\?[^\s"']*`)
	apiKey   = regexp.MustCompile(`\b(sk-[^\s"']+|AIza[\w-]+|(?i:bearer)\s+[^\s"']+)`)
)

// Redacted makes one line of a text that came from elsewhere, such as an error, without what may be a secret in it.
func Redacted(text string) string {
	text = urlUser.ReplaceAllString(text, "$1")
	text = urlQuery.ReplaceAllString(text, "$1")
	text = apiKey.ReplaceAllString(text, "[key]")
	text = Line(strings.Join(strings.Fields(text), " "))
	return shortened(text, longest)
}

// Brief makes one line of at most 120 characters of a text of several lines.
func Brief(text string) string {
	return shortened(Line(strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", "; ")), " ")), 120)
}

// shortened returns the beginning of a text that has more than most characters.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

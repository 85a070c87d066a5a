package llm

import (
	"regexp"
	"strings"
)

var (
	reasoning = regexp.MustCompile(`(?s)<(think|thinking|reasoning)>.*?</(think|thinking|reasoning)>`)
	unclosed  = regexp.MustCompile(`(?s)<(think|thinking|reasoning)>.*`)
	fence     = regexp.MustCompile("(?s)```[^\n`]*\n(.*?)```")
)

// Visible returns the reply without its reasoning blocks. Where a server removed an opening tag, all text up to the
// closing tag is reasoning. Where a tag is never closed, the reply was cut off, and all text after it is reasoning.
func Visible(text string) string {
	text = reasoning.ReplaceAllString(text, "")
	for _, end := range []string{"</think>", "</thinking>", "</reasoning>"} {
		if _, after, ok := strings.Cut(text, end); ok {
			text = after
		}
	}
	return strings.TrimSpace(unclosed.ReplaceAllString(text, ""))
}

// Code returns the program in a reply: the longest fenced block, or the whole visible text where nothing is fenced.
func Code(text string) string {
	text = Visible(text)
	longest := ""
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		if len(m[1]) > len(longest) {
			longest = m[1]
		}
	}
	if longest != "" {
		return strings.TrimSpace(longest)
	}
	if rest, ok := strings.CutPrefix(text, "```"); ok { // a reply cut off before its closing fence
		_, rest, _ = strings.Cut(rest, "\n")
		return strings.TrimSpace(rest)
	}
	return text
}

// Tagged returns the text between the last <tag> that is closed and its </tag>, without its fences; ok is false if
// there is no such pair. A tag that the reply names once more afterwards, without closing it, does not count.
func Tagged(text, tag string) (inner string, ok bool) {
	text = Visible(text)
	from, to := "<"+tag+">", "</"+tag+">"
	end := strings.LastIndex(text, to)
	if end < 0 {
		return "", false
	}
	start := strings.LastIndex(text[:end], from)
	if start < 0 {
		return "", false
	}
	inner, _, _ = strings.Cut(text[start+len(from):], to)
	return Code(inner), true
}

package compile

import (
	"regexp"
	"strings"
)

// Unsaid returns the description of a program that has lost the term of a weight, in one paragraph. It takes out what
// the comment of the weight says where the description has it as an entry of a list, as those of sketches do, or as a
// sentence of its own, as those of the stand-in do. Where it has neither, one sentence at the end says all that no
// longer counts. For a weight with the comment "bonus of lead, in [0, 2]"
//
//	For it: near; lead.                    becomes  For it: near.
//	Near first. A candidate gains by lead. becomes  Near first.
//	Near first, unless others lead.        becomes  Near first, unless others lead. It no longer counts lead.
func Unsaid(description string, lost Weight) string {
	text := strings.Join(strings.Fields(description), " ")
	says := termWords(lost.Says)
	if says == "" || quoted.MatchString(says) {
		says = lost.Name
	}
	if left, ok := unlisted(text, says); ok {
		return left
	}
	own := regexp.MustCompile(` ?\bA candidate (?:gains|loses) by ` + regexp.QuoteMeta(says) +
		`(?:, (?:early|late) only)?\.`)
	if left := strings.TrimSpace(own.ReplaceAllString(text, "")); left != text && left != "" {
		return left
	}
	if gone.MatchString(text) {
		return strings.TrimSuffix(text, ".") + "; " + says + "."
	}
	return strings.TrimSpace(text + " " + noLonger + says + ".")
}

// noLonger begins a sentence that says what no longer counts.
const noLonger = "It no longer counts "

// gone matches such a sentence at the end.
var gone = regexp.MustCompile(`\b` + noLonger + `[^.]*\.$`)

// wordsBefore matches what comes in the comment of a weight before the words for its term.
var wordsBefore = regexp.MustCompile(`^(?:(?:price|bonus|weight) )?of `)

// rangeWithin matches the range that a comment gives, with the comma before it.
var rangeWithin = regexp.MustCompile(`[,;]? ?\(?` + givenRange.String() + `\)?`)

// termWords returns the words of a weight's comment for its term.
func termWords(says string) string {
	says = rangeWithin.ReplaceAllString(wordsBefore.ReplaceAllString(says, ""), "")
	return strings.TrimRight(says, " .,;")
}

// unlisted takes an entry out of a list such as "For it: near; ahead." An empty list goes as a whole.
func unlisted(text, entry string) (left string, ok bool) {
	first, only := strings.Index(text, ": "+entry+";"), strings.Index(text, ": "+entry+".")
	switch {
	case strings.Contains(text, "; "+entry+";"), strings.Contains(text, "; "+entry+"."):
		return strings.Replace(text, "; "+entry, "", 1), true
	case first >= 0:
		return text[:first+2] + strings.TrimPrefix(text[first+2:], entry+"; "), true
	case only >= 0:
		start := strings.LastIndex(text[:only], ". ") + 2 // of the sentence
		if start >= 2 {
			return strings.TrimSpace(text[:start-1] + text[only+len(": "+entry+"."):]), true
		}
	}
	return text, false
}

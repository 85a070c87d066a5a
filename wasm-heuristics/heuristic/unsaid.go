package heuristic

import (
	"regexp"
	"slices"
	"strings"
)

// Unsaid returns the description of a program that has lost the term of a weight, in one paragraph. It takes out what
// the comment of the weight says where the description has it as an entry of a list, as those of sketches do, or as a
// sentence of its own, as those of the stand-in do. Where it has neither, the rest may tell of the term in its own
// words: one sentence at the end then names all such terms. For a weight with the comment "bonus of lead, in [0, 2]"
//
//	For it: near; lead.                    becomes  For it: near.
//	Near first. A candidate gains by lead. becomes  Near first.
//	Near first, unless others lead.        becomes  Near first, unless others lead. No longer counted: lead.
func Unsaid(description string, lost Weight) string {
	says := lost.Words()
	if says == "" || strings.Contains(says, ".") || quoted.MatchString(says) {
		says = lost.Name
	}
	text, gone := cutGone(strings.Join(strings.Fields(description), " "))
	left, ok := unlisted(text, says)
	if !ok {
		left, ok = unsentenced(text, says)
	}
	switch {
	case ok:
		text = left
	case !slices.Contains(gone, says):
		gone = append(gone, says)
	}
	if len(gone) > 0 {
		text += " No longer counted: " + strings.Join(gone, "; ") + "."
	}
	return strings.TrimSpace(text)
}

// TellsOfGone reports whether a description names terms that its program has lost, as Unsaid writes it, wherever its
// lines break. The rest may then still tell of these terms.
func TellsOfGone(description string) bool {
	return goneSentence.MatchString(strings.Join(strings.Fields(description), " "))
}

// goneSentence matches a sentence on terms that are gone, in today's words and in those of earlier runs.
var goneSentence = regexp.MustCompile(` ?\b(?:No longer counted:|It no longer counts) ([^.]*)\.`)

// cutGone cuts the sentences on terms that are gone out of a description, and returns these terms.
func cutGone(text string) (rest string, gone []string) {
	for _, m := range goneSentence.FindAllStringSubmatch(text, -1) {
		for entry := range strings.SplitSeq(m[1], "; ") {
			if entry = bareWords(entry); !slices.Contains(gone, entry) {
				gone = append(gone, entry)
			}
		}
	}
	return strings.TrimSpace(goneSentence.ReplaceAllString(text, "")), gone
}

// Words returns what the weight weighs as its comment says it, in words for a list: "its distance" of a weight with the
// comment "price of its distance, in [0, 2]", and "whether it is the last" of one with "bonus where it is the last". It
// returns "" without a comment, and where the comment leans on another, as "the same, late" does.
func (w Weight) Words() string {
	words := bareWords(w.Says)
	if words == "the same" || strings.HasPrefix(words, "the same,") {
		return ""
	}
	return words
}

// How the comment of a weight begins before the words for its term, and before a condition for it.
var (
	wordsBefore     = regexp.MustCompile(`^(?:(?:price|bonus|weight) (?:of|for)|of|against) `)
	conditionBefore = regexp.MustCompile(`^(?:price|bonus|weight) (?:where|when|if) `)
)

// rangeWithin matches the range that a comment gives, with the comma before it.
var rangeWithin = regexp.MustCompile(`[,;]? ?\(?` + givenRange.String() + `\)?`)

// bareWords returns a comment without what says that a weight weighs it, and without a range.
func bareWords(says string) string {
	says = rangeWithin.ReplaceAllString(says, "")
	says = conditionBefore.ReplaceAllString(wordsBefore.ReplaceAllString(says, ""), "whether ")
	return strings.TrimRight(says, " .,;")
}

// unsentenced takes the sentence of the stand-in on a term out of a text that has others.
func unsentenced(text, says string) (left string, ok bool) {
	own := regexp.MustCompile(` ?\bA candidate (?:gains|loses) by ` + regexp.QuoteMeta(says) +
		`(?:, (?:early|late) only)?\.`)
	left = strings.TrimSpace(own.ReplaceAllString(text, ""))
	return left, left != text && left != ""
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

package journal

import (
	"fmt"
	"strings"
)

// TurnedDown reports whether a reply could not be used, or the run turned a program of it down.
func TurnedDown(r Reply, rulings []Ruling) bool {
	for _, ruling := range rulings {
		if !ruling.Kept {
			return true
		}
	}
	return r.Problem != ""
}

// Verdict says what became of a reply, in one line for each decision.
func Verdict(r Reply, rulings []Ruling) string {
	if r.Problem != "" {
		return "unusable: " + r.Problem
	}
	if len(rulings) == 0 {
		return "read"
	}
	var lines []string
	for _, ruling := range rulings {
		word := "turned down"
		if ruling.Kept {
			word = "kept"
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", ruling.Name, word, ruling.Text))
	}
	return strings.Join(lines, "\n")
}

package textgrad

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/epb-nco/epb/internal/llm"
)

// FormatError is the error of a reply that does not have the requested form. Its text can be shown to the model.
type FormatError struct {
	Want string // the form
	Got  string // what is missing or wrong
}

func (e *FormatError) Error() string { return fmt.Sprintf("reply is no %s: %s", e.Want, e.Got) }

// Gradient is the diagnosis of one failure on the code channel (paper, TextGrad backward output formats).
type Gradient struct {
	Logic     string `json:"logic"`     // what the code computes for the candidates in question
	Teacher   string `json:"teacher"`   // what distinguishes the teacher's pick
	Flaw      string `json:"flaw"`      // why its score fell behind
	Direction string `json:"direction"` // what change would lift it
}

// DescriptionGradient is the diagnosis of one failure on the description channel.
type DescriptionGradient struct {
	Missing    string `json:"missing"`
	Misleading string `json:"misleading"`
	Direction  string `json:"direction"`
}

// ParseGradient reads the four fields, each once, in any order, none empty.
func ParseGradient(text string) (Gradient, error) {
	f, err := fields(text, "code gradient", "LOGIC", "TEACHER", "FLAW", "DIRECTION")
	if err != nil {
		return Gradient{}, err
	}
	return Gradient{f[0], f[1], f[2], f[3]}, nil
}

// ParseDescriptionGradient reads the three fields.
func ParseDescriptionGradient(text string) (DescriptionGradient, error) {
	f, err := fields(text, "description gradient", "MISSING", "MISLEADING", "DIRECTION")
	if err != nil {
		return DescriptionGradient{}, err
	}
	return DescriptionGradient{f[0], f[1], f[2]}, nil
}

// maxField bounds a field, in bytes. Fields are pasted into later prompts, up to some dozens of them into one.
const maxField = 1500

// cut returns a text without what goes beyond maxField.
func cut(text string) string {
	if len(text) <= maxField {
		return text
	}
	return strings.ToValidUTF8(text[:maxField], "") + " …"
}

// heading matches a field's name at the start of a line, with the emphasis models like to add.
var heading = regexp.MustCompile(`(?m)^[ \t>#*_-]*([A-Z][A-Z ]+?)[*_]*[ \t]*:[*_]*`)

// closed returns a text without a fence that opens no block or closes none, and what follows it: the end of a fence
// around the whole reply, or a block that was cut. Left open, it would swallow what follows in later prompts.
func closed(text string) string {
	const fence = "```"
	if strings.Count(text, fence)%2 == 0 {
		return text
	}
	return strings.TrimSpace(text[:strings.LastIndex(text, fence)])
}

func fields(text, want string, names ...string) ([]string, error) {
	text = llm.Visible(text)
	values := make([]string, len(names))
	seen := make([]bool, len(names))
	marks := heading.FindAllStringSubmatchIndex(text, -1)
	var known [][3]int // field, start of its mark, end of its mark
	for _, m := range marks {
		for i, name := range names {
			if text[m[2]:m[3]] == name {
				known = append(known, [3]int{i, m[0], m[1]})
			}
		}
	}
	for j, k := range known {
		end := len(text)
		if j+1 < len(known) {
			end = known[j+1][1]
		}
		if seen[k[0]] {
			return nil, &FormatError{want, "field " + names[k[0]] + " appears twice"}
		}
		seen[k[0]] = true
		values[k[0]] = closed(cut(strings.TrimSpace(text[k[2]:end])))
	}
	for i, name := range names {
		if values[i] == "" {
			return nil, &FormatError{want, "field " + name + " is missing or empty"}
		}
	}
	return values, nil
}

// The tags of replies.
const (
	sourceTag      = "new_program"
	descriptionTag = "description"
	modeTag        = "failure_mode"
)

// ParseProgram reads the Go file between the program tags. A reply that is nothing but a Go file passes too.
func ParseProgram(text string) (src string, err error) {
	src, ok := llm.Tagged(text, sourceTag)
	if !ok {
		if src = llm.Code(text); !strings.Contains(src, "package ") {
			return "", &FormatError{"program", "no <" + sourceTag + "> … </" + sourceTag + "> around it"}
		}
	}
	if !strings.Contains(src, "func Score(") {
		return "", &FormatError{"program", "it has no func Score"}
	}
	return src + "\n", nil
}

// ParseDescription reads a description between its tags, one paragraph of at most 1,000 bytes.
func ParseDescription(text string) (string, error) {
	d, ok := llm.Tagged(text, descriptionTag)
	if !ok {
		return "", &FormatError{"description", "no <" + descriptionTag + "> … </" + descriptionTag + ">"}
	}
	d = strings.Join(strings.Fields(d), " ")
	switch {
	case d == "":
		return "", &FormatError{"description", "it is empty"}
	case len(d) > 1000:
		return "", &FormatError{"description", fmt.Sprintf("it has %d bytes, the limit is 1000", len(d))}
	}
	return d, nil
}

// Proposal is one failure mode with the candidate written for it (Alg. 2 line 2).
type Proposal struct {
	Mode   string `json:"mode"` // what the fault states have in common
	Source string `json:"source"`
}

// ParseProposals reads the failure modes of a reply. It returns a FormatError if there are none, more than modes, or
// one without its end or a program. It reads no description: that of a candidate is the comment of its program. A model
// may return fewer than modes.
func ParseProposals(text string, modes int) ([]Proposal, error) {
	const want = "list of failure modes"
	text = llm.Visible(text)
	var proposals []Proposal
	for i, block := range strings.Split(text, "<"+modeTag+">")[1:] {
		block, _, ok := strings.Cut(block, "</"+modeTag+">")
		if !ok {
			return nil, &FormatError{want, fmt.Sprintf("mode %d has no </%s>", i+1, modeTag)}
		}
		mode := block
		for _, end := range []string{"<" + descriptionTag + ">", "<" + sourceTag + ">", "```"} {
			mode, _, _ = strings.Cut(mode, end)
		}
		src, err := ParseProgram(block)
		if err != nil {
			return nil, fmt.Errorf("mode %d: %w", i+1, err)
		}
		proposals = append(proposals, Proposal{strings.Join(strings.Fields(mode), " "), src})
	}
	switch {
	case len(proposals) == 0:
		return nil, &FormatError{want, "no <" + modeTag + "> … </" + modeTag + ">"}
	case len(proposals) > modes:
		return nil, &FormatError{want, fmt.Sprintf("%d modes, at most %d were asked for", len(proposals), modes)}
	}
	return proposals, nil
}

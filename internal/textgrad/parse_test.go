package textgrad_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/textgrad"
)

func TestParseGradient(t *testing.T) {
	want := textgrad.Gradient{Logic: "nearest", Teacher: "isolated: far\nfrom all", Flaw: "no term",
		Direction: "add one"}
	for name, text := range map[string]string{
		"plain": "LOGIC: nearest\nTEACHER: isolated: far\nfrom all\nFLAW: no term\nDIRECTION: add one",
		"emphasis": "**LOGIC:** nearest\n**TEACHER**: isolated: far\nfrom all\n- FLAW: no term\n### DIRECTION: add " +
			"one\n",
		"reordered": "DIRECTION: add one\nFLAW: no term\nTEACHER: isolated: far\nfrom all\nLOGIC: nearest",
		"reasoning": "<think>LOGIC: draft</think>Here:\nLOGIC: nearest\nTEACHER: isolated: far\nfrom all\nFLAW: no " +
			"term\nDIRECTION: add one",
		"fence": "Here:\n```text\nLOGIC: nearest\nTEACHER: isolated: far\nfrom all\nFLAW: no term\nDIRECTION: add " +
			"one\n```\nHope it helps.",
	} {
		if got, err := textgrad.ParseGradient(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, text := range map[string]string{
		"empty":          "",
		"prose":          "The code should look further ahead.",
		"missing field":  "LOGIC: a\nTEACHER: b\nFLAW: c",
		"empty field":    "LOGIC: a\nTEACHER:\nFLAW: c\nDIRECTION: d",
		"twice":          "LOGIC: a\nTEACHER: b\nFLAW: c\nDIRECTION: d\nLOGIC: e",
		"in a sentence":  "My LOGIC: a, TEACHER: b, FLAW: c, DIRECTION: d",
		"other language": "LOGIK: a\nLEHRER: b\nFEHLER: c\nRICHTUNG: d",
	} {
		var format *textgrad.FormatError
		if got, err := textgrad.ParseGradient(text); !errors.As(err, &format) {
			t.Errorf("%s: %+v, %v; want a FormatError", name, got, err)
		}
	}
}

func TestParseDescriptionGradient(t *testing.T) {
	got, err := textgrad.ParseDescriptionGradient("MISSING: closure\nMISLEADING: nothing\nDIRECTION: mention the way " +
		"back")
	if want := (textgrad.DescriptionGradient{Missing: "closure", Misleading: "nothing",
		Direction: "mention the way back"}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := textgrad.ParseDescriptionGradient("MISSING: closure\nDIRECTION: x"); err == nil {
		t.Error("two fields of three accepted")
	}
}

const program = "package near\n\nfunc Score(s *tsp.State, score []float32) {}"

func TestParseProgram(t *testing.T) {
	for name, text := range map[string]string{
		"tagged":        "Better:\n<new_program>\n" + program + "\n</new_program>",
		"tagged, fence": "<new_program>\n```go\n" + program + "\n```\n</new_program>\nHope it helps.",
		"fence only":    "```go\n" + program + "\n```",
		"file only":     program,
	} {
		if got, err := textgrad.ParseProgram(text); err != nil || got != program+"\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, text := range map[string]string{
		"prose":            "I would weigh isolation more.",
		"other language":   "```python\ndef heuristic(locs):\n    return -locs\n```",
		"another function": "<new_program>package near\nfunc Rank() {}</new_program>",
		"empty tags":       "<new_program></new_program>",
	} {
		var format *textgrad.FormatError
		if got, err := textgrad.ParseProgram(text); !errors.As(err, &format) {
			t.Errorf("%s: %q, %v; want a FormatError", name, got, err)
		}
	}
}

func TestParseDescription(t *testing.T) {
	got, err := textgrad.ParseDescription("<description>\nScore prefers\nthe nearest.\n</description>")
	if err != nil || got != "Score prefers the nearest." {
		t.Errorf("%q, %v", got, err)
	}
	for _, text := range []string{"Score prefers", "<description> </description>"} {
		if got, err := textgrad.ParseDescription(text); err == nil {
			t.Errorf("%q read from %q", got, text)
		}
	}
}

func TestParseProposals(t *testing.T) {
	const description = "<description>goes there</description>"
	block := "<failure_mode>\ncorners,\ngap < 0.2\n" + description + "\n<new_program>\n" + program +
		"\n</new_program>\n</failure_mode>\n"
	got, err := textgrad.ParseProposals("Two modes.\n"+block+block, 2)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	want := textgrad.Proposal{Mode: "corners, gap < 0.2", Source: program + "\n"}
	if got[1] != want {
		t.Errorf("%+v, want %+v", got[1], want)
	}
	for name, instead := range map[string]string{
		"no description":    "",
		"a long one":        "<description>" + strings.Repeat("goes there ", 100) + "</description>",
		"one without words": "<description></description>",
	} {
		text := strings.Replace(block, description, instead, 1)
		if got, err := textgrad.ParseProposals(text, 2); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	for name, text := range map[string]string{
		"none":       "Nothing is wrong.",
		"too many":   block + block + block,
		"no end":     block[:len(block)-18],
		"no program": "<failure_mode>x<description>y</description></failure_mode>",
	} {
		var format *textgrad.FormatError
		if got, err := textgrad.ParseProposals(text, 2); !errors.As(err, &format) {
			t.Errorf("%s: %+v, %v; want a FormatError", name, got, err)
		}
	}
}

// A field is pasted into later prompts, so that a long one is cut, and leaves no block of code open.
func TestLongFieldsAreCut(t *testing.T) {
	g, err := textgrad.ParseDescriptionGradient(
		"MISSING: " + strings.Repeat("ü", 5000) + "\nMISLEADING: none\nDIRECTION: shorter")
	if err != nil || len(g.Missing) > 1510 || !strings.HasSuffix(g.Missing, "ü …") || g.Direction != "shorter" {
		t.Errorf("%d bytes, ends in %q (%v)", len(g.Missing), g.Missing[max(0, len(g.Missing)-8):], err)
	}
	g, err = textgrad.ParseDescriptionGradient("MISSING: this\n```go\n" + strings.Repeat("x := 1\n", 500) +
		"```\nMISLEADING: `none`\nDIRECTION: as in\n```go\nx := 2\n```")
	if err != nil || g.Missing != "this" || g.Direction != "as in\n```go\nx := 2\n```" {
		t.Errorf("a block that was cut ends in %q, a whole one is %q (%v)", g.Missing[max(0, len(g.Missing)-8):],
			g.Direction, err)
	}
}

package heuristic_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// A description no longer tells of a term that is gone: in the lists of sketches, in the sentences of the stand-in, and
// in anybody's own words, where a last sentence says so.
func TestUnsaid(t *testing.T) {
	const list = "Score adds up. For it: near\n  and dear; ahead; home. Against it: far."
	const sentences = "Near first. A candidate gains by its lead. A candidate loses by its\n" +
		" isolation, late only. That is all."
	const own = "Score prefers the way out, as long as nothing is left behind."
	for _, tt := range []struct{ description, says, want string }{
		{list, "of near and dear", "Score adds up. For it: ahead; home. Against it: far."},
		{list, "of ahead", "Score adds up. For it: near and dear; home. Against it: far."},
		{list, "of ahead, in [0, 0.5]", "Score adds up. For it: near and dear; home. Against it: far."},
		{list, "of home", "Score adds up. For it: near and dear; ahead. Against it: far."},
		{list, "of far", "Score adds up. For it: near and dear; ahead; home."},
		{sentences, "bonus of its lead", "Near first. A candidate loses by its isolation, late only. That is all."},
		{sentences, "price of its isolation", "Near first. A candidate gains by its lead. That is all."},
		{"A candidate gains by its lead.", "bonus of its lead",
			"A candidate gains by its lead. No longer counted: its lead."}, // a description is never empty
		{own, "weight of what is left behind, in [0.5, 2.5]", own + " No longer counted: what is left behind."},
		{own, "against farther company", own + " No longer counted: farther company."},
		{own, "bonus where the others lie straight on",
			own + " No longer counted: whether the others lie straight on."},
		{own, "the same, more with every step", own + " No longer counted: lead."},
		{own, "of the same, late", own + " No longer counted: lead."},
		{own, "half of 0.5, for now", own + " No longer counted: lead."},
		{own, "", own + " No longer counted: lead."},
		{own + " No longer counted: what is near.", "of ahead, in [0, 1]",
			own + " No longer counted: what is near; ahead."},
		{own + " No longer counted: what is near.", "against what is near",
			own + " No longer counted: what is near."},
		{own + " No longer counted: what is near. A candidate gains by its lead.", "of home",
			own + " A candidate gains by its lead. No longer counted: what is near; home."},
		{own + " It no longer counts against what is near; home. A candidate gains by its lead. It no longer counts " +
			"bonus where all is done.", "bonus of its lead",
			own + " No longer counted: what is near; home; whether all is done."},
	} {
		got := heuristic.Unsaid(tt.description, heuristic.Weight{Name: "lead", Says: tt.says})
		if got != tt.want {
			t.Errorf("%q without %q: %q, want %q", tt.description, tt.says, got, tt.want)
		}
		if told := strings.Contains(tt.want, "No longer counted"); heuristic.TellsOfGone(got) != told {
			t.Errorf("%q: tells of terms that are gone: %v, want %v", got, !told, told)
		}
	}
}

// A comment is broken into lines anywhere.
func TestTellsOfGone(t *testing.T) {
	for text, want := range map[string]bool{
		"Near first. No longer counted: lead.":   true,
		"Near first. No\nlonger counted:\nlead.": true,
		"Near first. Lead is no longer counted.": false, // in somebody's own words
	} {
		if got := heuristic.TellsOfGone(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// The words for a term do not say that a weight weighs it, nor its range.
func TestWords(t *testing.T) {
	for says, want := range map[string]string{
		"of its distance":                   "its distance",
		"price of its distance, in [0, 20]": "its distance",
		"bonus for being last":              "being last",
		"against cutting what remains":      "cutting what remains",
		"bonus where it is the last":        "whether it is the last",
		"how near company is, in units":     "how near company is, in units",
		"the same, late":                    "",
		"":                                  "",
	} {
		if got := (heuristic.Weight{Says: says}).Words(); got != want {
			t.Errorf("words of %q are %q, want %q", says, got, want)
		}
	}
}

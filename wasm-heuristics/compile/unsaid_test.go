package compile_test

import (
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// A description no longer tells of a term that is gone: in the lists of sketches, in the sentences of the stand-in, and
// in anybody's own words, where a sentence says so.
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
			"A candidate gains by its lead. It no longer counts its lead."}, // a description is never empty
		{own, "weight of what is left behind, in [0.5, 2.5]", own + " It no longer counts what is left behind."},
		{own, "half of 0.5, for now", own + " It no longer counts lead."},
		{own, "", own + " It no longer counts lead."},
		{own + " It no longer counts what is near.", "of ahead, in [0, 1]",
			own + " It no longer counts what is near; ahead."},
	} {
		if got := compile.Unsaid(tt.description, compile.Weight{Name: "lead", Says: tt.says}); got != tt.want {
			t.Errorf("%q without %q: %q, want %q", tt.description, tt.says, got, tt.want)
		}
	}
}

package features_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/features"
)

// Every feature has a phrase for where it is high and another for where it is low, which fit into a sentence: "late in
// the tour, trust who proposes isolated cities".
func TestEnds(t *testing.T) {
	for _, s := range settings(t) {
		for what, list := range map[string]struct {
			of   []features.Feature
			ends []features.Ends
		}{"node": {s.set.Node, s.set.NodeEnds}, "state": {s.set.State, s.set.StateEnds}} {
			if len(list.of) != len(list.ends) {
				t.Fatalf("%s: %d features of a %s, %d pairs of phrases", s.problem, len(list.of), what, len(list.ends))
			}
			seen := map[features.Ends]string{}
			for i, ends := range list.ends {
				name := list.of[i].Name
				if other := seen[ends]; other != "" {
					t.Errorf("%s: %s and %s of a %s have the same phrases", s.problem, other, name, what)
				}
				seen[ends] = name
				for _, text := range []string{ends.High, ends.Low} {
					stops := strings.ContainsAny(text, ".;:,0123456789") && !strings.HasSuffix(text, ", the more)")
					if text == "" || strings.TrimSpace(text) != text || stops {
						t.Errorf("%s: %s of a %s: %q is no part of a sentence", s.problem, name, what, text)
					}
				}
				if ends.High == ends.Low {
					t.Errorf("%s: high and low %s of a %s are both %q", s.problem, name, what, ends.High)
				}
			}
		}
	}
}

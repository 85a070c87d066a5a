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
		for what, list := range map[string][]features.Feature{"node": s.set.Node, "state": s.set.State} {
			type ends struct{ high, low string }
			seen := map[ends]string{}
			for _, f := range list {
				if other := seen[ends{f.High, f.Low}]; other != "" {
					t.Errorf("%s: %s and %s of a %s have the same phrases", s.problem, other, f.Name, what)
				}
				seen[ends{f.High, f.Low}] = f.Name
				for _, text := range []string{f.High, f.Low} {
					stops := strings.ContainsAny(text, ".;:,0123456789") && !strings.HasSuffix(text, ", the more)")
					if text == "" || strings.TrimSpace(text) != text || stops {
						t.Errorf("%s: %s of a %s: %q is no part of a sentence", s.problem, f.Name, what, text)
					}
				}
				if f.High == f.Low {
					t.Errorf("%s: high and low %s of a %s are both %q", s.problem, f.Name, what, f.High)
				}
			}
		}
	}
}

package explain

import (
	"maps"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// What a score has beside its terms is named as the features are.
func TestUnweighted(t *testing.T) {
	for score, want := range map[string]string{
		"-s.Distance(k) + lead*s.Isolation(k)":                          "distance",
		"lead*s.Isolation(k) - s.Crowd(k, 2)":                           "crowd_2",
		"-s.Dist(s.Current, s.Candidates[k]) + lead*s.Isolation(k)":     "s.Dist(s.Current, s.Candidates[k])",
		"-s.Distance(k) - s.Progress()*s.Skip(k) + lead*s.Isolation(k)": "what has no weight",
		"-s.Distance(k) + (lead+late*s.Progress())*s.Isolation(k)":      "distance",
	} {
		if got := unweighted(tours, summing(t, score)); got != want {
			t.Errorf("%s: beside its terms %q, want %q", score, got, want)
		}
	}
}

// What a weight weighs is the feature that it multiplies, and otherwise what its comment says.
func TestMeanings(t *testing.T) {
	const alone = "its distance to its nearest neighbour"
	for score, want := range map[string]map[string]string{
		"-s.Distance(k) + (lead+late*s.Progress())*s.Isolation(k)": {
			"lead": alone, "late": alone + ", late in the tour",
		},
		"-s.Distance(k) + lead*s.TipAlong(k, late)": {"lead": "being alone"},
		"-s.Distance(k) + late*s.TipAlong(k, 1.5)":  {"late": "its near neighbours lying straight on"},
	} {
		if got := meanings(tours, summing(t, score)); !maps.Equal(got, want) {
			t.Errorf("%s: meanings %q, want %q", score, got, want)
		}
	}
}

var tours = bank.Setting{Problem: routing.TSP, View: routing.Full}

// summing checks a program with a score of two weights, lead and late.
func summing(t *testing.T, score string) heuristic.Checked {
	t.Helper()
	program, err := heuristic.Check("package p\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp\"\n\n" +
		"const lead = 0.4 // price of being alone, in [0, 2]\nconst late = 0.5 // the same, late\n\n" +
		"// Score prefers near cities that lie alone.\n" +
		"func Score(s *tsp.State, score []float32) {\n\tfor k := range score {\n\t\tscore[k] = " + score + "\n\t}\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	return program
}

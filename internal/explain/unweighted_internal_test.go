package explain

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// What a score has beside its terms is named as the features are.
func TestUnweighted(t *testing.T) {
	of := bank.Setting{Problem: routing.TSP, View: routing.Full}
	for score, want := range map[string]string{
		"-s.Distance(k) + lead*s.Isolation(k)":                          "distance",
		"lead*s.Isolation(k) - s.Crowd(k, 2)":                           "crowd_2",
		"-s.Dist(s.Current, s.Candidates[k]) + lead*s.Isolation(k)":     "s.Dist(s.Current, s.Candidates[k])",
		"-s.Distance(k) - s.Progress()*s.Skip(k) + lead*s.Isolation(k)": "what has no weight",
	} {
		src := "package p\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp\"\n\n" +
			"const lead = 0.4 // bonus of being alone\n\n// Score prefers near cities that lie alone.\n" +
			"func Score(s *tsp.State, score []float32) {\n\tfor k := range score {\n\t\tscore[k] = " + score +
			"\n\t}\n}\n"
		program, err := compile.Check(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := unweighted(of, program); got != want {
			t.Errorf("%s: beside its terms %q, want %q", score, got, want)
		}
	}
}

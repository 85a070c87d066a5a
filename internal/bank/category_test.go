package bank

import (
	"fmt"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

func TestCategory(t *testing.T) {
	for name, c := range map[string]struct {
		sdk, code string
		want      sdk.Category
	}{
		"places only":            {"tsp", "score[0] = -s.Dist(s.Current, s.Candidates[0])", sdk.Geometry},
		"progress":               {"tsp", "score[0] = s.Progress()", sdk.Phase},
		"a field":                {"tsp", "score[0] = float32(s.Step)", sdk.Phase},
		"phase before lookahead": {"tsp", "score[0] = s.FollowUp(0, 1) * s.Phase(0.2, 0.4)", sdk.Phase},
		"the step after":         {"subtsp", "score[0] = -s.FollowUp(0, 1)", sdk.Lookahead},
		"the room":               {"subcvrp", "score[0] = s.Fill(0)", sdk.Capacity},
		"lookahead before room": {"cvrp", "_, d := s.NextFit(s.Candidates[0]); score[0] = d * s.Remaining",
			sdk.Lookahead},
		"by a helper": {"cvrp",
			"score[0] = room(s)\n}\n\nfunc room(v *cvrp.State) float32 {\n\treturn v.Below(0.2)", sdk.Capacity},
		"its own Step": {"tsp", "var mine struct{ Step float32 }; score[0] = mine.Step", sdk.Geometry},
	} {
		src := fmt.Sprintf("package x\n\nimport %q\n\n// Score is a case of this test.\nfunc Score(s *%s.State, score "+
			"[]float32) {\n\t%s\n}\n", sdk.Path+"/"+c.sdk, c.sdk, c.code)
		got, err := Heuristic{Source: src}.Category()
		if err != nil || got != c.want {
			t.Errorf("%s: %q (%v), want %q", name, got, err, c.want)
		}
	}
	if got, err := (Heuristic{Source: "package x"}).Category(); err == nil {
		t.Errorf("no program: %q", got)
	}
}

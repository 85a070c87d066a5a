package bank

import (
	"fmt"
	"strings"
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
		"named only":   {"tsp", "_ = s.Progress(); score[0] = s.Dist(0, 1)", sdk.Geometry},
		"by variables": {"tsp", "a := s.Progress(); b := 2 * a; score[0] = b", sdk.Phase},
		"what remains": {"subtsp", "score[0] = s.Dist(0, 1) / float32(math.Sqrt(float64(s.K())))", sdk.Phase},
		"the length":   {"tsp", "if len(s.Candidates) < 5 {\n\t\tscore[0] = 1\n\t}", sdk.Phase},
		"a way out":    {"tsp", "if s.K() < 5 {\n\t\treturn\n\t}\n\tscore[0] = 1", sdk.Phase},
		"one candidate": {"tsp", "if s.K() == 1 || s.K() <= 1 || 2 > s.K() {\n\t\treturn\n\t}\n\tscore[0] = 1",
			sdk.Geometry},
		"a loop": {"tsp", "for k := 0; k < s.K(); k++ {\n\t\tscore[k] = s.NearestOther(k)\n\t}", sdk.Geometry},
		"a mean": {"tsp", "var sum float32\n\tfor _, c := range s.Candidates {\n\t\t" +
			"sum += s.Dist(0, c) / float32(s.K())" +
			"\n\t}\n\tscore[0] = sum", sdk.Geometry},
		"who waits": {"cvrp", "score[0] = float32(len(s.Waiting))", sdk.Phase},
		"by a helper that fills": {"tsp", "late(s, score)\n}\n\nfunc late(v *tsp.State, out []float32) {\n\t" +
			"out[0] = v.Progress()", sdk.Phase},
		"sorted": {"tsp", "order := make([]float32, 2)\n\tslices.SortFunc(order, func(a, b float32) int { return " +
			"int(s.Progress()) })\n\tscore[0] = order[0]", sdk.Phase},
		"its own Step": {"tsp", "var mine struct{ Step float32 }; score[0] = mine.Step", sdk.Geometry},
	} {
		imports := ""
		for _, library := range []string{"math", "slices"} {
			if strings.Contains(c.code, library+".") {
				imports += fmt.Sprintf("import %q\n", library)
			}
		}
		src := fmt.Sprintf("package x\n\n"+imports+"import %q\n\n// Score is a case of this test.\n"+
			"func Score(s *%s.State, score "+
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

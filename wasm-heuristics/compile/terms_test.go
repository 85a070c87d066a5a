package compile_test

import (
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

func TestUnweighted(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{"for k := range score {\nscore[k] = -s.Distance(k) + lead*s.Isolation(k) - 0.0\n}", ""},
		{"for k := range score {\nscore[k] = -s.Distance(k) + lead*s.Isolation(k)\n}", "s.Distance(k)"},
		{"for k := range score {\nscore[k] = lead*s.Isolation(k) + s.Crowd(k, 2)\n}", "s.Crowd(k, 2)"},
		{"for k := range score {\nscore[k] = -s.Distance(k)\nscore[k] += lead * s.Isolation(k)\n}", "s.Distance(k)"},
		{"for k := range score {\nscore[k] = -s.Distance(k) - s.ToStart(k) + lead*s.Isolation(k)\n}", ""},
		{"for k := range score {\nscore[k] = -lead * s.Distance(k)\n}", ""},
	} {
		src := "package p\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp\"\n\n" +
			"const lead = 0.4 // bonus of being alone\n\n// Score prefers near cities that lie alone.\n" +
			"func Score(s *tsp.State, score []float32) {\n" + tt.body + "\n}\n"
		if got, err := compile.Unweighted(src); err != nil || got != tt.want {
			t.Errorf("unweighted %q (%v), want %q, of\n%s", got, err, tt.want, tt.body)
		}
	}
}

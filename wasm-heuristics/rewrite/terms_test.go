package rewrite_test

import (
	"maps"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic/heuristictest"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
)

// TestUnweighted: the summand without a weight, where no weight shares what it adds with another or is an argument.
func TestUnweighted(t *testing.T) {
	for _, tt := range []struct{ sum, want string }{
		{"-s.Distance(k) + lead*s.Isolation(k)", "s.Distance(k)"},
		{"lead*s.Isolation(k) + s.Crowd(k, 2)", "s.Crowd(k, 2)"},
		{"-s.Distance(k)\nscore[k] += lead*s.Isolation(k)", "s.Distance(k)"},
		{"-s.Distance(k) + lead*s.Progress()*s.Isolation(k) - turn*s.Skip(k)", "s.Distance(k)"},
		{"-s.Distance(k) - s.ToStart(k) + lead*s.Isolation(k)", ""},
		{"-s.Distance(k) - 1 + lead*s.Isolation(k)", ""},
		{"-lead * s.Distance(k)", ""},
		{"-s.Distance(k) + lead*s.Crowd(k, turn)", ""},
		{"-s.Distance(k) + lead*turn*s.Isolation(k)", ""},
		{"-s.Distance(k) + (lead+turn*s.Progress())*s.Isolation(k)", "s.Distance(k)"},
		{"-s.Distance(k) + lead*(turn+s.Progress())*s.Isolation(k)", ""},
		{"-s.Distance(k) + lead*s.Isolation(k)/turn", ""},
		{"lead*s.Isolation(k)\nscore[k] = -s.Distance(k)", ""},
		{"-s.Distance(k)\nif s.Progress() > turn {\nscore[k] += lead*s.Isolation(k)\n}", ""},
	} {
		src := heuristictest.Weighed("const lead, turn = 0.4, 0.5", "for k := range score {\nscore[k] = "+tt.sum+"\n}")
		if got := rewrite.Unweighted(heuristictest.MustCheck(t, src)); got != tt.want {
			t.Errorf("unweighted %q, want %q, of\n%s", got, tt.want, tt.sum)
		}
	}
}

// TestMeasures: what each weight multiplies, once products are multiplied out.
func TestMeasures(t *testing.T) {
	src := heuristictest.Weighed("const away, later, full, part, radius, both = 0.1, 0.2, 0.3, 0.4, 0.5, 0.6",
		"for k := range score {\n"+
			"score[k] = (away+later*s.Progress())*s.ToStart(k) + full*(1-s.Progress())*s.Skip(k)\n"+
			"score[k] += part*full*s.Crowd(k, radius) + both*(s.Via(k)-s.Rise(k)) - both*s.Cut(k)\n}")
	want := map[string]string{"away": "s.ToStart(k)", "later": "s.Progress() * s.ToStart(k)"}
	if got := rewrite.Measures(heuristictest.MustCheck(t, src)); !maps.Equal(got, want) {
		t.Errorf("measures %q, want %q", got, want)
	}
	src = heuristictest.Weighed("const full, part = 0.3, 0.4",
		"for k := range score {\nscore[k] = full*(1-s.Progress())*s.Skip(k) - part\n}")
	want = map[string]string{"full": "(1 - s.Progress()) * s.Skip(k)"}
	if got := rewrite.Measures(heuristictest.MustCheck(t, src)); !maps.Equal(got, want) {
		t.Errorf("measures %q, want %q", got, want)
	}
}

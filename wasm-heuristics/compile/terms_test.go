package compile_test

import "testing"

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
		{"-s.Distance(k) + (lead+turn*s.Progress())*s.Isolation(k)", ""},
		{"-s.Distance(k) + lead*s.Isolation(k)/turn", ""},
		{"lead*s.Isolation(k)\nscore[k] = -s.Distance(k)", ""},
		{"-s.Distance(k)\nif s.Progress() > turn {\nscore[k] += lead*s.Isolation(k)\n}", ""},
	} {
		src := weighed("const lead, turn = 0.4, 0.5", "for k := range score {\nscore[k] = "+tt.sum+"\n}")
		if got := mustCheck(t, src).Unweighted(); got != tt.want {
			t.Errorf("unweighted %q, want %q, of\n%s", got, tt.want, tt.sum)
		}
	}
}

package rewrite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic/heuristictest"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
)

// TestFormulaBanks: every program of the banks that runs begin with is a weighted sum of measures.
func TestFormulaBanks(t *testing.T) {
	const home, first = "−2.5 if candidate = Depot, ", " if Current = Depot, else "
	want := map[string]string{
		"cheap_next_step":    "−Distance − 0.3·SecondStep + 0.3·Onward",
		"clean_up_behind":    "−Distance + 1.2·VisitedShare(2) − 0.3·VisitedDistance + 0.3·MissedMost",
		"finish_the_cluster": "−Distance + 0.15·CrowdBetween(1.5) − 0.15·CrowdBeyond(1.5) − 0.1·Rise",
		"keep_to_one_side":   "−Distance − 0.8·Cut", // its other weights are 0
		"leave_none_behind":  "−Distance − 0.3·LeftBehind − 0.6·LeftBehindMost + 0.5·Skip",
		"outline_first":      "−Distance + 0.6·Gap + 0.5·Outlying + 0.3·OutAlong",
		"save_the_way_home":  "−Distance + 0.2·ToStart + 0.5·Progress·ToStart − 0.8·FartherFromStart",
		"settle_the_lonely":  "−Distance + 0.6·Isolation + 0.3·Regret",
		"start_at_the_tip":   "−Distance + 0.5·TipAlong(1.5) + 0.4·TipAlong(3)",
		"stop_on_the_way":    "−Distance + 0.3·Via − 0.4·NearestLeftBehind − 0.5·Cut",

		"leave_no_stray": home + "else −Distance − 0.2·LeftBehind − 0.5·LeftBehindMost + 0.5·Skip",
		"lonely_customers": "−2.5 + 1.5·(1 − FitShare) if candidate = Depot, " +
			"else −Distance + 0.6·Isolation + 0.3·Regret",
		"nearest_that_fills": "−4·Remaining if candidate = Depot, else −Distance + 0.8·Fill + 0.4·Larger",
		"on_the_way_home": "−2 if candidate = Depot, 0.5·ToDepot − 0.8·Isolation" + first +
			"−HomeDetour − 0.8·Distance + Load",
		"out_then_back": "−4·Remaining if candidate = Depot, " +
			"else −Distance + 0.4·Remaining·OutwardStep − 0.4·(1 − Remaining)·OutwardStep",
		"round_the_depot": home + "−Distance" + first + "−Distance + 0.8·ServedShare(2)",
		"row_of_customers": home + "4·max(SectorGapRight, SectorGapLeft) + 0.3·ToDepot" + first +
			"−Distance + 0.6·TipAlong(1.5) + 0.4·OpenAngle",
		"savings_first": home + "0.5·ToDepot" + first + "−Distance + 0.5·SavingHere − 3·size(SectorStep)",
		"stay_in_the_sector": home + "else −Distance − 3·size(SectorStep) − 2·size(SectorFromFirst) " +
			"− 0.2·SectorLoad(0.06)",
		"where_more_fits": home + "else −Distance − 0.1·NextFitDistance + 0.05·FitNear(1.5) " +
			"− (RoomAfter if FitShareAfter = 0)",
	}
	files, err := filepath.Glob("../banks/*-local/*/*.go")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d programs, want %d (%v)", len(files), len(want), err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file))
		if got := rewrite.Formula(heuristictest.MustCheck(t, string(src))); got != "score = "+want[name] {
			t.Errorf("%s: %q, want %q", name, got, want[name])
		}
	}
}

// TestFormula: sums as the stand-in and language models write them, and what is none.
func TestFormula(t *testing.T) {
	const loop, nodes, end = "for k := range score {\n", "for k, c := range s.Candidates {\n", "\n}\n"
	const near = loop + "score[k] = -s.Distance(k)" + end
	long := "(lead+turn)" + strings.Repeat("*(lead+turn)", 60)
	for _, tt := range []struct{ body, want string }{
		{"const home = 2\n" + loop + "score[k] = -home*s.Distance(k)" + end, "−2·Distance"},
		{loop + "score[k] = -lead * (s.Distance(k) - turn*s.Skip(k))" + end, "−0.4·Distance − 0.4·1.5·Skip"},
		{loop + "score[k] = lead*(s.Distance(k) - s.Skip(k))/2 + 1" + end, "0.4·(Distance − Skip)/2 + 1"},
		{loop + "score[k] = -(s.Distance(k) - turn)" + end, "−Distance − 1.5"},
		{loop + "score[k] = 0 * s.Distance(k)" + end, "0"},
		{loop + "score[k] = max(s.Via(k), float32(s.K())-turn)" + end, "max(Via, K − (−1.5))"},
		{loop + "score[k] = -float32(int32(s.K()))*s.Distance(k)" + end, "−K·Distance"},
		{nodes + "score[k] = turn * s.Dist(s.Current, c)" + end, "−1.5·Dist(Current, candidate)"},
		{nodes + "score[k] = -s.Row(s.Current)[c]" + end, "−Row(Current)[candidate]"},
		{loop + "score[k] = -s.Distance(k)\nscore[k] -= lead * s.Skip(k)" + end, "−Distance − 0.4·Skip"},
		{near + nodes + "score[k] += lead * float32(c)" + end, "−Distance + 0.4·candidate"},
		{near + "if s.Progress() >= 0.5 {\n" + loop + "score[k] += lead*s.Skip(k)" + end + "}",
			"−Distance + (0.4·Skip if Progress ≥ 0.5)"},
		{nodes + "if c == 3 && s.K() > 2 {\nscore[k] = 1\n} else {\nscore[k] = lead\n}\nscore[k] += s.Skip(k)" + end,
			"1 + Skip if candidate = 3 and K > 2, else 0.4 + Skip"},
		{nodes + "if c == 3 {\nscore[k] = 1\ncontinue\n}\nscore[k] = lead\nscore[k] += s.Skip(k)" + end +
			loop + "score[k] -= s.Via(k)" + end, "1 − Via if candidate = 3, else 0.4 + Skip − Via"},

		{"here := s.Row(s.Current)\n" + nodes + "score[k] = -here[c]" + end, ""},
		{loop + "score[k] = float32(k)" + end, ""},
		{loop + "score[k] = -float32(int(5*s.Progress()))/5 - s.Distance(k)" + end, ""},
		{loop + "score[k] = lead*float32(s.Step/s.N)" + end, ""},
		{loop + "score[k] = -s.Distance(k)\nscore[k] *= lead" + end, ""},
		{nodes + "if c == 3 {\nscore[k] = 1\n}" + end, ""},
		{loop + "score[0] = -s.Distance(k)" + end, ""},
		{"for k := range s.Row(0) {\nscore[k] = lead" + end, ""},
		{near + "score[0] = 1", ""},
		{near + near, ""},
		{loop + "score[k] = " + long + end, ""},
	} {
		want := tt.want
		if want != "" {
			want = "score = " + want
		}
		src := heuristictest.Weighed("const lead, turn = 0.4, -1.5", tt.body)
		if got := rewrite.Formula(heuristictest.MustCheck(t, src)); got != want {
			t.Errorf("%q, want %q, of\n%s", got, want, tt.body)
		}
	}
}

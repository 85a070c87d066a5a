package rewrite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic/heuristictest"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite/rewritetest"
)

// TestFold: the programs of testdata/fold, before and after. Package runtime compares their scores.
func TestFold(t *testing.T) {
	files, err := filepath.Glob("../testdata/fold/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs (%v)", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, after, _ := strings.Cut(string(data), "// folded:\n")
		got, err := rewritetest.Fold(before)
		if err != nil || got != after {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", filepath.Base(file), err, got, after)
		}
		if again, err := rewritetest.Fold(got); err != nil || again != got {
			t.Errorf("%s, folded again: %v\n%s", filepath.Base(file), err, again)
		}
	}
}

// TestFoldNames: weights that are not 0 are dropped by name, all others stay.
func TestFoldNames(t *testing.T) {
	src := heuristictest.Weighed("const lead, turn = 0.4, -1.5", "\tscore[0] = lead*s.Progress() + turn*s.Progress()")
	want := heuristictest.Weighed("const lead = 0.4", "\tscore[0] = lead * s.Progress()")
	if got, err := rewritetest.Fold(src, "turn"); err != nil || got != want {
		t.Errorf("%v, got\n%s", err, got)
	}
	if got, err := rewritetest.Fold(src); err != nil || got != src {
		t.Errorf("nothing to fold: %v, got\n%s", err, got)
	}
	if _, err := rewritetest.Fold(src, "home"); err == nil || !strings.Contains(err.Error(), "home") {
		t.Errorf("a weight that is not there: %v", err)
	}
}

// TestTerms: a threshold is no term, and stays where it is 0.
func TestTerms(t *testing.T) {
	src := heuristictest.Weighed("const lead, part, turn = 0.4, 0.0, 0.0", "\tscore[0] = lead*s.Progress()\n"+
		"\tif s.Progress() > part {\n\t\tscore[0] += turn * s.Progress()\n\t\tscore[0]++\n\t}")
	terms, err := rewrite.Terms(src)
	if err != nil || len(terms) != 2 || terms[0].Name != "lead" || terms[1].Name != "turn" {
		t.Errorf("terms %+v (%v), want lead and turn", terms, err)
	}
	got, err := rewrite.Without(src, "turn")
	if err != nil || strings.Contains(got, "turn") || !strings.Contains(got, "part = 0.4, 0.0") {
		t.Errorf("without turn: %v\n%s", err, got)
	}
	if _, err := rewritetest.Fold(src); err == nil || !strings.Contains(err.Error(), "part") {
		t.Errorf("Fold: %v, want an error on part", err)
	}
}

// TestFoldRefuses: what is part of the structure stays, and what has effects.
func TestFoldRefuses(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"if s.Progress() > part {\n\t\tscore[0] = 1\n\t}", "part is 0, but cannot be taken out of a comparison"},
		{"score[0] = 1 + score[0]/part", "a divisor"},
		{"score[0] = s.Phase(part, 1)", "the arguments of a call"},
		{"score[0] = max(part, score[0])", "the arguments of a call"},
		{"score[0] /= part * score[0]", "a divisor"},
		{"score[0] = 1 / (score[0] + part)", "a divisor"},
		{"score[0] = score[0] / max(1, score[0]*(score[0]+part*score[0]))", "a divisor"},
		{"score[0] /= score[0] - part", "a divisor"},
		{"f := func() float32 {\n\t\tscore[0]++\n\t\treturn 1\n\t}\n\tscore[0] = score[0]*2 + part*f()", "effects"},
		{"score[0] += part * fill(score)", "effects"},
		{"score[0] += part * reordered(s, s.NearestPath(s.Current))", "effects"},
		{"score[0] += part * along(s, s.NearestPath(s.Current), score)", "effects"},
	} {
		src := heuristictest.Weighed("const part = 0.0", "\t"+c.body) + `
func fill(score []float32) float32 {
	score[0] = 1
	return 1
}

func reordered(s *tsp.State, path []tsp.Node) float32 {
	s.Uncross(s.Current, path, 2)
	return s.PathLength(s.Current, path)
}

func along(s *tsp.State, path []tsp.Node, score []float32) float32 {
	(*tsp.State).ScoreAlong(s, path, score)
	return 1
}
`
		_, err := rewritetest.Fold(src)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: got %v, want %q", c.body, err, c.want)
		}
	}
}

// TestFoldOfSDK: what a method of the SDK writes to a helper's own slice is no effect of the helper. What it writes to
// a slice that the scores are read from stays.
func TestFoldOfSDK(t *testing.T) {
	src := strings.Replace(heuristictest.Weighed("const part = 0.5", `
	mine, order := make([]float32, s.K()), make([]tsp.Node, 0)
	for _, c := range s.Candidates {
		order = append(order, c)
	}
	s.ScoreAlong(order, mine)
	for k := range score {
		score[k] = mine[k] + part*shorter(s, s.NearestPath(s.Current))
	}`), "import ", "import \"slices\"\nimport ", 1) + `
func shorter(s *tsp.State, path []tsp.Node) float32 {
	own := slices.Clone(path)
	s.Uncross(s.Current, own, 2)
	return s.PathLength(s.Current, own)
}
`
	got, err := rewrite.Without(src, "part")
	if err != nil || !strings.Contains(got, "score[k] = mine[k]\n") || strings.Contains(got, "shorter") {
		t.Errorf("%v, got\n%s\nwant it without the helper", err, got)
	}
	if !strings.Contains(got, "s.ScoreAlong(order, mine)") {
		t.Errorf("got\n%s\nwant it to fill the list that it scores by", got)
	}
	cvrp := strings.NewReplacer("/tsp\"", "/cvrp\"", "tsp.", "cvrp.").Replace(heuristictest.Weighed("const part = 0.5",
		"	score[0] = 1 + part*after(s, s.GrowRoute(1))")) + `
func after(s *cvrp.State, path []cvrp.Node) float32 {
	s.Uncross(path, 2)
	return s.RouteLength(path)
}
`
	if got, err := rewrite.Without(cvrp, "part"); err == nil || !strings.Contains(err.Error(), "effects") {
		t.Errorf("%v, got\n%s\nwant a refusal: Uncross reorders the path", err, got)
	}
}

// foldAll takes as many weights out of a program as it can, and returns their names.
func foldAll(t testing.TB, src string) (folded string, names []string) {
	t.Helper()
	folded = src
	for _, w := range heuristictest.MustCheck(t, src).Weights() {
		text, err := rewritetest.Fold(folded, w.Name)
		if err != nil {
			if !strings.Contains(err.Error(), "cannot be taken out") && !strings.Contains(err.Error(), "no weight") {
				t.Errorf("%v in\n%s", err, folded)
			}
			continue
		}
		for _, left := range heuristictest.MustCheck(t, text).Weights() {
			if left.Name == w.Name {
				t.Errorf("%s is still there in\n%s", w.Name, text)
			}
		}
		folded, names = text, append(names, w.Name)
	}
	return folded, names
}

// TestFoldBanks: the numbers of the banks' programs, as weights, can be taken out of them, or the error says why not.
func TestFoldBanks(t *testing.T) {
	programs, weights, taken := 0, 0, 0
	for _, src := range bankSources(t) {
		src = rewritetest.Weighted(t, src)
		if n := len(heuristictest.MustCheck(t, src).Weights()); n > 0 {
			_, names := foldAll(t, src)
			programs, weights, taken = programs+1, weights+n, taken+len(names)
		}
	}
	if programs < 50 || taken < weights/3 {
		t.Errorf("%d of %d weights of %d programs were taken out", taken, weights, programs)
	}
	t.Logf("%d of %d weights of %d programs were taken out", taken, weights, programs)
}

// FuzzFold: a program that passes Check and is folded passes Check again.
func FuzzFold(f *testing.F) {
	for i, src := range bankSources(f) {
		if i%8 == 0 {
			f.Add(rewritetest.Weighted(f, src), uint(i))
		}
	}
	f.Fuzz(func(t *testing.T, src string, i uint) {
		c, err := heuristic.Check(src)
		if err != nil || len(c.Weights()) == 0 {
			return
		}
		ws := c.Weights()
		name := ws[i%uint(len(ws))].Name
		if text, err := rewritetest.Fold(src, name); err == nil {
			heuristictest.MustCheck(t, text)
		}
	})
}

// Key and value of a loop that nobody reads any more go one after the other.
func TestKeyAndValue(t *testing.T) {
	src := heuristictest.Weighed("const lead, part = 0.4, 0.5", "\tn := float32(0)\n"+
		"\tfor k, c := range s.Candidates {\n\t\tn++\n\t\tn += part * float32(k) * float32(c)\n\t}\n"+
		"\tscore[0] = lead*s.Progress() + n")
	if got, err := rewrite.Without(src, "part"); err != nil || !strings.Contains(got, "for range s.Candidates {") {
		t.Errorf("%v:\n%s", err, got)
	}
}

// Variables that nobody reads any more go together, however many there are.
func TestManyVariables(t *testing.T) {
	const many = 150
	var body strings.Builder
	body.WriteString("\tsum := float32(0)\n")
	for i := range many {
		fmt.Fprintf(&body, "\tx%d := part * float32(s.K())\n\tsum += x%d\n", i, i)
	}
	body.WriteString("\tscore[0] = lead*s.Progress() + sum")
	src := heuristictest.Weighed("const lead, part = 0.4, 0.5", body.String())
	got, err := rewrite.Without(src, "part")
	if err != nil || strings.Contains(got, "x0") || strings.Contains(got, fmt.Sprintf("x%d", many-1)) ||
		!strings.Contains(got, "lead * s.Progress()") {
		t.Errorf("%v:\n%s", err, got)
	}
}

package analysis_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// score returns a program for package tsp whose Score has a body, with functions after it.
func score(body, functions string) string {
	imports := fmt.Sprintf("import %q\n", sdk.Path+"/tsp")
	if strings.Contains(body+functions, "slices.") {
		imports = "import \"slices\"\n\n" + imports
	}
	return "package x\n\n" + imports + "\n// Score is a case of this test.\n" +
		"func Score(s *tsp.State, score []float32) {\n" + body + "\n}\n" + functions
}

// TestClass holds programs that a rule on loops alone would get wrong, in both directions.
func TestClass(t *testing.T) {
	const nearest = `
func nearest(s *tsp.State, at tsp.Node, used []bool) tsp.Node {
	next := at
	for _, c := range s.Candidates {
		if !used[c] && (next == at || s.Dist(at, c) < s.Dist(at, next)) {
			next = c
		}
	}
	return next
}`
	for name, c := range map[string]struct {
		body, functions string
		want            sdk.Class
		cost            string
	}{
		"nothing": {"", "", sdk.ClassLocal, "O(1)"},
		"each against each other": {`
	for k, c := range s.Candidates {
		for _, j := range s.Candidates {
			score[k] += s.Dist(c, j)
		}
	}`, "", sdk.ClassLocal, "O(K²)"},
		"the two nearest": {`
	a, b := -1, -1
	for k, c := range s.Candidates {
		d := s.NearestOther(k)
		if a < 0 || d < s.Dist(c, s.Candidates[a]) {
			a, b = k, a
		}
	}
	score[0] = float32(a + b)`, "", sdk.ClassLocal, "O(K²)"},
		"a measure of each kept in a list": {`
	alone := make([]float32, s.K())
	for k := range s.Candidates {
		alone[k] = s.NearestOther(k)
		score[k] = alone[k]
	}`, "", sdk.ClassLocal, "O(K²)"},
		"votes": {`
	for k := range s.Candidates {
		for l := range s.Candidates {
			score[l] -= s.NearestOther(k)
		}
	}`, "", sdk.ClassLookahead, "O(K³)"},
		"three deep": {`
	for k, a := range s.Candidates {
		for _, b := range s.Candidates {
			for _, c := range s.Candidates {
				score[k] -= s.Dist(a, b) * s.Dist(b, c)
			}
		}
	}`, "", sdk.ClassLookahead, "O(K³)"},
		"a bounded walk": {"for k := range s.Candidates { score[k] = -s.GreedyChain(k, 4) }", "",
			sdk.ClassLookahead, "O(K²)"},
		"a bound by name": {"const steps = 3; for k := range s.Candidates { score[k] = -s.GreedyChain(k, steps) }", "",
			sdk.ClassLookahead, "O(K²)"},
		"a long walk": {"for k := range s.Candidates { score[k] = -s.GreedyChain(k, 100) }", "",
			sdk.ClassPlan, "O(K²)"},
		"a walk to the end": {"for k := range s.Candidates { score[k] = -s.GreedyChain(k, s.K()) }", "",
			sdk.ClassPlan, "O(K³)"},
		"a walk to the end by a helper": {"for k := range s.Candidates { score[k] = -chain(s, k, s.K()) }",
			"\nfunc chain(s *tsp.State, k, n int) float32 { return s.GreedyChain(k, n) }", sdk.ClassPlan, "O(K³)"},
		"a bounded walk by a helper": {"for k := range s.Candidates { score[k] = -chain(s, k, 5) }",
			"\nfunc chain(s *tsp.State, k, n int) float32 { return s.GreedyChain(k, n) }", sdk.ClassLookahead, "O(K²)"},
		"its own walk": {`
	used, at := make([]bool, s.N), s.Current
	for k := range s.Candidates {
		at = nearest(s, at, used)
		used[at] = true
		score[k] = s.Dist(at, s.Current)
	}`, nearest, sdk.ClassPlan, "O(K²)"},
		"its own short walk": {`
	used, at := make([]bool, s.N), s.Current
	for k := range min(3, s.K()) {
		at = nearest(s, at, used)
		used[at] = true
		score[k] = s.Dist(at, s.Current)
	}`, nearest, sdk.ClassLookahead, "O(K)"},
		"a walk whose step is a closure": {`
	used, at := make([]bool, s.N), s.Current
	step := func() {
		at = nearest(s, at, used)
		used[at] = true
	}
	for range s.Candidates {
		step()
	}
	score[0] = float32(at)`, nearest, sdk.ClassPlan, "O(K²)"},
		"a walk in a structure": {`
	w := walk{s, make([]bool, s.N), s.Current}
	for range s.Candidates {
		w.step()
	}
	score[0] = float32(w.at)`, nearest + `

type walk struct {
	s    *tsp.State
	used []bool
	at   tsp.Node
}

func (w *walk) step() {
	w.at = nearest(w.s, w.at, w.used)
	w.used[w.at] = true
}`, sdk.ClassPlan, "O(K²)"},
		"a walk in a structure that steps by another method": {`
	w := walk{s, make([]bool, s.N), s.Current}
	for range s.Candidates {
		w.step()
	}
	score[0] = float32(w.at)`, `
type walk struct {
	s    *tsp.State
	used []bool
	at   tsp.Node
}

func (w *walk) nearest() tsp.Node {
	next := w.at
	for _, c := range w.s.Candidates {
		if !w.used[c] && (next == w.at || w.s.Dist(w.at, c) < w.s.Dist(w.at, next)) {
			next = c
		}
	}
	return next
}

func (w *walk) take(c tsp.Node) {
	w.at = c
	w.used[c] = true
}

func (w *walk) step() { w.take(w.nearest()) }`, sdk.ClassPlan, "O(K²)"},
		"a walk that hands pointers on": {`
	at, used := s.Current, make([]bool, s.N)
	for range s.Candidates {
		step(s, &at, used)
	}
	score[0] = float32(at)`, nearest + `

func step(s *tsp.State, at *tsp.Node, used []bool) { take(at, nearest(s, *at, used)) }

func take(at *tsp.Node, c tsp.Node) { *at = c }`, sdk.ClassPlan, "O(K²)"},
		"a walk that writes by another name": {`
	used := make([]bool, s.N)
	for range s.Candidates {
		take(used, nearest(s, s.Current, used))
	}
	score[0] = float32(len(used))`, nearest + `

func take(used []bool, c tsp.Node) {
	marks := used
	marks[c] = true
}`, sdk.ClassPlan, "O(K²)"},
		"a walk that writes by another name that is declared": {`
	used := make([]bool, s.N)
	for range s.Candidates {
		take(used, nearest(s, s.Current, used))
	}
	score[0] = float32(len(used))`, nearest + `

func take(used []bool, c tsp.Node) {
	var marks = used
	marks[c] = true
}`, sdk.ClassPlan, "O(K²)"},
		"a walk that marks by another name": {`
	used, at := make([]bool, s.N), s.Current
	for range s.Candidates {
		next := nearest(s, s.Current, used)
		marks := used
		marks[next] = true
		score[0] += s.Dist(at, next)
	}`, nearest, sdk.ClassPlan, "O(K²)"},
		"a walk that reads by another name": {`
	var marks []bool
	used := make([]bool, s.N)
	marks = used[:]
	for range s.Candidates {
		used[nearest(s, s.Current, marks)] = true
	}`, nearest, sdk.ClassPlan, "O(K²)"},
		"a walk that marks a field by another name": {`
	w := walk{make([]bool, s.N)}
	for range s.Candidates {
		marks := w.used
		marks[nearest(s, s.Current, w.used)] = true
	}`, nearest + "\n\ntype walk struct{ used []bool }", sdk.ClassPlan, "O(K²)"},
		"a list that each round makes anew under another name": {`
	for k := range s.Candidates {
		used := make([]bool, s.N)
		marks := used
		marks[s.Candidates[0]] = true
		score[k] = s.Dist(s.Current, nearest(s, s.Current, used))
	}`, nearest, sdk.ClassLocal, "O(K²)"},
		"a walk that writes by a closure": {`
	used := make([]bool, s.N)
	for range s.Candidates {
		take := func(marks []bool, c tsp.Node) { marks[c] = true }
		take(used, nearest(s, s.Current, used))
	}
	score[0] = float32(len(used))`, nearest, sdk.ClassPlan, "O(K²)"},
		"a structure that its methods only read": {`
	v := view{s, s.Row(s.Current)}
	for k := range s.Candidates {
		score[k] = v.far(k)
	}`, `
type view struct {
	s   *tsp.State
	row []float32
}

func (v *view) far(k int) float32 { return v.entry(k) + v.s.NearestOther(k) }

func (v *view) entry(k int) float32 { return v.row[v.s.Candidates[k]] }`, sdk.ClassLocal, "O(K²)"},
		"a draft through a variable": {`
	draft := func(from tsp.Node) []tsp.Node { return nil }
	draft = s.InsertionPath
	for i, c := range draft(s.Current) {
		score[i] = float32(c)
	}`, "", sdk.ClassPlan, "O(K²)"},
		"a draft in a list": {`
	drafts := []func(tsp.Node) []tsp.Node{s.InsertionPath}
	score[0] = float32(len(drafts))`, "", sdk.ClassPlan, "O(K²)"},
		"a measure of its own through a variable": {`
	late := func(k int) float32 { return -s.Distance(k) }
	if s.Progress() > 0.5 {
		late = func(k int) float32 { return -s.NearestOther(k) }
	}
	for k := range s.Candidates {
		score[k] = late(k)
	}`, "", sdk.ClassLocal, "O(K²)"},
		"a parameter that gets a function anew": {"score[0] = of(s.NearestOther, s)", `
func of(f func(int) float32, s *tsp.State) float32 {
	if s.Progress() > 0.5 {
		f = func(int) float32 { return 0 }
	}
	return f(0)
}`, sdk.ClassPlan, "O(K)"},
		"along successors": {`
	next := make([]int, s.K())
	at := 0
	for k := range s.Candidates {
		score[k] = float32(at)
		at = next[at]
	}`, "", sdk.ClassPlan, "O(K)"},
		"along its own order": {`
	order := append([]tsp.Node{}, s.Candidates...)
	at, walked := s.Current, float32(0)
	for k, c := range order {
		walked += s.Dist(at, c)
		at = c
		score[k] = -walked
	}`, "", sdk.ClassPlan, "O(K)"},
		"along its own order, with its indices": {`
	order := append([]tsp.Node{}, s.Candidates...)
	at, walked := s.Current, float32(0)
	for k, c := range slices.All(order) {
		walked += s.Dist(at, c)
		at = c
		score[k] = -walked
	}`, "", sdk.ClassPlan, "O(K)"},
		"along its own order, from the end": {`
	order := append([]tsp.Node{}, s.Candidates...)
	at, walked := s.Current, float32(0)
	for k, c := range slices.Backward(order) {
		walked += s.Dist(at, c)
		at = c
		score[k] = -walked
	}`, "", sdk.ClassPlan, "O(K)"},
		"along an iterator over its own order": {`
	order := slices.Values(append([]tsp.Node{}, s.Candidates...))
	at, walked := s.Current, float32(0)
	for c := range order {
		walked += s.Dist(at, c)
		at = c
	}
	score[0] = -walked`, "", sdk.ClassPlan, "O(K)"},
		"the State's own order, with its indices": {`
	at := s.Current
	for k, c := range slices.All(s.Candidates) {
		score[k] = -s.Dist(at, c)
		at = c
	}`, "", sdk.ClassLocal, "O(K)"},
		"a walk that counts up from what an iterator passes": {`
	for from := range slices.Values([]int{-s.K()}) {
		used, at := make([]bool, s.N), s.Current
		for step := from; step < 0; step++ {
			at = nearest(s, at, used)
			used[at] = true
		}
		score[0] = float32(at)
	}`, nearest, sdk.ClassPlan, "O(K³)"},
		"a walk whose limit has a method that raises it": {`
	used, at := make([]bool, s.N), s.Current
	n := count(3)
	n.more()
	for step := count(0); step < n; step++ {
		at = nearest(s, at, used)
		used[at] = true
	}
	score[0] = float32(at)`, nearest + `

type count int

func (c *count) more() { *c = 1000 }`, sdk.ClassPlan, "O(K²)"},
		"a walk whose limit has a method that reads it": {`
	used, at := make([]bool, s.N), s.Current
	n := count(3)
	score[0] = n.half()
	for step := count(0); step < n; step++ {
		at = nearest(s, at, used)
		used[at] = true
	}
	score[0] += float32(at)`, nearest + `

type count int

func (c count) half() float32 { return float32(c) / 2 }`, sdk.ClassLookahead, "O(K)"},
		"a walk that counts up from below 0": {`
	used, at := make([]bool, s.N), s.Current
	for step := -s.K(); step < 0; step++ {
		at = nearest(s, at, used)
		used[at] = true
	}
	score[0] = float32(at)`, nearest, sdk.ClassPlan, "O(K²)"},
		"a walk of as many steps as a lookahead has": {`
	used, at := make([]bool, s.N), s.Current
	for step := 1; step < 10; step++ {
		at = nearest(s, at, used)
		used[at] = true
	}
	score[0] = float32(at)`, nearest, sdk.ClassLookahead, "O(K)"},
		"a walk of one step more": {`
	used, at := make([]bool, s.N), s.Current
	for step := 0; step <= 10; step++ {
		at = nearest(s, at, used)
		used[at] = true
	}
	score[0] = float32(at)`, nearest, sdk.ClassPlan, "O(K)"},
		"neighbours in its own order": {`
	order := append([]tsp.Node{}, s.Candidates...)
	for i := 1; i < len(order); i++ {
		score[i] = score[i-1] - s.Dist(order[i-1], order[i])
	}`, "", sdk.ClassPlan, "O(K)"},
		"a walk that it is given by name": {"for k := range s.Candidates { score[k] = of(s, s.GreedyChain, k, s.K()) }",
			"\nfunc of(s *tsp.State, f func(k, n int) float32, k, n int) float32 { return f(k, n) }",
			sdk.ClassPlan, "O(K³)"},
		"a countdown that begins anew": {"for k, c := range s.Candidates { score[k] = walk(s, c, 0) }", nearest + `

func walk(s *tsp.State, c tsp.Node, steps int) (sum float32) {
	used := make([]bool, s.N)
	if steps == 0 {
		steps = s.K()
	}
	for ; steps > 0; steps-- {
		next := nearest(s, c, used)
		sum -= s.Dist(c, next)
		used[next] = true
		c = next
	}
	return sum
}
`, sdk.ClassPlan, "O(K³)"},
		"a walk as an expression of its method": {
			"for k := range s.Candidates { score[k] = (*tsp.State).GreedyChain(s, k, s.K()) }", "",
			sdk.ClassPlan, "O(K³)"},
		"a bounded walk as an expression of its method": {
			"for k := range s.Candidates { score[k] = (*tsp.State).GreedyChain(s, k, 3) }", "",
			sdk.ClassLookahead, "O(K²)"},
		"a walk to the end as an expression of its method": {
			"for k := range s.Candidates { score[k] = (*tsp.State).GreedyChain(s, min(k, 9), s.K()) }", "",
			sdk.ClassPlan, "O(K³)"},
		"a measure that it is given by name": {"for k := range s.Candidates { score[k] = of(s.NearestOther, k) }",
			"\nfunc of(f func(int) float32, k int) float32 { return f(k) }", sdk.ClassLocal, "O(K²)"},
		"a measure that is worked out once a state": {`
	for k := range s.Candidates {
		score[k] = s.Crowd(k, 1.5) - s.Distance(k)
	}`, "", sdk.ClassLocal, "O(K²)"},
		"a function that it is given": {
			"for k := range s.Candidates { score[k] = of(func(k int) float32 { return 0 }, k) }",
			"\nfunc of(f func(int) float32, k int) float32 { return f(k) }", sdk.ClassPlan, "O(K²)"},
	} {
		c2, err := heuristic.Check(score(c.body, c.functions))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := analysis.Judge(c2); got.Class != c.want || analysis.Cost(c2) != c.cost {
			t.Errorf("%s: %s, %s, want %s, %s", name, got, analysis.Cost(c2), c.want, c.cost)
		}
	}
}

// TestVerdict: a verdict names the line of the program and the function that decides.
func TestVerdict(t *testing.T) {
	c, err := heuristic.Check(score("\n\ts.ScoreAlong(s.InsertionPath(s.Current), score)", ""))
	if err != nil {
		t.Fatal(err)
	}
	v := analysis.Judge(c)
	if v.Class != sdk.ClassPlan || v.Line != 8 || v.Function == "" || v.Why == "" {
		t.Errorf("%+v", v)
	}
}

// TestMethods: of the SDK's methods these work ahead. Any other must come out as local: a method that does not, though
// it should, needs a ruling in sdk.Packages that says why.
func TestMethods(t *testing.T) {
	want := map[string]sdk.Class{
		"tsp.GreedyChain": sdk.ClassLookahead, "tsp.NearestPath": sdk.ClassPlan, "tsp.InsertionPath": sdk.ClassPlan,
		"tsp.PathLength": sdk.ClassPlan, "tsp.Uncross": sdk.ClassPlan, "tsp.ScoreAlong": sdk.ClassPlan,
		"subtsp.GreedyChain": sdk.ClassLookahead,
		"cvrp.GrowRoute":     sdk.ClassPlan, "cvrp.RouteLength": sdk.ClassPlan, "cvrp.Uncross": sdk.ClassPlan,
		"cvrp.ScoreAlong": sdk.ClassPlan, "cvrp.WalkLength": sdk.ClassLookahead, "cvrp.WalkHome": sdk.ClassLookahead,
		"cvrp.WalkLoad": sdk.ClassLookahead, "cvrp.WalkSaving": sdk.ClassLookahead,
		"tsp.WalkLength": sdk.ClassLookahead, "tsp.WalkHome": sdk.ClassLookahead,
		"tsp.WalkStrands": sdk.ClassLookahead, "tsp.Window": sdk.ClassLookahead, "tsp.WindowHome": sdk.ClassLookahead,
	}
	seen := 0
	for _, p := range sdk.Packages {
		for _, m := range analysis.Methods(p.Name) {
			name := p.Name + "." + m.Name
			is, ok := want[name]
			if !ok {
				is = sdk.ClassLocal
			} else {
				seen++
			}
			if m.Class != is {
				t.Errorf("%s is %s, want %s. If it is not, add %q to Rulings of %s in sdk.Packages",
					name, m.Verdict, is, m.Name, p.Name)
			}
			if plans := name == "tsp.GreedyChain" || name == "subtsp.GreedyChain"; m.Plans != plans {
				t.Errorf("%s: plans where its steps are not constant: %v, want %v", name, m.Plans, plans)
			}
		}
		for name, ruling := range p.Rulings {
			if ruling.Why == "" {
				t.Errorf("the ruling on %s.%s has no reason", p.Name, name)
			}
			method := regexp.MustCompile(`\nfunc \(s \*State\) ` + name + `\(`)
			if !method.Match(sources(t, p.Name)) {
				t.Errorf("there is a ruling on %s.%s, and no such method", p.Name, name)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d methods work ahead, want %d", seen, len(want))
	}
}

// sources returns the text of an SDK package.
func sources(t *testing.T, name string) (all []byte) {
	t.Helper()
	files, err := fs.Glob(sdk.Sources, name+"/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(sdk.Sources, file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return all
}

// TestUnfolded: the size counts each function once, however often it is called, and no comments.
func TestUnfolded(t *testing.T) {
	size := func(body string) (nodes, lines int) {
		c, err := heuristic.Check(score(body, ""))
		if err != nil {
			t.Fatal(err)
		}
		return analysis.Unfolded(c)
	}
	_, bare := size("")
	if bare != 2 {
		t.Errorf("an empty Score has %d lines, want 2: its head and its brace", bare)
	}
	nodes, once := size("score[0] = s.Progress()\n// a comment")
	more, twice := size("score[0] = s.Progress() + s.Progress()")
	if once != 4 || twice != once || more <= nodes {
		t.Errorf("%d lines, %d with a second call; %d nodes, then %d", once, twice, nodes, more)
	}
}

// TestClassOfComparators: a library calls the functions that it is given, so these count.
func TestClassOfComparators(t *testing.T) {
	const options = `
type option struct {
	s *tsp.State
	k int
}

type order func(a, b option) int

func chosen() order { return nearer }

func nearer(a, b option) int {
	if a.s.Distance(a.k) < b.s.Distance(b.k) {
		return -1
	}
	return 1
}

func cheaper(a, b option) int {
	if a.s.GreedyChain(a.k, a.s.K()) < b.s.GreedyChain(b.k, b.s.K()) {
		return -1
	}
	return 1
}`
	const either = "by := nearer; if s.Progress() > 0.5 { by = cheaper }"
	for _, c := range []struct{ first, by, want string }{
		{"", "nearer", "local, O(K)"},
		{"", "cheaper", "plan, O(K³)"},
		{"", "order(cheaper)", "plan, O(K³)"},
		{"", "order(nearer)", "local, O(K)"},
		{either, "by", "plan, O(K²)"}, // which function a variable holds is not seen
		{"by := func(a, b option) int { return b.k - a.k }", "by", "local, O(K)"},
		{"by := func(a, b option) int { return int(s.NearestOther(a.k) - s.NearestOther(b.k)) }", "by", "local, O(K²)"},
		{"", "chosen()", "plan, O(K²)"}, // the same
	} {
		src := score(c.first+`
	var all []option
	for k := range s.Candidates {
		all = append(all, option{s, k})
	}
	slices.SortFunc(all, `+c.by+`)
	score[all[0].k] = 1`, options)
		program, err := heuristic.Check(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(analysis.Class(program), ", ", analysis.Cost(program)); got != c.want {
			t.Errorf("%s sorted by %s: %s, want %s", c.first, c.by, got, c.want)
		}
	}
}

// TestFlowsOfStatements: what decides how often a loop runs counts, but for how many candidates there are, and so does
// what lies in a variable of any type.
func TestFlowsOfStatements(t *testing.T) {
	for body, want := range map[string]string{
		`
	for k := range s.Candidates {
		var near any = s.Distance(k)
		switch v := near.(type) {
		case float32:
			score[k] = -v
		}
	}`: "[Distance]",
		`
	var late any = s.Progress()
	if late.(float32) > 0.5 {
		score[0] = 1
	}`: "[Progress]",
		`
	i := 0
	for i < s.K() && s.NearestOther(i) < 1 {
		i++
	}
	score[0] = float32(i)`: "[NearestOther]",
		`
	n := s.K()
	for i := 0; i < n; i++ {
		score[i] = -s.Distance(i)
	}`: "[Distance]",
		`
	for i := range s.Step {
		score[0] += float32(i)
	}`: "[Step]",
	} {
		c, err := heuristic.Check(score(body, ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(analysis.Flows(c)); got != want {
			t.Errorf("the scores depend on %s, want %s, of%s", got, want, body)
		}
	}
}

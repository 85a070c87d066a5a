package standin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// programs are programs that hold every measure the stand-in knows by itself and every one that the rules list, four a
// program.
func (c setting) programs() []string {
	in := textgrad.ProposeInput{Failures: c.failures(1), Modes: 1}
	req := textgrad.ProposeRequest(in, c.ctx)
	p := parse(req.System, req.User)
	all := p.catalogue()
	for _, column := range columns[c.sdk] {
		all = append(all, column.measure)
	}
	if m, ok := turning[c.sdk]; ok {
		all = append(all, m)
	}
	var sources []string
	for part := range slices.Chunk(all, usualTerms-1) {
		var terms []signal
		for i, m := range part {
			terms = append(terms, signal{m, []float64{0.1, -0.1}[i%2]})
		}
		sources = append(sources, p.write(fmt.Sprintf("part%d", len(sources)), terms))
	}
	return sources
}

// Every program the stand-in can write passes the checks that a model's programs pass, and scores each candidate from
// the state: nothing it writes plans or walks on.
func TestMeasuresAreValid(t *testing.T) {
	for _, c := range settings {
		for _, src := range c.programs() {
			checked, err := heuristic.Check(src)
			if err != nil {
				t.Errorf("%s: %v\n%s", c.sdk, err, src)
				continue
			}
			if class := analysis.Class(checked); class != sdk.ClassLocal {
				t.Errorf("%s: a program of class %s: %v\n%s", c.sdk, class, analysis.Judge(checked), src)
			}
			if n := len(termsOf(t, src)); n < 2 || n > 1+config.DefaultTerms {
				t.Errorf("%s: %d terms\n%s", c.sdk, n, src)
			}
		}
	}
}

func TestParseReadsTheTable(t *testing.T) {
	f := tours.failures(1)[0]
	featureless := f
	featureless.Features = nil
	req := textgrad.BackwardRequest(tours.nearest, featureless, tours.ctx)
	got, want := parse(req.System, req.User).failures[0].rows["teacher 1"], f.Teacher[0]
	for _, c := range []struct{ got, want float64 }{
		{got["distance"], want.Distance}, {got["isolation"], want.Isolation}, {got["to start"], want.ToStart},
		{got["to centroid"], want.ToCentroid}, {got["two-step"], want.TwoStep},
	} {
		if d := c.got - c.want; d < -6e-4 || d > 6e-4 {
			t.Errorf("row %+v of %+v: %v, want %v", got, want, c.got, c.want)
		}
	}
	req = textgrad.BackwardRequest(tours.nearest, f, tours.ctx)
	p := parse(req.System, req.User)
	if p.task != "BACKWARD CODE" || !strings.Contains(p.program, "func Score(") || len(p.failures) != 1 ||
		p.sdk != "tsp" {
		t.Fatalf("task %q, program %q, %d failures", p.task, p.program, len(p.failures))
	}
	if len(p.failures[0].contrasts) != 4 || len(f.Features) <= 4 {
		t.Fatalf("contrasts %+v of %+v", p.failures[0].contrasts, f.Features)
	}
	for i, c := range p.failures[0].contrasts {
		want := f.Features[i]
		if c.name != want.Name || c.says != want.Says || math.Abs(c.spreads-want.Spreads) > 0.051 {
			t.Errorf("contrast %+v of %+v", c, want)
		}
	}
}

func TestParseReadsRoutes(t *testing.T) {
	for _, c := range []setting{routes, legs} {
		for _, f := range c.failures(20) {
			req := textgrad.BackwardRequest(c.nearest, f, c.ctx)
			got := parse(req.System, req.User).failures[0]
			for i, choice := range []string{"program 1", "program 2", "teacher 1", "teacher 2"} {
				want := [...]textgrad.Choice{f.Heuristic[0], f.Heuristic[1], f.Teacher[0], f.Teacher[1]}[i]
				row, shown := got.rows[choice]
				if !shown && len(f.Features) > 0 && i%2 == 1 && min(want.PHeuristic, want.PTeacher) < 0.01 {
					continue // a negligible second choice
				}
				readsRow(t, row, want)
			}
			if len(got.contrasts) == 0 {
				t.Errorf("%s: no contrasts in %+v", c.sdk, got)
			}
		}
	}
}

// readsRow wants a row to say what the prompt was made from.
func readsRow(t *testing.T, row map[string]float64, want textgrad.Choice) {
	t.Helper()
	if home := row["where"] == 1; home != (want.Where != "customer") {
		t.Errorf("row says that it leads home: %v, of a %q", home, want.Where)
	}
	for heading, want := range map[string]float64{
		"way": want.Distance, "demand": want.Demand, "room after": want.RoomAfter, "to depot": want.ToStart,
		"saving": want.Saving, "detour": want.Detour, "bearing": want.Bearing, "turn": want.Turn,
		"isolation": want.Isolation, "to centroid": want.ToCentroid,
	} {
		if got, shown := row[heading]; shown && !near(got, want) {
			t.Errorf("row %+v: %s is %v, want %v", row, heading, row[heading], want)
		}
	}
}

// near allows for what the tables round: to three decimals, and percentages to one.
func near(got, want float64) bool { return math.Abs(got-want) <= 6e-4 }

func TestBackwardParses(t *testing.T) {
	for _, c := range settings {
		seen := map[string]bool{}
		for _, f := range c.failures(60) {
			text := answer(t, textgrad.BackwardRequest(c.nearest, f, c.ctx))
			g, err := textgrad.ParseGradient(text)
			if err != nil {
				t.Fatal(err)
			}
			if read := parseGradient(text); len(read.wants) != 1 || len(read.contrasts) == 0 {
				t.Errorf("%s: direction %q is not one that step understands", c.sdk, g.Direction)
			}
			seen[g.Direction] = true
			described := answer(t, textgrad.BackwardDescriptionRequest(c.nearest, f, c.ctx))
			if _, err := textgrad.ParseDescriptionGradient(described); err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) < 4 {
			t.Errorf("60 failures led to %d directions only: %v", len(seen), seen)
		}
	}
}

// A diagnosis names the weight that speaks for the wrong pick.
func TestBackwardReadsTheWeights(t *testing.T) {
	f := tours.failures(1)[0]
	f.Terms = []evidence.Term{
		{Name: "sharp", Program: -0.1, Teacher: -0.9},
		{Name: "lead", Program: 0.1, Teacher: 0.3},
	}
	g, err := textgrad.ParseGradient(answer(t, textgrad.BackwardRequest(tours.nearest, f, tours.ctx)))
	if err != nil || !strings.Contains(g.Flaw, "sharp speaks most for the program's pick") {
		t.Errorf("diagnosis %+v (%v)", g, err)
	}
	weights := parseGradient("LOGIC: " + g.Logic).weights
	if len(weights) != 2 || weights[1] != (contrast{name: "lead", program: 0.1, teacher: 0.3}) {
		t.Errorf("weights %+v of %q", weights, g.Logic)
	}
}

// diagnosed is a step that follows diagnoses of failures, as the stand-in writes them.
func (c setting) diagnosed(t *testing.T, h bank.Heuristic, failures []textgrad.Failure) textgrad.StepInput {
	t.Helper()
	in := textgrad.StepInput{Attempt: 1}
	for _, f := range failures {
		g, err := textgrad.ParseGradient(answer(t, textgrad.BackwardRequest(h, f, c.ctx)))
		if err != nil {
			t.Fatal(err)
		}
		in.Gradients = append(in.Gradients, g)
	}
	return in
}

// A round of attempts, each rejected, must try other edits all the time, every one a program that passes the checks.
func TestStepVariesAndCompiles(t *testing.T) {
	for _, c := range settings {
		failures := c.failures(12)
		for i := 0; i < len(failures); i += 4 {
			in := c.diagnosed(t, c.nearest, failures[i:i+4])
			tried := []string{c.nearest.Source}
			for attempt := 1; attempt <= 4; attempt++ {
				in.Attempt = attempt
				src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(c.nearest, in, c.ctx)))
				if err != nil {
					t.Fatal(err)
				}
				if err := typecheck(src); err != nil {
					t.Errorf("%s, attempt %d: %v\n%s", c.sdk, attempt, err, src)
				}
				if slices.Contains(tried, src) {
					t.Errorf("%s, attempt %d repeats an edit:\n%s", c.sdk, attempt, src)
				}
				tried = append(tried, src)
				// Training changed the numbers before the edit was judged.
				shown := strings.ReplaceAll(src, " = 0.", " = 1.")
				in.Rejected = append(in.Rejected, textgrad.Rejected{Source: shown, Reason: "no better"})
			}
		}
	}
}

// An attempt that never became a program is shown by its reason alone; the next one must still be another edit.
func TestStepMovesOnFromUnreadableReplies(t *testing.T) {
	in := tours.diagnosed(t, tours.nearest, tours.failures(3))
	first := answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx))
	in.Attempt, in.Rejected = 2, []textgrad.Rejected{{Reason: "reply is no program"}}
	if second := answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx)); second == first {
		t.Errorf("the second attempt repeats the first:\n%s", second)
	}
}

// following are gradients of directions.
func following(directions ...string) textgrad.StepInput {
	in := textgrad.StepInput{Attempt: 1}
	for _, d := range directions {
		in.Gradients = append(in.Gradients, textgrad.Gradient{Logic: "l", Teacher: "t", Flaw: "f", Direction: d})
	}
	return in
}

func TestStepServesTheDirection(t *testing.T) {
	const centroid = "add a term by which a candidate gains by its distance to the centroid [to_centroid]"
	const isolation = "add a term by which a candidate loses by its isolation [isolation]"
	in := following(centroid, isolation, isolation)
	src := answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx))
	if !strings.Contains(src, "score[k] -= isolation * s.Isolation(k)") || strings.Contains(src, "Centroid") {
		t.Errorf("two of three gradients ask for less isolation, the edit is\n%s", src)
	}
}

// measured is a record with evidence.
func measured(changes ...evidence.Change) *textgrad.Record {
	return &textgrad.Record{
		States: 100, Trusted: true, Niche: textgrad.Tally{States: 100, Right: 80}, Evidence: changes,
	}
}

var (
	missed = evidence.Change{
		Name: "missed", Call: "s.Missed(k)", Says: "how much its neighbours would miss it", Slope: -0.03,
	}
	tip = evidence.Change{
		Name: "tip_1", Call: "s.Tip(k, 1.5)", Says: "its near neighbours lying on one side", Slope: 0.05,
	}
	skip = evidence.Change{
		Name: "skip", Call: "s.Skip(k)", Says: "what it costs if left for later", Slope: -0.08,
	}
	skipLate = evidence.Change{
		Name: "skip_late", Call: "s.Progress() * s.Skip(k)", Says: "what it costs if left for later, late in the tour",
		Slope: 0.01,
	}
)

// The edit is the term with the largest slope, with its sign and a size that grows with the slope.
func TestStepAddsTheSteepestTerm(t *testing.T) {
	in := textgrad.StepInput{Attempt: 1, Record: measured(missed, tip)}
	req := textgrad.StepRequest(tours.nearest, in, tours.ctx)
	src, err := textgrad.ParseProgram(answer(t, req))
	if err != nil {
		t.Fatal(err)
	}
	checked, err := heuristic.Check(src)
	if err != nil {
		t.Fatal(err)
	}
	ws := checked.Weights()
	if len(ws) != 2 || ws[1].Name != "tip1" || ws[1].Says != "price of its near neighbours lying on one side" ||
		ws[1].Value != 0.013 || !strings.Contains(src, "score[k] -= tip1 * s.Tip(k, 1.5)") ||
		!strings.Contains(checked.Description, "A candidate loses by its near neighbours lying on one side.") {
		t.Errorf("weights %+v of\n%s", ws, src)
	}
	if again := answer(t, req); !strings.Contains(again, strings.TrimSpace(src)) {
		t.Error("the same prompt is answered differently")
	}

	// The gradients agree on the other one, and turn the scale.
	gradient := textgrad.Gradient{Logic: "l", Flaw: "f", Direction: "d",
		Teacher: "against the program's: missed 1.5 against 0.25 (+2.5 spreads); tip_1 3 against 1 (+2.0 spreads)"}
	in.Gradients = []textgrad.Gradient{gradient, gradient}
	src = answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx))
	// The measure spreads by 0.5, so the weight is twice as large as for a spread of 1: 5·0.06·0.05/0.5 = 0.03.
	if !strings.Contains(src, "const missed = 0.03 ") {
		t.Errorf("the gradients ask for missed, the edit is\n%s", src)
	}
}

// A program of as many terms as the prompt allows gets the new term in the place of the one that tells the picks apart
// least.
func TestStepReplacesTheWeakestTerm(t *testing.T) {
	ctx := tours.ctx
	ctx.Terms = usualTerms - 1 // beside the distance
	var terms []signal
	for _, m := range []string{"ToStart", "Isolation", "ToCentroid", "Radius"} {
		terms = append(terms, signal{
			measure{name: nameOf("s." + m + "(k)"), code: "s." + m + "(k)", says: "its " + m}, 0.1,
		})
	}
	h := tours.nearest
	h.Source = prompt{sdk: "tsp", most: usualTerms, tauH: 0.05}.write("five", terms)
	in := textgrad.StepInput{Attempt: 1, Record: measured(skip), Gradients: []textgrad.Gradient{{
		Logic: "weights: near -0.1 against -0.9; toStart 0.2 against 0.4; isolation 0.1 against 0.2; " +
			"toCentroid 0.31 against 0.3; radius 0.1 against 0.5",
		Teacher: "t", Flaw: "f", Direction: "d",
	}}}
	src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(h, in, ctx)))
	if err != nil {
		t.Fatal(err)
	}
	checked, err := heuristic.Check(src)
	if err != nil {
		t.Fatal(err)
	}
	if len(checked.Weights()) != usualTerms || strings.Contains(src, "Centroid") ||
		!strings.Contains(src, "s.Skip(k)") ||
		!strings.Contains(describe(src), "A candidate gains by its Radius.") {
		t.Errorf("want Skip in the place of ToCentroid:\n%s", src)
	}
}

// Where a measure counts the other way late, its term ends at a threshold.
func TestStepSplitsByPhase(t *testing.T) {
	in := textgrad.StepInput{Attempt: 1, Record: measured(skip, skipLate)}
	src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx)))
	if err != nil {
		t.Fatal(err)
	}
	checked, err := heuristic.Check(src)
	if err != nil {
		t.Fatal(err)
	}
	ws := checked.Weights()
	if len(ws) != 3 || ws[2].Name != "skipUntil" || ws[2].Min != 0.1 || ws[2].Max != 0.9 ||
		!strings.Contains(src, "if s.Progress() < skipUntil {") || analysis.Class(checked) != sdk.ClassLocal {
		t.Errorf("weights %+v of\n%s", ws, src)
	}
}

// A program that is mostly wrong where it is trusted is replaced.
func TestStepReplacesABadRule(t *testing.T) {
	record := measured(missed, tip, skip)
	record.Niche.Right = 30
	in := textgrad.StepInput{Attempt: 1, Record: record}
	src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(termsOf(t, src)); n != 4 || !strings.HasPrefix(src, "package nearest") {
		t.Errorf("%d terms in\n%s", n, src)
	}
}

// Without evidence and without a diagnosis that it can read, the stand-in follows the teacher's habit. Without a habit
// it changes nothing and says so.
func TestStepInventsNothing(t *testing.T) {
	in := following("be better")
	text := answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx))
	src, err := textgrad.ParseProgram(text)
	if err != nil || src != tours.nearest.Source || !strings.Contains(text, "nothing is changed") {
		t.Errorf("%s (%v)", text, err)
	}
	ctx := tours.ctx
	ctx.Habits = []string{"Direction: 1000 of 1000 tours run clockwise, a fixed habit."}
	text = answer(t, textgrad.StepRequest(tours.nearest, in, ctx))
	if !strings.Contains(text, "score[k] -= angleStep * s.AngleStep(k)") {
		t.Errorf("the teacher runs clockwise, the edit is\n%s", text)
	}
}

// The starting bank's programs are built in other ways than the stand-in's own: no edit of them may break a rule or a
// name.
func TestStepEditsForeignPrograms(t *testing.T) {
	for _, body := range []string{
		"path := s.NearestPath(s.Current)\ns.ScoreAlong(path, score)",
		"if s.K() == 1 {\nscore[0] = 0\nreturn\n}\n" +
			"for k := range score {\nd1, d2 := s.NearestTwo(k)\nscore[k] = d2 - d1\n}",
		"for k := range score {\nif k > 3 {\ncontinue\n}\nscore[k] = 1\n}",
		"missed := s.Progress()\nfor k := range s.Candidates {\nscore[k] = missed\n}\nreturn",
	} {
		h := tours.nearest
		h.TauH = 0.8
		h.Source = "package other\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp\"\n\n" +
			"// Score does it another way.\nfunc Score(s *tsp.State, score []float32) {\n" + body + "\n}\n"
		in := textgrad.StepInput{Record: measured(missed, tip, skip, skipLate)}
		for in.Attempt = 1; in.Attempt <= 5; in.Attempt++ {
			src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(h, in, tours.ctx)))
			if err != nil {
				t.Fatal(err)
			}
			if err := typecheck(src); err != nil {
				t.Errorf("%v\n%s", err, src)
			}
			in.Rejected = append(in.Rejected, textgrad.Rejected{Source: src})
		}
	}
}

// Every program of a bank gets the term that a diagnosis asks for, unless it has that measure already.
func TestStepEditsBanks(t *testing.T) {
	for name, c := range map[string]setting{"cvrp-starter": routes, "lehd-cvrp100": legs} {
		b, err := bank.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range b.Heuristics {
			for wanted, direction := range map[string]string{
				"isolation":   "a candidate gains by its isolation [isolation]",
				"load":        "a candidate loses by its demand [load]",
				"to_centroid": "a candidate gains by its distance to the centroid [to_centroid]",
			} {
				req := textgrad.StepRequest(h, following(direction), c.ctx)
				src, err := textgrad.ParseProgram(answer(t, req))
				if err != nil {
					t.Fatal(err)
				}
				m, known := parse(req.System, req.User).measure(wanted)
				same := strings.TrimSpace(src) == strings.TrimSpace(h.Source)
				if err := typecheck(src); err != nil || !known || same != m.isUsed(h.Source) {
					t.Errorf("%s, %s: %v\n%s", h.Name, direction, err, src)
				}
			}
		}
	}
}

func TestProposeAvoidsTheBank(t *testing.T) {
	for _, c := range settings {
		in := textgrad.ProposeInput{Failures: c.failures(10), Bank: []bank.Heuristic{c.nearest}, Modes: 4}
		if c.sdk == "tsp" {
			in.Evidence = []evidence.Change{skip, missed, skipLate, tip}
		}
		propose := func() []textgrad.Proposal {
			t.Helper()
			proposals, err := textgrad.ParseProposals(answer(t, textgrad.ProposeRequest(in, c.ctx)), in.Modes)
			if err != nil {
				t.Fatal(err)
			}
			return proposals
		}
		known := propose()[0]
		checked, err := heuristic.Check(known.Source)
		if err != nil || !strings.Contains(checked.Description, "\n") {
			t.Fatalf("%s: the description %q has one line (%v)", c.sdk, checked.Description, err)
		}
		described := bank.Heuristic{Name: "known", Description: checked.Description}
		written := bank.Heuristic{Name: "known", Source: known.Source, Description: "another author's words"}
		in.Bank = append(in.Bank, described)
		proposals := propose()
		if formula, err := written.Formula(); err != nil || (formula == "") != strings.HasPrefix(c.sdk, "sub") {
			t.Errorf("%s: formula %q, %v, of\n%s", c.sdk, formula, err, known.Source)
		} else if formula != "" {
			in.Bank[1] = written
			for _, p := range propose() {
				if slices.Equal(namesOf(t, p.Source), namesOf(t, known.Source)) {
					t.Errorf("%s: a proposal repeats the bank's %s:\n%s", c.sdk, formula, p.Source)
				}
			}
			in.Bank[1] = described
		}
		sources := map[string]bool{}
		for _, p := range proposals {
			if _, err := heuristic.Check(p.Source); err != nil {
				t.Errorf("%v\n%s", err, p.Source)
			}
			if n := len(termsOf(t, p.Source)); n < 3 || n > 1+config.DefaultTerms {
				t.Errorf("%s: %d terms\n%s", c.sdk, n, p.Source)
			}
			if describe(p.Source) == describe(known.Source) {
				t.Errorf("%s: a proposal repeats the bank's %q", c.sdk, described.Description)
			}
			sources[p.Source] = true
		}
		if len(sources) < 3 {
			t.Errorf("%s: %d different programs among %d", c.sdk, len(sources), len(proposals))
		}
		in.Bank = nil
		if first := propose(); len(first) < 3 {
			t.Errorf("%d first programs for an empty bank", len(first))
		}
	}
}

// A product with a comma in its code is one measure in the list of a proposer's state.
func TestParseReadsProducts(t *testing.T) {
	f := tours.failures(1)
	f[0].Features = []evidence.Contrast{
		{Name: "walk_home_8_late", Call: "s.Progress() * s.WalkHome(k, 8)", Spreads: 2.1},
		{Name: "tip_along_1", Call: "s.TipAlong(k, 1.5)", Spreads: -1.5},
		{Name: "load_full", Call: "(1 - s.Remaining) * s.Load(k)", Spreads: 1},
	}
	req := textgrad.ProposeRequest(textgrad.ProposeInput{Failures: f, Modes: 1}, tours.ctx)
	got := parse(req.System, req.User).failures[0].contrasts
	if len(got) != 3 {
		t.Fatalf("read as %+v", got)
	}
	for i, want := range f[0].Features {
		if got[i].name != want.Name || got[i].spreads != want.Spreads {
			t.Errorf("%+v was read as %+v", want, got[i])
		}
	}
}

// A proposal is led by what tells the picks of its failures apart.
func TestProposeFollowsTheFailures(t *testing.T) {
	f := tours.failures(4)
	for i := range f {
		f[i].Features = []evidence.Contrast{{Name: "missed", Call: "s.Missed(k)", Spreads: 2}}
	}
	in := textgrad.ProposeInput{
		Failures: f, Evidence: []evidence.Change{skip, missed, tip}, Bank: []bank.Heuristic{tours.nearest}, Modes: 1,
	}
	got, err := textgrad.ParseProposals(answer(t, textgrad.ProposeRequest(in, tours.ctx)), 1)
	if err != nil {
		t.Fatal(err)
	}
	const want = "In 4 of the states shown the teacher's pick has more of missed, how much its neighbours would " +
		"miss it."
	if got[0].Mode != want || !strings.HasPrefix(got[0].Source, "package missed_skip\n") {
		t.Errorf("mode %q of\n%s", got[0].Mode, got[0].Source)
	}
}

// A program whose comment tells of a term that is gone is described by its constants.
func TestDescribeWithoutTheOldComment(t *testing.T) {
	const src = "package near\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp\"\n\n" +
		"// Score prefers what is near and alone.\n// No longer counted: how alone it is.\n" +
		"func Score(s *tsp.State, score []float32) {\n\tconst (\n\t\tdistance = 2.0 // price of its distance\n" +
		"\t\tskip     = 0.5 // bonus of what it costs if left for later\n\t)\n\tfor k := range score {\n" +
		"\t\tscore[k] = skip*s.Skip(k) - distance*s.Distance(k)\n\t}\n}\n"
	got, err := textgrad.ParseDescription(answer(t, textgrad.DescribeRequest(src, tours.ctx)))
	if want := "Score weighs its distance; what it costs if left for later."; err != nil || got != want {
		t.Errorf("described as %q (%v), want %q", got, err, want)
	}
}

func TestOtherTasks(t *testing.T) {
	for _, c := range settings {
		d, err := textgrad.ParseDescription(answer(t, textgrad.DescribeRequest(c.nearest.Source, c.ctx)))
		if err != nil || d != c.nearest.Description {
			t.Errorf("described as %q, %v", d, err)
		}
		f := c.failures(1)[0]
		g, err := textgrad.ParseDescriptionGradient(answer(t, textgrad.BackwardDescriptionRequest(c.nearest, f, c.ctx)))
		if err != nil {
			t.Fatal(err)
		}
		step := textgrad.StepDescriptionRequest(c.nearest, textgrad.RewriteInput{
			Gradients: []textgrad.DescriptionGradient{g},
		}, c.ctx)
		d, err = textgrad.ParseDescription(answer(t, step))
		if err != nil || d == c.nearest.Description {
			t.Fatalf("new description %q, %v", d, err)
		}
		src, err := textgrad.ParseProgram(answer(t, textgrad.ImplementRequest(d, c.nearest, c.ctx)))
		if err != nil || describe(src) != d {
			t.Errorf("%q was implemented as %q, %v", d, describe(src), err)
		}
		repair := textgrad.RepairRequest("package x", errors.New("parse: line 1"), 1, c.ctx)
		src, err = textgrad.ParseProgram(answer(t, repair))
		if err != nil {
			t.Error(err)
		} else if _, err := heuristic.Check(src); err != nil {
			t.Error(err)
		}
	}
	for _, user := range []string{"", "Hello!", "# Task: SING", "# Task: STEP\n\nnothing"} {
		if text, err := Answer(textgrad.DescribeRequest("", tours.ctx).System, user); err == nil {
			t.Errorf("%q answered with %q", user, text)
		}
	}
}

// A strategy is a description, without the formula that the prompt shows below it, and has no more measures than a
// program may weigh.
func TestStepDescription(t *testing.T) {
	ask := func(terms int, directions ...string) string {
		t.Helper()
		ctx := tours.ctx
		ctx.Terms = terms
		var in textgrad.RewriteInput
		for _, d := range directions {
			in.Gradients = append(in.Gradients, textgrad.DescriptionGradient{
				Missing: "m", Misleading: "nothing", Direction: d,
			})
		}
		h := tours.nearest
		h.Source = prompt{sdk: "tsp", most: usualTerms, tauH: 0.05}.write("near", nil)
		req := textgrad.StepDescriptionRequest(h, in, ctx)
		if !strings.Contains(req.User, "Its program: score = ") {
			t.Fatalf("no formula in\n%s", req.User)
		}
		d, err := textgrad.ParseDescription(answer(t, req))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if got, want := ask(0, "none that the prompt shows"), tours.nearest.Description; got != want {
		t.Errorf("without a direction the description becomes %q, want %q as it was", got, want)
	}
	const isolation = "a candidate gains by its isolation [isolation]"
	const centroid = "a candidate loses by its distance to the centroid [to_centroid]"
	for terms, want := range map[int]int{1: 1, 0: 2} {
		if got := ask(terms, isolation, centroid); strings.Count(got, "A candidate") != want {
			t.Errorf("of at most %d terms: %q, want %d measures", terms, got, want)
		}
	}
}

// The null writer answers every task, and what it draws depends on the prompt's bytes and not on the evidence.
func TestNullWriter(t *testing.T) {
	byLot := func(req llm.Request) string {
		t.Helper()
		text, err := AnswerByLot(req.System, req.User)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := AnswerByLot(req.System, req.User); again != text {
			t.Error("the same prompt is answered differently")
		}
		return text
	}
	for _, c := range settings {
		f := c.failures(3)
		g, err := textgrad.ParseGradient(byLot(textgrad.BackwardRequest(c.nearest, f[0], c.ctx)))
		if err != nil {
			t.Fatal(err)
		}
		dg, err := textgrad.ParseDescriptionGradient(byLot(textgrad.BackwardDescriptionRequest(c.nearest, f[0], c.ctx)))
		if err != nil {
			t.Fatal(err)
		}
		drawn, signs, beyond := map[string]bool{}, map[bool]bool{}, false
		for attempt := 1; attempt <= 8; attempt++ {
			in := textgrad.StepInput{Attempt: attempt, Gradients: []textgrad.Gradient{g}}
			if c.sdk == "tsp" {
				in.Record = measured(missed, tip, skip, skipLate)
			}
			src, err := textgrad.ParseProgram(byLot(textgrad.StepRequest(c.nearest, in, c.ctx)))
			if err != nil {
				t.Fatal(err)
			}
			if err := typecheck(src); err != nil {
				t.Errorf("%v\n%s", err, src)
			}
			drawn[structure(src)], signs[strings.Contains(src, "score[k] -= ")] = true, true
			if !strings.Contains(src, "Missed(") && !strings.Contains(src, "Tip") && !strings.Contains(src, "Skip(") {
				beyond = true
			}
		}
		if c.sdk == "tsp" && !beyond {
			t.Error("all draws are of measures that the evidence names")
		}
		if len(drawn) < 5 || len(signs) != 2 {
			t.Errorf("%s: %d different edits, signs %v among 8", c.sdk, len(drawn), signs)
		}
		in := textgrad.ProposeInput{Failures: f, Bank: []bank.Heuristic{c.nearest}, Modes: 3}
		proposals, err := textgrad.ParseProposals(byLot(textgrad.ProposeRequest(in, c.ctx)), 3)
		if err != nil || len(proposals) != 3 {
			t.Errorf("%d proposals (%v)", len(proposals), err)
		}
		step := textgrad.StepDescriptionRequest(c.nearest, textgrad.RewriteInput{
			Gradients: []textgrad.DescriptionGradient{dg},
		}, c.ctx)
		d, err := textgrad.ParseDescription(byLot(step))
		if err != nil {
			t.Fatal(err)
		}
		src, err := textgrad.ParseProgram(byLot(textgrad.ImplementRequest(d, c.nearest, c.ctx)))
		if err != nil || len(termsOf(t, src)) < 3 {
			t.Errorf("implemented as %s (%v)", src, err)
		}
	}
}

func TestServer(t *testing.T) {
	var log bytes.Buffer
	srv := httptest.NewServer(Handler(&log))
	defer srv.Close()
	client, err := llm.New(llm.Config{BaseURL: srv.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	req := textgrad.BackwardRequest(tours.nearest, tours.failures(1)[0], tours.ctx)
	first, err := client.Complete(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	second, err := client.Complete(t.Context(), req)
	if err != nil || second != first {
		t.Errorf("the same request is answered differently (%v)", err)
	}
	if first.Model != llm.StandIn || first.PromptTokens == 0 || first.CompletionTokens == 0 {
		t.Errorf("answer %+v does not say that it is a stand-in, or what it cost", first)
	}
	foreign := req
	foreign.User = "Hello!"
	if _, err := client.Complete(t.Context(), foreign); !errors.Is(err, llm.ErrRequest) {
		t.Errorf("a foreign prompt: %v, want ErrRequest", err)
	}

	var entries []Entry
	for lines := bufio.NewScanner(&log); lines.Scan(); {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	if len(entries) != 3 || entries[0].Hash != entries[1].Hash || entries[1].Hash == entries[2].Hash ||
		entries[0].Task != "BACKWARD CODE" {
		t.Errorf("log %+v, want the same request twice and another one", entries)
	}

	req.Model = llm.NullWriter
	null, err := client.Complete(t.Context(), req)
	if err != nil || null.Model != llm.NullWriter || null.Text == first.Text {
		t.Errorf("the null writer answers %+v (%v)", null, err)
	}
	if s := null.Spend(llm.NullWriter, nil); !s.NullWriter || s.StandIn {
		t.Errorf("its mark is %+v", s)
	}

	res, err := srv.Client().Get(srv.URL + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	list, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(list), `"id":"`+llm.StandIn+`"`) ||
		!strings.Contains(string(list), `"id":"`+llm.NullWriter+`"`) {
		t.Errorf("GET /v1/models: %s, %s (%v), want that it names itself", res.Status, list, err)
	}
}

// termsOf returns the weights of a program that multiply something.
func termsOf(t *testing.T, src string) []heuristic.Weight {
	t.Helper()
	terms, err := rewrite.Terms(src)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

// namesOf returns the names of these weights, sorted.
func namesOf(t *testing.T, src string) []string {
	var names []string
	for _, w := range termsOf(t, src) {
		names = append(names, w.Name)
	}
	slices.Sort(names)
	return names
}

package activities

import (
	"cmp"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/workflows"
)

// weighted prefers near cities, with a weight for that and one for the distance to the start.
const weighted = `package weighted

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

const (
	away = -0.1 // of the distance
	home = 2.5  // of the distance to the start, in [0.5, 2.6]
)

// Score prefers near cities, and those far from the start.
func Score(s *tsp.State, score []float32) {
	here, start := s.Row(s.Current), s.Row(s.First)
	for k, c := range s.Candidates {
		score[k] = away*here[c] + home*start[c]
	}
}
`

// tuningInput returns a pass over the weights of a bank on the states of the teacher that ships with EPB, after a
// segment of training.
func (fx *fixture) tuningInput(hs ...bank.Heuristic) workflows.WeightsInput {
	fx.t.Helper()
	in := fx.training()
	in.Model.Bank = fx.put(bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, Heuristics: hs})
	in.Model.Size, in.Epochs, in.Config.Router = len(hs), 1, config.NamedRouter
	return workflows.WeightsInput{
		ModelAndData: on(fx.train(in).Model, in.Data), Moment: workflows.Moment{Epoch: 1},
		Weights: config.Weights{States: 1, Rounds: 3, Epochs: 20}, Train: in.Train, Seed: 1,
	}
}

// A pass over the weights lowers the validation loss with the numbers that it writes, keeps them in their ranges, says
// what changed, and gives the same bytes again.
func TestWeightsAreTrained(t *testing.T) {
	fx := newFixture(t)
	in := fx.tuningInput(fx.entry("weighted", weighted), fx.entry("near", near))
	out := perform(fx, fx.Weights, in)
	if out.Change.Epoch != 1 || out.Change.After > 0.9*out.Change.Before {
		t.Fatalf("the loss goes from %v to %v", out.Change.Before, out.Change.After)
	}
	trained := get[bank.Bank](fx, out.Model.Bank)
	if trained.Heuristics[1].Source != near {
		t.Errorf("a program without weights became\n%s", trained.Heuristics[1].Source)
	}
	c, err := heuristic.Check(trained.Heuristics[0].Source)
	if err != nil {
		t.Fatal(err)
	}
	ws := c.Weights()
	if ws[0].Value >= -0.1 || ws[1].Value != 2.6 {
		t.Errorf("weights %v and %v, want the first larger, and the second at the upper end of its range",
			ws[0].Value, ws[1].Value)
	}
	if n := len(out.Change.Changed); n != 2 || out.Change.Changed[1].To != 2.6 {
		t.Errorf("%d changes: %+v", n, out.Change.Changed)
	}
	// What is read is what runs: the loss is that of the bank as it is stored.
	loss, err := fx.validationLoss(
		t.Context(), &trained, fx.model(out.Model), in.Data.Val, startHeartbeat(t.Context(), ""),
	)
	if err != nil || loss != out.Change.After {
		t.Errorf("the stored bank has the loss %v (%v), want %v", loss, err, out.Change.After)
	}
	if got := fx.scored(); got != 2 {
		t.Errorf("%d tensors of scores are stored, want 2: those of the trained bank on the one shard", got)
	}
	if again := perform(fx, fx.Weights, in); again.Model != out.Model {
		t.Errorf("another pass gives %+v, want %+v", again.Model, out.Model)
	}
	// What is decided about a trained program later is a decision about the one that a model sent.
	j := journal.Of(fx.Store.Store, "default-test-workflow-id")
	if err := j.Rule(t.Context(), trained.Heuristics[0], journal.Ruling{Left: true, Text: "dropped"}); err != nil {
		t.Fatal(err)
	}
	fx.ruled(fx.entry("weighted", weighted), "-dropped")
}

// scored returns how many tensors of scores are stored.
func (fx *fixture) scored() int {
	fx.t.Helper()
	scores, err := fx.Store.List(fx.t.Context(), "scores/")
	if err != nil {
		fx.t.Fatal(err)
	}
	return len(scores)
}

// The scores of programs that a pass tries on its way are not kept, whether it ends with other programs or not.
func TestWeightsForgetsWhatItTried(t *testing.T) {
	for name, tt := range map[string]struct {
		rate    float64
		changes bool
	}{"taken": {0, true}, "not taken": {1e3, false}} {
		fx := newFixture(t)
		in := fx.tuningInput(fx.entry("weighted", weighted), fx.entry("near", near))
		in.Weights.Epochs, in.Train.LR = 2, cmp.Or(tt.rate, in.Train.LR)
		out := perform(fx, fx.Weights, in)
		if changes := out.Model != in.Model; changes != tt.changes {
			t.Errorf("%s: the bank has changed is %v", name, changes)
		}
		if got := fx.scored(); got != 2 {
			t.Errorf("%s: %d tensors of scores are stored, want 2: those of the bank on the one shard", name, got)
		}
	}
}

// A program that crashes at other weights keeps those that it has, whether it crashes where they are measured or where
// they end. The others are trained all the same.
func TestWeightsKeepsProgramsFromCrashing(t *testing.T) {
	fx := newFixture(t)
	fragile := func(name, limit string) bank.Heuristic {
		return fx.entry(name, strings.NewReplacer("package weighted", "package "+name,
			"for k, c", "if away "+limit+" || home > 9 {\n\t\tscore[len(score)] = 0\n\t}\n\tfor k, c",
		).Replace(weighted))
	}
	near, far := fragile("breaks_at_once", "< -0.12"), fragile("breaks_later", "< -0.2 || away > -0.05")
	out := perform(fx, fx.Weights, fx.tuningInput(fx.entry("weighted", weighted), near, far))
	trained := get[bank.Bank](fx, out.Model.Bank)
	if trained.Heuristics[0].Source == weighted || !(out.Change.After < out.Change.Before) {
		t.Errorf("the loss goes from %v to %v with\n%s", out.Change.Before, out.Change.After,
			trained.Heuristics[0].Source)
	}
	for i, want := range []bank.Heuristic{near, far} {
		if got := trained.Heuristics[1+i]; got.Source != want.Source {
			t.Errorf("%s became\n%s", want.Name, got.Source)
		}
	}
	for _, c := range out.Change.Changed {
		if c.Heuristic != "weighted" {
			t.Errorf("%+v is said to have changed", c)
		}
	}
}

// Terms that earn nothing go, and those beyond the limit. The events say which, and the numbers are those of what is
// left.
func TestTermsThatEarnNothingGo(t *testing.T) {
	fx := newFixture(t)
	source := strings.NewReplacer("const (", "const (\n\tnever = 0.0 // of how isolated the city is, in [0, 1e-6]\n"+
		"\tlone = 1e-4 // of how isolated the city is, in [0, 1e-3]",
		"home*start[c]", "home*start[c] + lone*s.Isolation(k) + never*s.Isolation(k)").Replace(weighted)
	for _, tt := range []struct {
		terms int
		gone  string
	}{{0, "never lone"}, {1, "never lone"}, {9, "never lone"}} {
		in := fx.tuningInput(fx.entry("weighted", source), fx.entry("near", near))
		in.Weights.Terms = tt.terms
		out := perform(fx, fx.Weights, in)
		var gone []string
		for _, e := range out.Events {
			if e.Kind != workflows.EventWeights || e.Name != "weighted" {
				t.Errorf("event %+v", e)
			}
			name, _, _ := strings.Cut(strings.TrimPrefix(e.Detail, "lost its term "), ":")
			gone = append(gone, name)
		}
		trained := get[bank.Bank](fx, out.Model.Bank)
		if strings.Join(gone, " ") != tt.gone || strings.Contains(trained.Heuristics[0].Source, "Isolation") {
			t.Errorf("at most %d terms: %q went, left is\n%s", tt.terms, gone, trained.Heuristics[0].Source)
		}
		loss, err := fx.validationLoss(
			t.Context(), &trained, fx.model(out.Model), in.Data.Val, startHeartbeat(t.Context(), ""),
		)
		if err != nil || loss != out.Change.After {
			t.Errorf("the stored bank has the loss %v (%v), want %v", loss, err, out.Change.After)
		}
		last := out.Change.Changed[0]
		if last.Weight != "never" || !last.Gone || last.To != 0 {
			t.Errorf("changes %+v", out.Change.Changed)
		}
	}
	many := strings.NewReplacer("const (", "const (\n\talone = -0.05 // of how isolated the city is",
		"home*start[c]", "home*start[c] + alone*s.Isolation(k)").Replace(weighted)
	in := fx.tuningInput(fx.entry("weighted", many), fx.entry("near", near))
	in.Weights.Terms, in.Weights.Rounds = 1, 1
	trained := get[bank.Bank](fx, perform(fx, fx.Weights, in).Model.Bank)
	if terms, err := rewrite.Terms(trained.Heuristics[0].Source); err != nil || len(terms) > 2 {
		t.Errorf("%d terms (%v), at most one is allowed beside the heaviest:\n%s", len(terms), err,
			trained.Heuristics[0].Source)
	}
}

// A program that crashes without a term, in training states alone, keeps it, and no event says otherwise. The others
// lose theirs.
func TestNoEventOfATermThatStays(t *testing.T) {
	fx := newFixture(t)
	with := func(name, trap string) bank.Heuristic {
		return fx.entry(name, strings.NewReplacer(
			"package weighted", "package "+name, "home*start[c]", "level*s.Y[c]"+trap,
			"home = 2.5  // of the distance to the start, in [0.5, 2.6]", "level = 2.0 // of how far up it is",
			"here, start := s.Row(s.Current), s.Row(s.First)", "here := s.Row(s.Current)",
		).Replace(weighted))
	}
	traps := with("traps", "\n\t\tif score[k] < 0 && s.Y[c] == 0.8125 {\n\t\t\tscore[k+9] = 0\n\t\t}")
	model := fx.even(traps, with("sound", ""))
	out := perform(fx, fx.Weights, workflows.WeightsInput{
		ModelAndData: on(model, fx.data("ABC", "AB")), Weights: config.Weights{States: 1, Rounds: 1, Epochs: 2},
		Train: config.Train{BatchStates: 64, LR: 1e-2}, Seed: 1,
	})
	hs := get[bank.Bank](fx, out.Model.Bank).Heuristics
	if !strings.Contains(hs[0].Source, "level*s.Y[c]") || strings.Contains(hs[1].Source, "level") {
		t.Fatalf("the bank has\n%s\n%s", hs[0].Source, hs[1].Source)
	}
	if len(out.Events) != 1 || out.Events[0].Name != "sound" {
		t.Errorf("events %+v, want one of the other program", out.Events)
	}
}

// A threshold is trained as other weights are: a program that goes astray on a part of the way comes to do so on less
// of it, from either end, and the loss falls.
func TestThresholdsAreTrained(t *testing.T) {
	fx := newFixture(t)
	const astray = `package astray

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

const turn = 0.5 // share of the way at which it turns, in [0, 1]

// Score prefers near cities, and far ones on a part of the way.
func Score(s *tsp.State, score []float32) {
	here, sign := s.Row(s.Current), float32(-1)
	if s.Progress() > turn {
		sign = 1
	}
	for k, c := range s.Candidates {
		score[k] = sign * here[c]
	}
}
`
	for sign, right := range map[string]float64{">": 1, "<": -1} {
		in := fx.tuningInput(fx.entry("astray", strings.Replace(astray, "> turn", sign+" turn", 1)))
		out := perform(fx, fx.Weights, in)
		ws, err := get[bank.Bank](fx, out.Model.Bank).Heuristics[0].Weights()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("astray where progress %s turn: turn 0.5 → %v, loss %.4f → %.4f", sign, ws[0].Value, out.Change.Before,
			out.Change.After)
		if right*(ws[0].Value-0.5) < 0.1 || !(out.Change.After < 0.9*out.Change.Before) {
			t.Errorf("astray where progress %s turn: turn is %v and the loss %v, it was 0.5 and %v", sign, ws[0].Value,
				out.Change.After, out.Change.Before)
		}
	}
}

// The limit is one of terms beside the distance, with a weight or without: a program whose distance has none may have
// one weighted term less.
func TestTermsBesideTheDistance(t *testing.T) {
	fx := newFixture(t)
	for _, tt := range []struct {
		source string
		most   int
	}{
		{weighted, 2}, // the distance is one of them
		{
			strings.NewReplacer("\taway = -0.1 // of the distance\n", "", "away*here[c]", "-here[c]").Replace(weighted),
			1,
		},
	} {
		many := strings.NewReplacer(
			"const (", "const (\n\talone = -0.05 // of how isolated the city is, in [-1, -0.04]",
			"home*start[c]", "home*start[c] + alone*s.Isolation(k)",
		).Replace(tt.source)
		in := fx.tuningInput(fx.entry("weighted", many), fx.entry("near", near))
		in.Weights.Terms, in.Weights.Rounds = 1, 1
		trained := get[bank.Bank](fx, perform(fx, fx.Weights, in).Model.Bank)
		if terms, err := rewrite.Terms(trained.Heuristics[0].Source); err != nil || len(terms) != tt.most {
			t.Errorf("%d terms (%v), want %d:\n%s", len(terms), err, tt.most, trained.Heuristics[0].Source)
		}
	}
}

// nearWith returns the source of near with further weights and terms.
func nearWith(weights, terms string) string {
	return strings.NewReplacer(
		"// Score", "const "+weights+"\n\n// Score", "-fromHere[c]", "-fromHere[c] "+terms,
	).Replace(near)
}

// The last term of a program stays, whatever it earns: without it the program would be another rule.
func TestLastTermStays(t *testing.T) {
	fx := newFixture(t)
	h := fx.entry("near", nearWith("a, b = 1e-7, 2e-7", "- a*fromHere[c] - b*fromHere[c]"))
	in := fx.tuningInput(h)
	in.Weights.Rounds = 0
	trained := get[bank.Bank](fx, perform(fx, fx.Weights, in).Model.Bank)
	terms, err := rewrite.Terms(trained.Heuristics[0].Source)
	if err != nil || len(terms) != 1 || terms[0].Name != "b" {
		t.Errorf("terms %+v (%v), want b alone", terms, err)
	}
}

// Terms that earn nothing together cost no more than one may: of three that cost two thirds of it each, one goes.
func TestFoldsShareTheTolerance(t *testing.T) {
	fx := newFixture(t)
	// V of the near city is 0.8 where the teacher has 0.9. A term moves the logit by 5e-4·ln 4, and the loss by a tenth
	// of that.
	h := fx.entry("near", nearWith("a, b, d = 5e-4, 5e-4, 5e-4", "- a*fromHere[c] - b*fromHere[c] - d*fromHere[c]"))
	h.TauH = leaning(0.8)
	out := perform(fx, fx.Weights, workflows.WeightsInput{
		ModelAndData: on(fx.even(h), fx.data("A", "A")), Weights: config.Weights{States: 1, Epochs: 1},
		Train: config.Train{BatchStates: 64, LR: 1e-2}, Seed: 1,
	})
	if len(out.Events) != 1 || out.Events[0].After-out.Events[0].Before < 0.6e-4 {
		t.Errorf("events %+v, want one, of a term that costs something", out.Events)
	}
}

// Tuning that raises the validation loss counts on neither side: an edit must not win because the bank was made worse.
func TestJudgeLeavesOutTuningThatHurts(t *testing.T) {
	fx := newFixture(t)
	h := fx.entry("near", nearWith("lean = 0.2", "- lean*fromHere[c]"))
	h.TauH = leaning(0.8)
	model := fx.even(h)
	candidate := fx.entry("edited", strings.NewReplacer("package near", "package edited", "0.2", "0.1").Replace(
		nearWith("lean = 0.2", "- lean*fromHere[c]")))
	in := workflows.JudgeInput{
		ModelAndData: on(model, fx.data("BBBB", "AAAA")), Candidate: fx.put(candidate), Delta: 1e-3,
		Train: config.Train{BatchStates: 64, LR: 1e-2}, Seed: 1,
	}
	plain := perform(fx, fx.Judge, in)
	in.Weights = &config.Weights{States: 1, Rounds: 2, Judge: 20}
	v := perform(fx, fx.Judge, in)
	if v.Before != plain.Before || v.After != plain.After {
		t.Errorf("losses %v and %v, want %v and %v, as without what training on other states does", v.Before, v.After,
			plain.Before, plain.After)
	}
}

// model reads a stored student.
func (fx *fixture) model(m workflows.Model) *student.Model {
	fx.t.Helper()
	model, err := fx.Store.Model(fx.t.Context(), m.Student)
	if err != nil {
		fx.t.Fatal(err)
	}
	return model
}

// An edit with a poor guess at its numbers is turned down as it is, and accepted once both sides are tuned.
func TestJudgeTunesBothSides(t *testing.T) {
	fx := newFixture(t)
	passed := fx.tuningInput(fx.entry("weighted", weighted))
	passed.Model = perform(fx, fx.Weights, passed).Model
	base := get[bank.Bank](fx, passed.Model.Bank)
	candidate := fx.entry("edited", strings.NewReplacer(
		"package weighted", "package edited", "home*start[c]", "home*start[c] + alone*s.Isolation(k)",
		"const (", "const (\n\talone = -0.05 // of how isolated the city is, in [-5, 5]",
	).Replace(base.Heuristics[0].Source))
	in := workflows.JudgeInput{ModelAndData: passed.ModelAndData, Candidate: fx.put(candidate), Delta: 1e-3}
	before := fx.scored()
	if v := perform(fx, fx.Judge, in); v.Refusal(in.Delta) == "" || fx.scored() != before {
		t.Errorf("without tuning the edit is accepted, or %d scores stay instead of %d: %+v", fx.scored(), before, v)
	}
	in.Weights, in.Train, in.Seed = &config.Weights{States: 1, Rounds: 3, Judge: 30}, passed.Train, 1
	v := perform(fx, fx.Judge, in)
	if v.Refusal(in.Delta) != "" {
		t.Errorf("after tuning the edit is turned down: %+v", v)
	}
	tuned := get[bank.Heuristic](fx, v.Candidate)
	if tuned.Source == candidate.Source || tuned.Name != "edited" {
		t.Errorf("the candidate was not tuned:\n%s", tuned.Source)
	}
	// What is ruled about the tuned program, under another description, is found by the program that was sent.
	described, err := tuned.Describe("Score is described again.")
	if err != nil {
		t.Fatal(err)
	}
	again := in
	again.Candidate, again.Delta = fx.put(described), 100
	// Only what is accepted keeps its scores. Those of the bank's program go: nothing else removes them.
	if got, want := fx.scored(), before+1; got != want {
		t.Errorf("%d tensors of scores are stored once the edit is accepted, want %d", got, want)
	}
	perform(fx, fx.Judge, again)
	if got, want := fx.scored(), before; got != want {
		t.Errorf("%d tensors of scores are stored once it is turned down, want %d", got, want)
	}
	fx.ruled(candidate, "-, and it has to fall by 0.001, top-1", "+validation loss",
		"-, and it has to fall by 100, top-1")
	// The bank as it is has been tuned for this verdict. Another candidate is compared with the same, by this worker,
	// which has kept it, and by one that has not.
	other := in
	other.Candidate = fx.put(fx.entry("other", strings.Replace(weighted, "package weighted", "package other", 1)))
	kept, fresh := perform(fx, fx.Judge, other), perform(fx, fx.elsewhere().Judge, other)
	if kept != fresh || kept.Before != v.Before {
		t.Errorf("verdict %+v, of another worker %+v, on a bank of loss %v", kept, fresh, v.Before)
	}
}

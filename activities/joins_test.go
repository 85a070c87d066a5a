package activities

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// The tests of this file run the steps of Block I and Block II on states small enough to be worked out by hand.
//
// An instance has three cities in a row: the tour starts in the left one, the two others lie 0.25 and 0.75 away, and which of them
// is next is the only decision. The height of the row says which one the teacher takes, with probability 0.9: the near one in a
// state of kind A, the far one in one of kind B, and the far one again in one of kind C, which lies highest.
//
// A program that scores by the distance gives the city it prefers the probability p where its τ_h is leaning(p). The router's
// weights are even, so that the mixture is the mean of the programs.

// picked is π_T of the teacher's city.
const picked = 0.9

// What the programs score by. One bank does not hold the same program twice, so some come in other words.
const (
	byNear     = "-fromHere[c]"                                       // right in A
	byNearToo  = "-fromHere[c] + 0*fromHere[c]"                       // the same
	byNearIn3  = "-3 * fromHere[c]"                                   // the same on another scale
	byFar      = "fromHere[c]"                                        // right in B and C
	byRule     = "fromHere[c] * max(-1, min(1, 1000*(s.Y[c]-0.375)))" // right everywhere
	byHeight   = "fromHere[c] * max(-1, min(1, 1000*(s.Y[c]-0.625)))" // right in A and C
	trapsOnC   = byNear + "\n\t\tif s.Y[c] == 0.8125 {\n\t\t\tscore[k+9] = 0\n\t\t}"
	cannotPass = "fromHere[c] * float64(2)"
)

// leaning returns the τ_h at which a program that scores by the distance gives the city it prefers the probability p.
func leaning(p float64) float64 { return 0.5 / math.Log(p/(1-p)) }

// leansBy is the inverse of leaning.
func leansBy(tauH float64) float64 { return 1 / (1 + math.Exp(-0.5/tauH)) }

// kl is KL(π_T‖V) where V gives the teacher's city the probability v.
func kl(v float64) float64 {
	return picked*math.Log(picked/v) + (1-picked)*math.Log((1-picked)/(1-v))
}

// fits reports whether a measured number is the one worked out, but for the hundredth to which FitTauH fits.
func fits(got, want float64) bool { return math.Abs(got/want-1) < 0.012 }

func equals(got, want float64) bool { return math.Abs(got-want) < 1e-5 }

// kinds stores a shard with a state of each kind listed, each of an instance of its own; + is one more tour of the instance before.
func (b *bench) kinds(kinds string) workflows.Shard {
	b.t.Helper()
	sh := &rollout.Shard{Problem: routing.TSP, Teacher: "by hand", N: 3, Offset: []int64{0}}
	var kind rune
	for i, letter := range kinds {
		if letter != '+' {
			kind = letter
		}
		y, probs, tour := map[rune]float32{'A': 0.25, 'B': 0.5, 'C': 0.8125}[kind], []float32{picked, 1 - picked}, []int32{0, 1, 2}
		if kind != 'A' {
			slices.Reverse(probs)
			slices.Reverse(tour[1:])
		}
		if letter != '+' {
			sh.Coords = append(sh.Coords, 0, y, 0.25, y, 0.75, y)
		}
		sh.InstanceOf, sh.Actions, sh.StartProbs = append(sh.InstanceOf, int32(sh.Instances()-1)), append(sh.Actions, tour...), append(sh.StartProbs, 0, 0, 0)
		sh.Traj, sh.Step = append(sh.Traj, int32(i)), append(sh.Step, 1)
		sh.Candidates, sh.Probs = append(sh.Candidates, 1, 2), append(sh.Probs, probs...)
		sh.Offset = append(sh.Offset, int64(len(sh.Candidates)))
	}
	if err := sh.Validate(); err != nil {
		b.t.Fatal(err)
	}
	ref, err := b.Store.PutShard(b.t.Context(), sh)
	if err != nil {
		b.t.Fatal(err)
	}
	return shardOf(ref, sh)
}

// data stores a dataset: a shard for each word.
func (b *bench) data(train, val string) workflows.Dataset {
	b.t.Helper()
	var d workflows.Dataset
	for _, kinds := range strings.Fields(train) {
		d.Train = append(d.Train, b.kinds(kinds))
	}
	for _, kinds := range strings.Fields(val) {
		d.Val = append(d.Val, b.kinds(kinds))
	}
	return d
}

func source(name, by string) string {
	return strings.NewReplacer("package near", "package "+name, "prefers the nearest city", "is "+name, byNear, by).Replace(near)
}

// scoring returns a program that scores by an expression.
func (b *bench) scoring(name, by string, tauH float64) bank.Heuristic {
	b.t.Helper()
	h := b.entry(name, source(name, by))
	h.TauH = tauH
	return h
}

// even stores a bank and a router that gives all its programs the same weight.
func (b *bench) even(hs ...bank.Heuristic) workflows.Model {
	b.t.Helper()
	router := student.New(student.Config{D: 16, Layers: 1, Heads: 1, FF: 16, TauR: 1e30}, 1)
	data, err := student.NewTrainer(router, student.TrainConfig{LR: 1e-3, BatchStates: 1}, 1).Marshal()
	if err != nil {
		b.t.Fatal(err)
	}
	m := workflows.Model{Bank: b.put(bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, Heuristics: hs}), Size: len(hs)}
	if m.Student, err = b.Store.Put(b.t.Context(), data); err != nil {
		b.t.Fatal(err)
	}
	m.Trained = m.Bank
	return m
}

// perform runs an activity of the run whose log the bench reads.
func perform[In, Out any](b *bench, do func(context.Context, In) (Out, error), in In) Out {
	b.t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(do)
	var out Out
	value, err := env.ExecuteActivity(do, in)
	if err == nil {
		err = value.Get(&out)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// get reads a stored value.
func get[T any](b *bench, ref store.Ref) T {
	b.t.Helper()
	var v T
	if err := b.Store.GetJSON(b.t.Context(), ref, &v); err != nil {
		b.t.Fatal(err)
	}
	return v
}

// ruled checks what the log says of a program: "+" and words of a ruling that keeps it, or "-", oldest first.
func (b *bench) ruled(h bank.Heuristic, want ...string) {
	b.t.Helper()
	rulings, err := journal.Of(b.Store.Store, "default-test-workflow-id").Rulings(b.t.Context(), journal.Reply{Programs: []string{journal.CodeOf(h)}})
	if err != nil {
		b.t.Fatal(err)
	}
	ok := len(rulings) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = rulings[i].Kept == (want[i][0] == '+') && strings.Contains(rulings[i].Text, want[i][1:])
	}
	if !ok {
		b.t.Errorf("%s: the log says %+v, want %q", h.Name, rulings, want)
	}
}

func namesOf(hs []bank.Heuristic) string {
	var names []string
	for _, h := range hs {
		names = append(names, h.Name)
	}
	return strings.Join(names, " ")
}

// Of three programs one is always right; of the others the one that is wrong more, in the states of the round, has its turn first.
func TestAttributeFindsWhoIsToBlame(t *testing.T) {
	b := newBench(t)
	model := b.even(b.scoring("right", byRule, leaning(0.9)), b.scoring("near", byNear, leaning(0.7)), b.scoring("far", byFar, leaning(0.6)))
	// What being wrong in one state costs, at a weight of 1/3.
	nearOff, farOff := kl(0.3)/3, kl(0.4)/3
	type turn struct {
		name     string
		score    float64
		failures int
	}
	for name, tt := range map[string]struct {
		in     config.TextGrad
		epoch  int
		before []workflows.Blame
		again  bool
		turns  []turn
		after  [3]float64 // right, near, far
	}{
		"first shard": {
			in:    config.TextGrad{Buffer: 3, Heuristics: 3, Failures: 5}, // ABB
			turns: []turn{{"near", nearOff * 2 / 3, 2}, {"far", farOff / 3, 1}},
		},
		"second shard": {
			in: config.TextGrad{Buffer: 3, Heuristics: 3, Failures: 5}, epoch: 3, // AAB
			turns: []turn{{"far", farOff * 2 / 3, 2}, {"near", nearOff / 3, 1}},
		},
		"both": {
			in:    config.TextGrad{Buffer: 4, Heuristics: 3, Failures: 2},
			turns: []turn{{"near", nearOff / 2, 2}, {"far", farOff / 2, 2}},
		},
		"one turn": {
			in:    config.TextGrad{Buffer: 3, Heuristics: 1, Failures: 5},
			turns: []turn{{"near", nearOff * 2 / 3, 2}},
			after: [3]float64{0, 0, farOff / 3},
		},
		"blamed before": { // whom there is nothing to reproach with now has no turn, but keeps the blame
			in:     config.TextGrad{Buffer: 3, Heuristics: 1, Failures: 5},
			before: []workflows.Blame{{Heuristic: "far", Score: 0.2}, {Heuristic: "right", Score: 0.5}},
			turns:  []turn{{"far", 0.2 + farOff/3, 1}},
			after:  [3]float64{0.5, nearOff * 2 / 3, 0},
		},
		"again": { // what is in the blame already is not added, and who has had a turn has no other
			in:     config.TextGrad{Buffer: 3, Heuristics: 3, Failures: 5},
			before: []workflows.Blame{{Heuristic: "right"}, {Heuristic: "near", Score: 0.2}, {Heuristic: "far"}},
			again:  true,
			turns:  []turn{{"near", 0.2, 2}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := perform(b, b.Attribute, workflows.AttributeInput{ModelAndData: workflows.ModelAndData{Model: model, Data: b.data("ABB AAB", "C")}, TextGrad: tt.in, Blame: tt.before, Epoch: tt.epoch, Again: tt.again})
			if len(out.Dispatch) != len(tt.turns) {
				t.Fatalf("dispatched %+v, want %+v", out.Dispatch, tt.turns)
			}
			shown := get[failures](b, out.Failures)
			for i, want := range tt.turns {
				d := out.Dispatch[i]
				if d.Name != want.name || !equals(d.Score, want.score) || d.Failures != want.failures || len(shown.Owners[d.Index]) != want.failures || get[bank.Heuristic](b, d.Heuristic).Name != want.name {
					t.Errorf("turn %d is %+v, want %+v", i, d, want)
				}
				for _, f := range shown.Owners[d.Index] {
					choice, pick, lean := 0.25, 0.75, 0.7 // what near does where it is wrong
					if d.Name == "far" {
						choice, pick, lean = 0.75, 0.25, 0.6
					}
					if !equals(f.Heuristic[0].Distance, choice) || !equals(f.Teacher[0].Distance, pick) || !equals(f.KL, kl(1-lean)) || f.Rank != 2 {
						t.Errorf("%s is shown %+v", d.Name, f)
					}
				}
			}
			for m, name := range []string{"right", "near", "far"} {
				if got := out.Blame[m]; got.Heuristic != name || !equals(got.Score, tt.after[m]) {
					t.Errorf("%s keeps the blame %+v, want %v", name, got, tt.after[m])
				}
			}
			if c := shown.Context; c.N != 3 || !equals(c.Sharpness.Top1, picked) || !equals(c.Sharpness.Top2, 1-picked) {
				t.Errorf("the prompts say %+v of the teacher", c)
			}
		})
	}
}

// A candidate is judged by the validation loss with it in the place of what it would replace, at that one's τ_h on its own scale.
func TestJudgeComparesOnValidation(t *testing.T) {
	b := newBench(t)
	model := b.even(b.scoring("near", byNear, leaning(0.8)), b.scoring("far", byFar, leaning(0.6)))
	// Alone, near fits AAAB best where it leans by 0.7: it is right in three of four states, 0.75·0.9 + 0.25·0.1.
	better := leaning(0.8) * leaning(0.9) / leaning(0.7)
	mixed := func(a, b float64) float64 { return kl((a + b) / 2) }
	before := (3*mixed(0.8, 0.4) + mixed(0.2, 0.6)) / 4
	for _, tt := range []struct {
		name, by, val string
		delta         float64
		tauH, after   float64
		top1          float64
		problem       string
		ruling        string
	}{
		{name: "better", by: byRule, val: "AAAB", delta: 0.1, tauH: better, top1: 1, ruling: "+validation loss 0.3074 → 0.10",
			after: (3*mixed(leansBy(better), 0.4) + mixed(leansBy(better), 0.6)) / 4},
		{name: "scaled", by: byNearIn3, val: "AAAB", delta: 0.1, tauH: 3 * leaning(0.8), top1: 0.75, after: before, ruling: "-validation loss 0.3074 → 0.30"},
		{name: "traps_in_first", by: trapsOnC, val: "AAAC", problem: "state 3: trap", ruling: "-state 3: trap"},
		{name: "traps_in_second", by: trapsOnC, val: "AAAB CA", problem: "state 0: trap", ruling: "-state 0: trap"},
	} {
		candidate := b.scoring(tt.name, tt.by, 1)
		v := perform(b, b.Judge, workflows.JudgeInput{
			ModelAndData: workflows.ModelAndData{Model: model, Data: b.data("ABBB", tt.val)}, Index: 0, Candidate: b.put(candidate), Delta: tt.delta,
		})
		b.ruled(candidate, tt.ruling)
		if tt.problem != "" {
			if !strings.Contains(v.Problem, tt.problem) || v.Refusal(-1) == "" {
				t.Errorf("%s: verdict %+v, want problem %q", tt.name, v, tt.problem)
			}
			continue
		}
		if !equals(v.Before, before) || v.Top1Before != 0.75 || math.Abs(v.After-tt.after) > 1e-3 || v.Top1After != tt.top1 || v.Problem != "" {
			t.Errorf("%s: verdict %+v, want losses %.4f and %.4f", tt.name, v, before, tt.after)
		}
		if got := get[bank.Heuristic](b, v.Candidate); got.ID() != candidate.ID() || !fits(got.TauH, tt.tauH) {
			t.Errorf("%s: the candidate has τ_h = %v, want %v", tt.name, got.TauH, tt.tauH)
		}
	}
}

// Commit replaces one program, and nothing where the candidate cannot join the bank; that it was kept at first is not the log's
// last word then.
func TestCommitReplacesOne(t *testing.T) {
	b := newBench(t)
	model := b.even(b.scoring("near", byNear, leaning(0.7)), b.scoring("far", byFar, leaning(0.6)), b.scoring("high", byHeight, leaning(0.8)))
	model.Revision = 4
	for _, tt := range []struct {
		candidate bank.Heuristic
		problem   string
		rulings   []string
	}{
		{b.scoring("better", byRule, 1), "", []string{"+validation loss"}},
		{b.scoring("traps", trapsOnC, 1), "state 1: trap", []string{"+validation loss", "-state 1: trap"}}, // on a training state only
		{b.entry("double", source("high", byHeight)), "double and high are the same program", []string{"+validation loss", "-double and high are the same program"}},
	} {
		in := workflows.JudgeInput{ModelAndData: workflows.ModelAndData{Model: model, Data: b.data("AB BC", "AAAB")}, Index: 0, Candidate: b.put(tt.candidate)}
		v := perform(b, b.Judge, in)
		if v.Refusal(0) != "" {
			t.Fatalf("%s: refused: %+v", tt.candidate.Name, v)
		}
		out := perform(b, b.Commit, workflows.CommitInput{ModelAndData: workflows.ModelAndData{Model: model, Data: in.Data}, Index: 0, Candidate: v.Candidate, Gain: 0.25})
		candidate := get[bank.Heuristic](b, v.Candidate)
		b.ruled(candidate, tt.rulings...)
		if tt.problem != "" {
			if out.Model != model || !strings.Contains(out.Problem, tt.problem) {
				t.Errorf("%s: committed %+v, want the model as it was, with problem %q", candidate.Name, out, tt.problem)
			}
			continue
		}
		hs := get[bank.Bank](b, out.Model.Bank).Heuristics
		candidate.Lineage.Gain = 0.25
		if out.Problem != "" || out.Model.Size != 3 || out.Model.Revision != 5 || out.Model.Student != model.Student || namesOf(hs) != "better far high" || hs[0] != candidate {
			t.Errorf("%s: committed %+v with bank %+v", candidate.Name, out, hs)
		}
	}
}

// The new strategy is what is implemented, and what the result says of itself.
func TestRewriteImplementsTheNewDescription(t *testing.T) {
	b := newBench(t)
	near, far := b.scoring("near", byNear, leaning(0.7)), b.scoring("far", byFar, leaning(0.6))
	const strategy = "Score prefers what lies high."
	s := &server{Steps: []handler{says("<description>" + strategy + "</description>"), writes(source("rewritten", byHeight))}}
	b.asks(s)
	c := perform(b, b.Rewrite, workflows.RewriteInput{
		LLMAccess: workflows.LLMAccess{LLM: b.in.LLM}, Bank: b.even(near, far).Bank, Index: 0, Failures: b.in.Failures, Pass: 2,
		Gradients: []store.Ref{b.put(textgrad.DescriptionGradient{Missing: "the height", Misleading: "nearness", Direction: "mention the height"})},
	})
	if c.Problem != "" || c.Name != "near" || c.Spend.Calls != 2 || len(s.Prompts) != 2 {
		t.Fatalf("candidate %+v after %d prompts", c, len(s.Prompts))
	}
	for _, want := range []string{near.Description, "mention the height", "- far: " + far.Description} {
		if !strings.Contains(s.Prompts[0], want) {
			t.Errorf("who revises the description is not told %q:\n%s", want, s.Prompts[0])
		}
	}
	if strings.Contains(s.Prompts[0], "- near:") {
		t.Errorf("the program is shown as another of the bank:\n%s", s.Prompts[0])
	}
	if !strings.Contains(s.Prompts[1], strategy) || strings.Contains(s.Prompts[1], near.Description) {
		t.Errorf("what is implemented is not the new description:\n%s", s.Prompts[1])
	}
	got := get[bank.Heuristic](b, c.Heuristic)
	want := bank.Lineage{Origin: "textgrad", Parent: near.ID(), Pass: 2, LLM: "m-2026"}
	if got.Name != "near" || got.Description != strategy || got.TauH != near.TauH || got.Lineage != want || journal.CodeOf(got) != journal.CodeOf(b.scoring("near", byHeight, 1)) {
		t.Errorf("rewritten as %+v", got)
	}
}

// An accepted code is described anew; where the reply is of no use, as it described itself.
func TestDescribeKeepsThePairAligned(t *testing.T) {
	b := newBench(t)
	h := b.scoring("near", byNear, leaning(0.7))
	for _, tt := range []struct {
		reply, want string
		calls       int
	}{
		{"Here you are.", h.Description, 3},
		{"<description>Score prefers what costs least to reach.</description>", "Score prefers what costs least to reach.", 1},
	} {
		s := &server{Steps: []handler{says(tt.reply)}}
		b.asks(s)
		cfg := b.in.LLM
		cfg.MaxTokens += tt.calls // another prompt
		c := perform(b, b.Describe, workflows.DescribeInput{LLMAccess: workflows.LLMAccess{LLM: cfg}, Heuristic: b.put(h), Failures: b.in.Failures})
		got := get[bank.Heuristic](b, c.Heuristic)
		if c.Name != "near" || c.Problem != "" || c.Spend.Calls != tt.calls || got.Description != tt.want || journal.CodeOf(got) != journal.CodeOf(h) || got.TauH != h.TauH || got.Lineage != h.Lineage {
			t.Errorf("%s: %+v, described as %+v", tt.reply, c, got)
		}
		if !strings.Contains(s.Prompts[0], "score[k] = "+byNear) {
			t.Errorf("the code is not shown:\n%s", s.Prompts[0])
		}
	}
}

// Faults are the training states that no program gets right, from another shard at every pass; those of every other instance are
// held out.
func TestFaultsAreWhatNobodySolves(t *testing.T) {
	b := newBench(t)
	near, high := b.scoring("near", byNear, leaning(0.7)), b.scoring("high", byHeight, leaning(0.6)) // B remains
	data := b.data("ABCB+BBB BBA", "AAA")
	none := []int32(nil)
	for name, tt := range map[string]struct {
		hs     []bank.Heuristic
		pass   int
		limit  int
		shards []int
		refine [][]int32
		held   [][]int32
		looked int
		lean   float64 // of the closest program
	}{
		"first pass":  {hs: []bank.Heuristic{near, high}, limit: 9, shards: []int{0, 1}, refine: [][]int32{{5, 7}, {0}}, held: [][]int32{{1, 3, 4, 6}, {1}}, looked: 11, lean: 0.6},
		"second pass": {hs: []bank.Heuristic{near, high}, pass: 1, limit: 9, shards: []int{1, 0}, refine: [][]int32{{0}, {5, 7}}, held: [][]int32{{1}, {1, 3, 4, 6}}, looked: 11, lean: 0.6},
		"limit":       {hs: []bank.Heuristic{near, high}, limit: 4, shards: []int{0}, refine: [][]int32{{5}}, held: [][]int32{{1, 3, 4}}, looked: 8, lean: 0.6},
		"low limit":   {hs: []bank.Heuristic{near, high}, limit: 2, shards: []int{0}, refine: [][]int32{none}, held: [][]int32{{1, 3}}, looked: 8},
		"one program": {hs: []bank.Heuristic{near}, limit: 9, shards: []int{0, 1}, refine: [][]int32{{2, 5, 7}, {0}}, held: [][]int32{{1, 3, 4, 6}, {1}}, looked: 11, lean: 0.7},
		"no program":  {limit: 11, shards: []int{0, 1}, refine: [][]int32{{0, 2, 5, 7}, {0, 2}}, held: [][]int32{{1, 3, 4, 6}, {1}}, looked: 11, lean: 0.5},
	} {
		out := perform(b, b.Faults, workflows.FaultsInput{ModelAndData: workflows.ModelAndData{Model: b.even(tt.hs...), Data: data}, Pass: tt.pass, Add: config.Add{Faults: tt.limit}})
		f := get[faultSet](b, out.Object)
		count := len(slices.Concat(tt.refine...)) + len(slices.Concat(tt.held...))
		if len(slices.Concat(tt.refine...)) == 0 {
			count = 0
		}
		if out.Count != count || out.States != tt.looked || len(f.Refine) != len(tt.refine) || len(f.HeldOut) != len(tt.held) || len(f.Shards) != len(tt.shards) {
			t.Errorf("%s: %+v with %v and %v, want %d faults of %d states", name, out, f.Refine, f.HeldOut, count, tt.looked)
			continue
		}
		for i, shard := range tt.shards {
			if f.Shards[i] != data.Train[shard] || !slices.Equal(f.Refine[i], tt.refine[i]) || !slices.Equal(f.HeldOut[i], tt.held[i]) {
				t.Errorf("%s: faults %v and %v, want %v and %v in shards %v", name, f.Refine, f.HeldOut, tt.refine, tt.held, tt.shards)
			}
		}
		if len(f.Shown) != len(tt.refine[0]) { // the others are held out
			t.Errorf("%s: %d faults are shown of %d", name, len(f.Shown), len(tt.refine[0]))
			continue
		}
		if len(f.Shown) > 0 && !equals(f.Shown[0].Teacher[0].PHeuristic, 1-tt.lean) {
			t.Errorf("%s: the closest program gives the teacher's city %v, want %v", name, f.Shown[0].Teacher[0].PHeuristic, 1-tt.lean)
		}
		if f.Context.N != 3 || !equals(f.Context.Sharpness.Top1, picked) {
			t.Errorf("%s: the prompts say %+v of the teacher", name, f.Context)
		}
	}
}

// Candidates are named apart, mended at the gate, and fitted to the half of the faults that is not held out.
func TestProposeFitsCandidatesToFaults(t *testing.T) {
	b := newBench(t)
	mode := func(program string) string {
		return "<failure_mode>high rows\n<description>Score is new.</description>\n<new_program>\n" + program + "</new_program></failure_mode>\n"
	}
	s := &server{Steps: []handler{
		says(mode(source("near", byFar)) + mode(source("odd", cannotPass)) + mode(source("traps", trapsOnC))), writes(source("odd", byRule)),
	}}
	b.asks(s)
	h := b.scoring("near", byNear, leaning(0.7))
	f := b.put(faultSet{
		Context: textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 3},
		Shards:  []workflows.Shard{b.kinds("BABAC")}, Refine: [][]int32{{0, 2}}, HeldOut: [][]int32{{1, 3}},
		Shown: []textgrad.Failure{{Step: 1, N: 3, K: 2}},
	})
	out := perform(b, b.Propose, workflows.ProposeInput{LLMAccess: workflows.LLMAccess{LLM: b.in.LLM}, Add: config.Add{Modes: 3}, Bank: b.even(h).Bank, Faults: f, Pass: 2})
	if len(out.Candidates) != 3 || out.Spend.Calls != 2 || len(s.Prompts) != 2 {
		t.Fatalf("proposed %+v after %d prompts", out, len(s.Prompts))
	}
	if !strings.Contains(s.Prompts[0], "- near: "+h.Description) || !strings.Contains(s.Prompts[1], cannotPass) {
		t.Errorf("the proposer is not told of the bank, or the writer not of the fault:\n%s\n%s", s.Prompts[0], s.Prompts[1])
	}
	for i, want := range []struct{ name, by string }{{"near_2", byFar}, {"odd", byRule}} {
		c := out.Candidates[i]
		got := get[bank.Heuristic](b, c.Heuristic)
		lineage := bank.Lineage{Origin: "add", Pass: 2, LLM: "m-2026"}
		if c.Problem != "" || c.Name != want.name || got.Name != want.name || got.Lineage != lineage || journal.CodeOf(got) != journal.CodeOf(b.scoring(want.name, want.by, 1)) {
			t.Errorf("candidate %+v is %+v, want %s by %s", c, got, want.name, want.by)
		}
		if !fits(got.TauH, leaning(0.9)) {
			t.Errorf("%s has τ_h = %v, want %v, as right as the teacher is sure in B", c.Name, got.TauH, leaning(0.9))
		}
	}
	if c := out.Candidates[2]; !strings.Contains(c.Problem, "state 4: trap") {
		t.Errorf("candidate %+v faults, and yet", c)
	}
	b.ruled(b.scoring("traps", trapsOnC, 1), "-state 4: trap")
}

// An edit of a candidate is fitted anew to the faults that are not held out, wherever the first of them are; an edit of a heuristic
// keeps its τ_h until it is judged.
func TestStepFitsEditsToFaults(t *testing.T) {
	b := newBench(t)
	h := b.scoring("near", byNear, leaning(0.7))
	f := b.put(faultSet{
		Shards: []workflows.Shard{b.kinds("AAA"), b.kinds("BABAC")}, Refine: [][]int32{nil, {0, 2}}, HeldOut: [][]int32{{1}, {1, 3}},
	})
	for origin, tt := range map[string]struct {
		program string
		tau     float64
		problem string
	}{
		"add":      {byFar, leaning(0.9), ""},
		"textgrad": {byFar, h.TauH, ""},
		" add":     {trapsOnC, 0, "state 4: trap"},
	} {
		b.asks(&server{Steps: []handler{writes(source("near", tt.program))}})
		in := b.in
		in.Heuristic, in.Origin, in.Faults = b.put(h), workflows.Origin(strings.TrimSpace(origin)), f
		in.LLM.MaxTokens += len(origin) // another request
		out := perform(b, b.Step, in)
		if tt.problem != "" {
			if !strings.Contains(out.Problem, tt.problem) {
				t.Errorf("%s: %+v, want the problem %q", origin, out, tt.problem)
			}
			continue
		}
		if got := get[bank.Heuristic](b, out.Heuristic); out.Problem != "" || !fits(got.TauH, tt.tau) {
			t.Errorf("%s: τ_h = %v, want %v (%+v)", origin, got.TauH, tt.tau, out)
		}
	}
}

// A fault belongs to the candidate that is closest to the teacher; what a program faults on is in the log.
func TestAssignGivesFaultsToTheClosest(t *testing.T) {
	b := newBench(t)
	weak, strong, traps := b.scoring("weak", byNear, leaning(0.7)), b.scoring("strong", byNearToo, leaning(0.95)), b.scoring("traps", trapsOnC, 1)
	// To refine with are an A, where both are right, and two of B, where to be sure is further from the teacher.
	f := b.put(faultSet{Shards: []workflows.Shard{b.kinds("ACBCBC")}, Refine: [][]int32{{0, 2, 4}}, HeldOut: [][]int32{{1, 3, 5}}})
	out := perform(b, b.Assign, workflows.AssignInput{Faults: f, Candidates: []store.Ref{b.put(traps), b.put(strong), b.put(weak)}, TopK: 5})
	if !slices.Equal(out.Counts, []int{0, 0, 2}) || len(out.Rejected) != 1 || out.Rejected[0].Heuristic != b.put(traps) {
		t.Errorf("assigned %+v", out)
	}
	for _, failure := range get[failures](b, out.Failures).Owners[2] {
		if !equals(failure.Teacher[0].PHeuristic, 0.3) {
			t.Errorf("weak is shown %+v", failure)
		}
	}
	b.ruled(traps, "-state 1: trap")
}

// Agreement is measured on the faults that nobody was shown.
func TestAgreeIsHeldOut(t *testing.T) {
	b := newBench(t)
	near, far := b.scoring("near", byNear, leaning(0.7)), b.scoring("far", byFar, leaning(0.7))
	right, traps := b.scoring("right", byRule, leaning(0.7)), b.scoring("traps", trapsOnC, leaning(0.7))
	// Held out are B and C of the first shard and A and B of the second.
	f := b.put(faultSet{Shards: []workflows.Shard{b.kinds("ABAC"), b.kinds("AABB")}, Refine: [][]int32{{0, 2}, {0, 2}}, HeldOut: [][]int32{{1, 3}, {1, 3}}})
	out := perform(b, b.Agree, workflows.AgreeInput{Faults: f, Items: []store.Ref{b.put(near), b.put(far), b.put(right), b.put(traps)}})
	if want := []float64{0.25, 0.75, 1, 0}; !slices.Equal(out.Top1, want) {
		t.Errorf("agreement %v, want %v", out.Top1, want)
	}
	b.ruled(near)
	b.ruled(far, "+0.2500 → 0.7500")
	b.ruled(right, "+0.2500 → 1.0000")
	b.ruled(traps, "-0.2500 → 0.0000")
}

// A candidate is let in for validation states that the bank does not get right already.
func TestAdmitByMarginalCoverage(t *testing.T) {
	b := newBench(t)
	model := b.even(b.scoring("high", byHeight, leaning(0.8))) // A and C: three of four
	data := b.data("AB", "AA CB")
	traps, near, far := b.scoring("traps", trapsOnC, 1), b.scoring("near", byNear, 1), b.scoring("far", byFar, 1)
	refs := []store.Ref{b.put(traps), b.put(near), b.put(far)}
	for _, tt := range []struct {
		name string
		add  config.Add
		bank string
	}{
		{"too high a bar", config.Add{RhoAdmit: 0.3, MaxBank: 9}, "high"},
		{"no room", config.Add{RhoAdmit: 0.2, MaxBank: 1}, "high"},
		{"the one that solves B", config.Add{RhoAdmit: 0.2, MaxBank: 9}, "high far"},
	} {
		out := perform(b, b.Admit, workflows.AdmitInput{ModelAndData: workflows.ModelAndData{Model: model, Data: data}, Add: tt.add, Candidates: refs, Moment: workflows.Moment{Epoch: 3, Pass: 1}})
		hs := get[bank.Bank](b, out.Model.Bank).Heuristics
		if namesOf(hs) != tt.bank || out.Model.Size != len(hs) {
			t.Errorf("%s: the bank is %s, want %s", tt.name, namesOf(hs), tt.bank)
		}
		if e := out.Events; len(e) != len(hs) || e[0].Kind != workflows.EventRejected || e[0].Name != "traps" || !strings.Contains(e[0].Detail, "trap") {
			t.Errorf("%s: events %+v", tt.name, e)
			continue
		}
		if len(hs) == 1 {
			if out.Model != model {
				t.Errorf("%s: the model is %+v, want it as it was", tt.name, out.Model)
			}
			continue
		}
		// On B alone, which it is for, far fits best where it is as sure as the teacher.
		if hs[1].Lineage.Gain != 0.25 || !fits(hs[1].TauH, leaning(0.9)) || hs[0].TauH != leaning(0.8) || out.Model.Revision != 1 {
			t.Errorf("%s: the bank is %+v", tt.name, hs)
		}
		want := workflows.Event{Epoch: 3, Pass: 1, Kind: workflows.EventAdd, Name: "far", Detail: "coverage 0.7500 → 1.0000", Before: 0.75, After: 1}
		if out.Events[1] != want {
			t.Errorf("%s: event %+v, want %+v", tt.name, out.Events[1], want)
		}
	}
	b.ruled(traps, "-state 0: trap")
	b.ruled(near, "-not admitted")
	b.ruled(far, "-not admitted", "+admitted")
}

// What leaves is what the validation loss is better without.
func TestDropByLeaveOneOut(t *testing.T) {
	b := newBench(t)
	near, far, right := b.scoring("near", byNear, leaning(0.7)), b.scoring("far", byFar, leaning(0.6)), b.scoring("right", byRule, leaning(0.9))
	model := b.even(near, far, right)
	data := b.data("ABBB", "AA AB") // where far is right more often, and where near is
	whole := (3*kl((0.7+0.4+0.9)/3) + kl((0.3+0.6+0.9)/3)) / 4
	withoutFar := (3*kl((0.7+0.9)/2) + kl((0.3+0.9)/2)) / 4
	for _, tt := range []struct {
		name   string
		limits config.Drop
		bank   string
		losses []float64 // as one program after the other leaves
	}{
		{"none may be worse", config.Drop{Epsilon: -1, MaxDrops: 2, MinBank: 1}, "near far right", nil},
		{"none to spare", config.Drop{MaxDrops: 2, MinBank: 3}, "near far right", nil},
		{"one", config.Drop{MaxDrops: 1, MinBank: 1}, "near right", []float64{whole, withoutFar}},
		{"two", config.Drop{MaxDrops: 2, MinBank: 1}, "right", []float64{whole, withoutFar, 0}},
	} {
		out := perform(b, b.Drop, workflows.DropInput{ModelAndData: workflows.ModelAndData{Model: model, Data: data}, Drop: tt.limits, Moment: workflows.Moment{Epoch: 3, Pass: 1}})
		hs := get[bank.Bank](b, out.Model.Bank).Heuristics
		if namesOf(hs) != tt.bank || out.Model.Size != len(hs) || len(out.Events) != 3-len(hs) || len(hs) == 3 && out.Model != model {
			t.Errorf("%s: the bank is %s, want %s; events %+v", tt.name, namesOf(hs), tt.bank, out.Events)
			continue
		}
		for i, e := range out.Events {
			if name := []string{"far", "near"}[i]; e.Kind != workflows.EventDrop || e.Name != name || e.Epoch != 3 || !equals(e.Before, tt.losses[i]) || !equals(e.After, tt.losses[i+1]) {
				t.Errorf("%s: event %+v, want %s to leave at losses %v", tt.name, e, name, tt.losses)
			}
		}
	}
	b.ruled(far, "-dropped: validation loss")
	b.ruled(near, "-dropped: validation loss")
	b.ruled(right)
}

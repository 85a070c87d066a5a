package activities

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// damage flips a byte of an object on the store's disk.
func (b *bench) damage(key string) {
	b.t.Helper()
	path := filepath.Join(b.disk, key, "xl.meta")
	if parts, err := filepath.Glob(filepath.Join(b.disk, key, "*", "part.1")); err == nil && len(parts) == 1 {
		path = parts[0]
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	data[len(data)-3] ^= 1 // what MinIO knows about a small object comes before its content
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// lose takes an object from the store's disk.
func (b *bench) lose(key string) {
	b.t.Helper()
	if err := os.RemoveAll(filepath.Join(b.disk, key)); err != nil {
		b.t.Fatal(err)
	}
}

// elsewhere is a worker on the same store that remembers nothing.
func (b *bench) elsewhere() *Activities { return New(b.Store, b.LLM, b.Compiler, nil, 1<<20) }

// logged collects what is logged during a test.
func logged(t *testing.T) *bytes.Buffer {
	log, before := &bytes.Buffer{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return log
}

// Scores that are damaged are made again, and put in their place.
func TestDamagedScoresAreMadeAgain(t *testing.T) {
	b, log := newBench(t), logged(t)
	s, h := b.rollout(), b.entry("near", near)
	want, err := b.scores(t.Context(), h, s)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := b.Store.List(t.Context(), "scores/")
	if err != nil || len(stored) != 1 {
		t.Fatalf("%v, %v", stored, err)
	}
	b.damage(stored[0].Key)
	if got, err := b.elsewhere().scores(t.Context(), h, s); err != nil || !slices.Equal(got, want) {
		t.Errorf("%d scores that may differ from the %d before (%v)", len(got), len(want), err)
	}
	if !strings.Contains(log.String(), stored[0].Key) || !strings.Contains(log.String(), "made again") {
		t.Errorf("the log does not say so: %s", log)
	}
	if _, err := b.Store.GetDerived(t.Context(), stored[0].Key); err != nil {
		t.Errorf("they are not in their place: %v", err)
	}
}

// A shard that is damaged or lost is made again from what it was made from: from its task, or from the student's own
// trajectories.
func TestLostShardsAreMadeAgain(t *testing.T) {
	b := newBench(t)
	in := b.training()
	dagger, err := b.Dagger(t.Context(), workflows.DaggerInput{Teacher: in.Teacher, Name: in.Name, Model: b.train(in).Model, Data: in.Data})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]workflows.Shard{"rollout": in.Data.Train[0], "dagger": dagger} {
		for how, lose := range map[string]func(key string){"damaged": b.damage, "lost": b.lose} {
			lose(s.Object.Key())
			if _, err := b.elsewhere().shard(t.Context(), s); err != nil {
				t.Errorf("%s shard, %s: %v", name, how, err)
			}
			if _, err := b.Store.Get(t.Context(), s.Object); err != nil {
				t.Errorf("%s shard, %s: it is not in its place: %v", name, how, err)
			}
		}
	}

	s := in.Data.Train[0]
	b.lose(s.Object.Key())
	b.lose(recipeKey(s.Object))
	if _, err := b.elsewhere().shard(t.Context(), s); !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), s.Object.Key()) {
		t.Errorf("without its recipe: error %v, want one that names it", err)
	}
	b.Activities = b.elsewhere()
	if again := b.rollout(); again != s {
		t.Errorf("its task gives %+v, not %+v", again, s)
	}
	if _, err := b.elsewhere().shard(t.Context(), s); err != nil {
		t.Errorf("its task did not put it back: %v", err)
	}
}

// A shard that comes out otherwise than it was is not put in its place.
func TestAnotherShardIsNoRemedy(t *testing.T) {
	b := newBench(t)
	s := b.rollout()
	task := workflows.RolloutTask{Problem: routing.TSP, Teacher: b.training().Teacher, Name: "pomo_tsp20.pt", Nodes: 20, Count: 2, Starts: 1, Seed: 2}
	if err := b.putRecipe(t.Context(), s.Object, recipe{Rollout: &task}); err != nil {
		t.Fatal(err)
	}
	b.damage(s.Object.Key())
	if _, err := b.elsewhere().shard(t.Context(), s); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "numeric kernels") {
		t.Errorf("error %v, want one about another shard", err)
	}
}

// An answer of the LLM that is damaged is asked for again, and the log says that it costs.
func TestDamagedAnswerIsAskedForAgain(t *testing.T) {
	b, log := newBench(t), logged(t)
	s := &server{steps: []handler{says("first"), says("second")}}
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP\n"}
	asks := func() (text string) {
		b.asks(s) // a worker that remembers nothing
		talk := &talk{a: b.Activities, cfg: b.in.LLM, about: "near", ledger: ledger.Open(nil, nil), run: "run", by: "step"}
		if _, err := talk.ask(t.Context(), req, func(a llm.Answer) (any, error) { text = a.Text; return a.Text, nil }); err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := asks(); got != "first" {
		t.Fatalf("answer %q", got)
	}
	if got := asks(); got != "first" || log.Len() > 0 {
		t.Fatalf("answer %q, log %s", got, log)
	}
	b.damage(answerKey(req.Key()))
	if got := asks(); got != "second" || !strings.Contains(log.String(), answerKey(req.Key())) || !strings.Contains(log.String(), "costs another call") {
		t.Errorf("answer %q, log %s", got, log)
	}
	if got := asks(); got != "second" || len(s.prompts) != 2 {
		t.Errorf("answer %q after %d questions, want the second one from the store", got, len(s.prompts))
	}
}

// A compiled program that is damaged is compiled again.
func TestDamagedProgramIsCompiledAgain(t *testing.T) {
	b := newBench(t)
	cache := ProgramCache(b.Store)
	if err := cache.Put(t.Context(), "key", []byte("wasm of a program")); err != nil {
		t.Fatal(err)
	}
	b.damage("wasm/key.wasm")
	if _, ok, err := cache.Get(t.Context(), "key"); ok || err != nil {
		t.Errorf("a damaged one: found %v, %v", ok, err)
	}
	if err := cache.Put(t.Context(), "key", []byte("wasm of a program")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := cache.Get(t.Context(), "key"); !ok || err != nil {
		t.Errorf("compiled again: found %v, %v", ok, err)
	}
}

// What cannot be made again fails with its name, is tried again, and goes on once it is restored.
func TestDamagedBankIsNamed(t *testing.T) {
	b := newBench(t)
	two := bank.Bank{Setting: bank.Setting{Problem: routing.TSP}, Heuristics: []bank.Heuristic{b.entry("near", near)}}
	in := workflows.ScoreInput{Bank: b.put(two), Shards: []workflows.Shard{b.rollout()}}
	b.damage(in.Bank.Key())
	score := func() error {
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		b.elsewhere().Register(workflows.Workers{Compute: env, LLM: env})
		_, err := env.ExecuteActivity(workflows.Score.Name(), in)
		return err
	}
	err := score()
	if err == nil || isFinal(err) || !strings.Contains(err.Error(), "bank: get "+in.Bank.Key()) || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("error %v, want one to be retried that names the bank", err)
	}
	b.put(two)
	if err := score(); err != nil {
		t.Errorf("restored: %v", err)
	}
}

// A segment whose own checkpoint is lost begins anew, and ends in the same bytes.
func TestLostCheckpointOfASegment(t *testing.T) {
	b := newBench(t)
	in := b.training()
	whole := b.train(in).TrainOutput
	in.Epochs = 1
	first := b.train(in).TrainOutput
	in.Epochs = 3
	for name, ref := range map[string]store.Ref{"student": first.Model.Student, "bank": first.Model.Bank} {
		b.damage(ref.Key())
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		env.SetHeartbeatDetails(workflows.Progress{Train: &first})
		a := b.elsewhere()
		env.RegisterActivity(a.Train)
		var out workflows.TrainOutput
		value, err := env.ExecuteActivity(a.Train, in)
		if err == nil {
			err = value.Get(&out)
		}
		if err != nil || out.Model != whole.Model || len(out.Points) != 3 {
			t.Errorf("%s lost: %+v (%v), want %+v", name, out.Model, err, whole.Model)
		}
	}
}

package activities

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/llm"
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
func (b *bench) elsewhere() *Activities {
	return New(artifact.New(b.Store.Store, b.Store.Compiler, b.Store.Kernels, 1<<20), b.LLM, nil)
}

// logged collects what is logged during a test.
func logged(t *testing.T) *bytes.Buffer {
	log, before := &bytes.Buffer{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return log
}

// A shard that is damaged or lost is made again from what it was made from: from its task, or from the student's own
// trajectories.
func TestLostShardsAreMadeAgain(t *testing.T) {
	b := newBench(t)
	in := b.training()
	dagger, err := b.Dagger(t.Context(), workflows.DaggerInput{NamedTeacher: in.NamedTeacher, ModelAndData: workflows.ModelAndData{Model: b.train(in).Model, Data: in.Data}})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]workflows.Shard{"rollout": in.Data.Train[0], "dagger": dagger} {
		for how, lose := range map[string]func(key string){"damaged": b.damage, "lost": b.lose} {
			lose(s.Object.Key())
			if _, err := b.elsewhere().Store.Shard(t.Context(), s.Object); err != nil {
				t.Errorf("%s shard, %s: %v", name, how, err)
			}
			if _, err := b.Store.Get(t.Context(), s.Object); err != nil {
				t.Errorf("%s shard, %s: it is not in its place: %v", name, how, err)
			}
		}
	}
}

// An answer of the LLM that is damaged is asked for again, and the log says that it costs.
func TestDamagedAnswerIsAskedForAgain(t *testing.T) {
	b, log := newBench(t), logged(t)
	s := &server{Steps: []handler{says("first"), says("second")}}
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP\n"}
	asks := func() (text string) {
		b.asks(s) // a worker that remembers nothing
		talk := b.talk(t.Context(), b.in.LLM, nil, "near")
		if _, err := talk.Ask(t.Context(), req, func(a llm.Answer) (any, error) { text = a.Text; return a.Text, nil }); err != nil {
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
	key := "llm/" + req.Key() + ".json"
	b.damage(key)
	if got := asks(); got != "second" || !strings.Contains(log.String(), key) || !strings.Contains(log.String(), "costs another call") {
		t.Errorf("answer %q, log %s", got, log)
	}
	if got := asks(); got != "second" || len(s.Prompts) != 2 {
		t.Errorf("answer %q after %d questions, want the second one from the store", got, len(s.Prompts))
	}
}

// What cannot be made again fails with its name, is tried again, and goes on once it is restored.
func TestDamagedBankIsNamed(t *testing.T) {
	b := newBench(t)
	two := bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, Heuristics: []bank.Heuristic{b.entry("near", near)}}
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

package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/archive"
	"github.com/epb-nco/epb/workflows"
)

// A run repeats from the archive of its replies, in another store and without any model: with the same programs and
// the same router, byte for byte. Its own archive is the first one again.
func TestArchivedRunRepeats(t *testing.T) {
	g := newServers(t)
	cfg := drillConfig(weakBank(t))
	cfg.Data = config.Data{Train: 60, Val: 40, Test: 5, Shard: 60, Starts: 1}
	cfg.Student = config.Student{Dim: 16, Layers: 1, Heads: 2, FF: 32, Decoder: 1}
	cfg.TextGrad.Heuristics, cfg.TextGrad.Failures, cfg.TextGrad.Rounds = 1, 1, 1
	cfg.Add.Modes, cfg.Add.Faults = 1, 50
	cfg.Limits = config.Limits{Passes: 1, Epochs: 2}

	first := newDeployment(t, g, "first")
	first.model = called("model-2026", first.model)
	first.startWorker()
	want := first.distil(cfg, nil)
	paid := first.spent()
	first.killWorker()
	if paid.Calls == 0 || paid.Replayed {
		t.Fatalf("the first run spent %+v: it shows nothing", paid)
	}
	entries, err := journal.Of(first.store, "first").Archive(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl.gz")
	if err := archive.Save(path, entries); err != nil {
		t.Fatal(err)
	}
	kept, err := archive.Load(path)
	if err != nil {
		t.Fatal(err)
	}

	again := newDeployment(t, g, "again")
	if again.model, err = archive.Handler(kept); err != nil {
		t.Fatal(err)
	}
	again.startWorker()
	got := again.distil(cfg, nil)
	if got.Model.Bank != want.Model.Bank || got.Model.Student != want.Model.Student || got.Model.StandIn {
		t.Errorf("the repeated run has %+v, want %+v", got.Model, want.Model)
	}
	paid.Replayed = true
	if spent := again.spent(); spent != paid {
		t.Errorf("the repeated run spent %+v, want %+v", spent, paid)
	}
	entries, err = journal.Of(again.store, "again").Archive(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var one, two bytes.Buffer
	if err := archive.Write(&one, kept, false); err != nil {
		t.Fatal(err)
	}
	if err := archive.Write(&two, entries, false); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("the archives differ")
	}
	if !slices.ContainsFunc(entries, func(e archive.Entry) bool { return e.Answer.Model == "model-2026" }) {
		t.Error("the archive of the repeated run does not name the model that gave the replies")
	}
}

// spent returns what the deployment's run spent, as its status says.
func (s *deployment) spent() workflows.Spend {
	s.t.Helper()
	value, err := s.c.QueryWorkflow(s.t.Context(), s.name, "", workflows.QueryStatus)
	if err != nil {
		s.t.Fatal(err)
	}
	var status workflows.Status
	if err := value.Get(&status); err != nil {
		s.t.Fatal(err)
	}
	return status.Spend
}

// called returns the stand-in under the name of a language model.
func called(name string, standIn http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply := httptest.NewRecorder()
		standIn.ServeHTTP(reply, r)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(reply.Code)
		text := strings.Replace(reply.Body.String(), `"model":"`+llm.StandIn+`"`, `"model":"`+name+`"`, 1)
		_, _ = w.Write([]byte(strings.Replace(text, `"id":"`+llm.StandIn+`"`, `"id":"`+name+`"`, 1)))
	})
}

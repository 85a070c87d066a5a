package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/workflows"
)

// said runs epb and returns what it told the user beside its results.
func said(t *testing.T, args ...string) (string, error) {
	t.Helper()
	_, stderr, err := command(t, args...)
	return stderr, err
}

// program is a bank of one program, so that a check of it is quick.
func program(t *testing.T) string {
	t.Helper()
	compiletest.Toolchain(t)
	dir := filepath.Join(t.TempDir(), "one")
	if err := os.MkdirAll(filepath.Join(dir, "nearby"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"bank.json":        `{"problem": "tsp", "view": "full", "heuristics": [{"name": "nearby"}]}`,
		"nearby/nearby.go": nearby,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wants reports which texts are missing.
func wants(t *testing.T, what, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s lacks %q:\n%s", what, w, text)
		}
	}
}

// TestDryRunChecksServers: a dry run says yes to what it has looked at, refuses what the start would refuse, and leaves
// nothing behind.
func TestDryRunChecksServers(t *testing.T) {
	bank := program(t)
	c := withoutWorker(t, devstack.Temporal, devstack.MinIO).Client
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_KEY", "TEMPORAL_NAMESPACE", "EPB_S3_BUCKET"} {
		t.Setenv(name, "")
	}
	s, err := locate.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	objects := func() int {
		t.Helper()
		all, err := s.List(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	dryAs := func(id string) []string { return []string{"start", "--dry-run", "--bank", bank, "--id", id} }
	dry := dryAs("mine")
	refused := func(what string, args []string, want ...string) {
		t.Helper()
		before := objects()
		out, err := said(t, args...)
		if err == nil || strings.Contains(out, "checked and fit") {
			t.Errorf("%s: error %v, and it said\n%s", what, err, out)
			return
		}
		wants(t, what, err.Error(), want...)
		if after := objects(); after != before {
			t.Errorf("%s: %d objects in the store, before %d", what, after, before)
		}
	}

	out, err := said(t, dry...)
	if err != nil {
		t.Fatal(err)
	}
	wants(t, "dry run", out, "checked and fit: the config; teacher builtin:pomo-tsp20; every program of bank "+bank,
		"the store at http://", "bucket epb", "Temporal at ", "namespace default and the ID mine",
		"Warning    no worker polls the task queue epb",
		"Not checked: the LLM", "Nothing was started")
	if n := objects(); n != 0 {
		t.Errorf("the dry run left %d objects behind", n)
	}
	if _, err := c.DescribeWorkflowExecution(t.Context(), "mine", ""); err == nil {
		t.Error("the dry run started the run")
	}

	t.Run("taken IDs", func(t *testing.T) {
		refused("one that runs", dryAs("runs-still"),
			"--id runs-still: a run of this ID goes on or is finished")
		if _, err := said(t, dryAs("runs-still")...); err == nil ||
			strings.Contains(err.Error(), "epb doctor") {
			t.Errorf("error %v, and nothing is to be mended", err)
		}
		refused("one that runs, started", []string{"start", "--bank", bank, "--id", "runs-still"},
			"--id runs-still: a run of this ID")
		if err := c.TerminateWorkflow(t.Context(), "ended", "", "its ID is free then"); err != nil {
			t.Fatal(err)
		}
		if _, err := said(t, dryAs("ended")...); err != nil {
			t.Errorf("a terminated run's ID: %v", err)
		}
		if err := s.PutKey(t.Context(), workflows.ManifestKey("forgotten"), []byte("{}")); err != nil {
			t.Fatal(err)
		}
		refused("one whose result is in the store", dryAs("forgotten"), "--id forgotten")
	})
	t.Run("a bucket to be made", func(t *testing.T) {
		t.Setenv("EPB_S3_BUCKET", "not-there-yet")
		out, err := said(t, dry...)
		if err != nil {
			t.Fatal(err)
		}
		wants(t, "dry run", out, "Warning    the store has no bucket not-there-yet yet")
		cfg, err := connect.StoreConfig(devstack.Servers(devstack.DefaultDir()))
		if err != nil {
			t.Fatal(err)
		}
		if in, err := store.Inspect(t.Context(), cfg); err != nil || in.Store != nil {
			t.Errorf("the dry run made the bucket (%v)", err)
		}
	})
	t.Run("no namespace", func(t *testing.T) {
		t.Setenv("TEMPORAL_NAMESPACE", "nowhere")
		refused("dry run", dry, "there is no namespace nowhere at ", "TEMPORAL_NAMESPACE")
	})
	t.Run("wrong keys", func(t *testing.T) {
		cfg, err := connect.StoreConfig(devstack.Servers(devstack.DefaultDir()))
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("EPB_S3_ENDPOINT", cfg.Endpoint)
		t.Setenv("EPB_S3_ACCESS_KEY", cfg.AccessKey)
		t.Setenv("EPB_S3_SECRET_KEY", "not-the-right-secret")
		refused("dry run", dry, "open bucket epb at http://"+cfg.Endpoint, "epb doctor", "--offline")
		refused("start", []string{"start", "--bank", bank}, "open bucket epb")
	})
	t.Run("no Temporal", func(t *testing.T) {
		t.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
		refused("dry run", dry, "connect to Temporal at 127.0.0.1:1", "--offline")
		out, err := said(t, append(dry, "--offline")...)
		if err != nil {
			t.Fatal(err)
		}
		wants(t, "dry run without servers", out, "every program of bank",
			"Not checked: Temporal, its workers and the ID of the run; the store; the LLM at OPENAI_BASE_URL.")
		if strings.Contains(out, "Temporal at") {
			t.Errorf("a server is said to be fit:\n%s", out)
		}
		refused("offline", []string{"start", "--offline"}, "--offline goes with --dry-run")
	})
	t.Run("a worker, and a finished run", func(t *testing.T) {
		other, err := client.NewClientFromExisting(c, client.Options{Identity: fmt.Sprintf("%d@elsewhere@0123456789ab",
			os.Getpid())})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		w := worker.New(other, workflows.Queue, worker.Options{})
		done := func(workflow.Context, config.Distill) error { return nil }
		w.RegisterWorkflowWithOptions(done, workflow.RegisterOptions{Name: workflows.NameDistill})
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		defer w.Stop()
		if err := c.GetWorkflow(t.Context(), "runs-still", "").Get(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		refused("a finished run's ID", dryAs("runs-still"),
			"--id runs-still: a run of this ID goes on or is finished")
		out, _ := said(t, dryAs("runs-still")...)
		wants(t, "dry run under a finished run's ID", out, "is built from commit 0123456789ab")
		out, err = said(t, dry...)
		if err != nil {
			t.Fatal(err)
		}
		wants(t, "dry run", out, "the task queue epb (workers: 1)",
			"is built from commit 0123456789ab, and this program from ",
			"at OPENAI_BASE_URL of the worker's environment: not known here")
	})
}

// A file of rollouts names its policy, and a terminal does not obey that name.
func TestPlanOfATrickster(t *testing.T) {
	offline(t)
	ours, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.Data.Train, cfg.Data.Val, cfg.TextGrad.Off, cfg.Add.Off = 2, 2, true, true
	sh, err := rollout.Record(t.Context(), ours, tsp.Generate(cfg.Nodes, 4, 1), routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	sh.Teacher = "am\x1b[2J"
	var out strings.Builder
	in := &input.Checked{Rollouts: sh, Bank: &bank.Bank{}}
	err = preview(t.Context(), &out, cfg, in, nil, startOptions{offline: true})
	if err != nil || !strings.Contains(out.String(), `Teacher    am\x1b[2J, `) {
		t.Errorf("error %v, printed %q", err, out.String())
	}
}

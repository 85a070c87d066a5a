package main

import (
	"bytes"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/internal/tool"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/workflows"
)

// tiny is a distillation of a minute, annealing and all.
const tiny = `
name: tiny
data: {train: 100, val: 40, test: 20, search: 3, shard: 50, starts: 1}
student: {dim: 32, layers: 1, heads: 2, ff: 64}
train: {batch_states: 256, segment_epochs: 1, pass_segments: 1, anneal_epochs: 1}
textgrad: {start_epoch: 1, heuristics: 1, failures: 1, rounds: 1, buffer: 50}
limits: {passes: 1, epochs: 1}
`

// A newcomer's way: servers up, a run started and watched, its report and bank read, and the run seen by Temporal's own
// command line. Every program is the real one.
func TestFirstResult(t *testing.T) {
	for _, name := range []string{devstack.Temporal, devstack.MinIO, "tinygo"} {
		if _, err := tool.Find(name); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	bin, work := t.TempDir(), t.TempDir()
	const commit = "0123456789ab+dirty" // as make build has it
	for name, dir := range map[string]string{"epb": "starter", "epb-worker": "worker"} {
		if out, err := exec.Command("go", "build", "-ldflags",
			"-X github.com/epb-nco/epb/internal/version.stamp="+commit, "-o", filepath.Join(bin, name),
			testdata.Repo(t, dir)).CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", name, err, out)
		}
	}
	t.Setenv("EPB_DEV_DIR", filepath.Join(work, ".dev"))
	for _, v := range []string{"TEMPORAL_ADDRESS", "EPB_S3_ENDPOINT", "OPENAI_BASE_URL", "OPENAI_API_KEY"} {
		t.Setenv(v, "")
		os.Unsetenv(v)
	}
	for _, name := range []string{devstack.Temporal, devstack.MinIO, "tinygo"} {
		path, _ := tool.Find(name)
		t.Setenv("EPB_"+strings.ToUpper(name), path)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "epb"), args...)
		cmd.Dir = work
		var out, all bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &all
		if err := cmd.Run(); err != nil {
			t.Fatalf("epb %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), all.String())
		}
		return out.String() + all.String()
	}
	refuses := func(args []string, want string) {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "epb"), args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("epb %s: %v, no %q in:\n%s", strings.Join(args, " "), err, want, out)
		}
	}
	contains := func(text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !regexp.MustCompile(w).MatchString(text) {
				t.Errorf("no %q in:\n%s", w, text)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(work, "tiny.yaml"), []byte(tiny), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if out, err := exec.Command(filepath.Join(bin, "epb"), "dev", "down").CombinedOutput(); err != nil {
			t.Errorf("dev down: %v\n%s", err, out)
		}
	})

	if out := run("dev", "up", "llm"); strings.Contains(out, "Temporal UI") {
		t.Errorf("a page of Temporal, which does not run:\n%s", out)
	}
	contains(run("dev", "up"), `Temporal UI http://`)

	contains(run("--version"), `epb 0123456789ab\+dirty \(go`)
	plan := run("start", "--config", "tiny.yaml", "--dry-run")
	contains(plan, `1800 states`, `proposer gpt-5 at http://.*: the rule-based stand-in`,
		`Time +about (\d+ minutes?|[\d.]+ hours) on this machine`,
		`Dry run: checked and fit: .*; every program .*; the store at .*; Temporal at .*; the LLM at`)
	if strings.Contains(plan, "llm.prices") {
		t.Errorf("calls to the stand-in have a price:\n%s", plan)
	}
	contains(run("start", "--config", "tiny.yaml", "--dry-run", "--set", "llm.endpoints.proposer.url=PROPOSER_URL"),
		`proposer gpt-5 at PROPOSER_URL of`, `llm.prices has no gpt-5`)
	contains(run("start", "--config", "tiny.yaml", "--id", "first", "--wait"), `epoch +1 .*top-1`,
		`first done after \d+`, `gap to the teacher`)
	contains(run("status"), `first: completed`)
	refuses([]string{"pause", "first"}, "pause first: the run has ended")
	refuses([]string{"pause", "nosuch"}, "there is no run nosuch")
	contains(run("report", "--out", "result"), `student`, `nearest neighbour`, `result/report.html`)
	contains(run("bank", "list"), `run:first +\d+ programs +tsp, full view +.*local +\d+`)
	contains(run("bank", "show", "first"), `H00 `, `τ_h`)
	for _, shard := range []string{"run:first", "first"} {
		contains(run("bank", "check", "result", "--against", "run:first", "--shard", shard),
			`\d+ states of 40 tours of 20 nodes by pomo`, `coverage`, `top-1`)
	}
	contains(run("report", "--out", "result"), `result/report.html`) // again, over what it wrote
	for _, args := range []string{
		"report --out result --json --figures figures", "llm log first --summary --json", "bank list --json",
		"bank diff builtin:tsp-local first --json", "estimate --config tiny.yaml --json", "runs --json",
		"status first --json", "prompts show critic --json",
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "epb"), strings.Fields(args)...)
		cmd.Dir = work
		out, err := cmd.Output()
		var any json.RawMessage
		if err == nil {
			err = json.Unmarshal(out, &any)
		}
		if err != nil {
			t.Errorf("epb %s: %v\n%.300s", args, err, out)
		}
	}
	contains(run("llm", "log", "first", "--json"), `"role":"critic"`, `"verdict":`)
	for _, name := range []string{"report.html", "report.json", "student.json"} {
		text, err := os.ReadFile(filepath.Join(work, "result", name))
		text = []byte(html.UnescapeString(string(text)))
		if kernels := tensorops.Core() + " kernels of"; err != nil || !bytes.Contains(text, []byte(commit)) ||
			!bytes.Contains(text, []byte(kernels)) {
			t.Errorf("%s does not name the commit and the %s (%v)", name, kernels, err)
		}
	}
	data, err := os.Open(filepath.Join(work, "result", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	d, err := report.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.History) != 2 || d.Fidelity.States != 20*18 {
		t.Errorf("%d epochs and %d test states are reported, want 2 and 360", len(d.History), d.Fidelity.States)
	}
	if _, ok := d.Table.Find(evaluate.KindStudent); !ok {
		t.Error("the table has no student")
	}
	saved, err := distilled.Read(filepath.Join(work, "result"))
	if err != nil {
		t.Fatal(err)
	}

	// A policy that is known by its rollouts alone is distilled all the same, here from the programs that the run
	// before ended with.
	var set bytes.Buffer
	if err := instances.WriteNPZ(&set, tsp.Generate(20, 60, 5)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, "set.npz"), set.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, student := range []string{"result", "run:first", "first"} {
		contains(run("solve", "set.npz", "--student", student, "--limit", "2", "--no-baselines"), `2 instances`)
	}
	contains(run("certify", "first"), `agree`)
	contains(run("compare", "--teachers", "run:first,result", "--bank", "first", "--instances", "10", "--train", "10",
		"--products", "10"), `student first`, `student result`)
	run("rollout", "--teacher", "builtin:pomo-tsp20", "--instances", "set.npz", "--out", "rollouts.safetensors")
	contains(run("start", "--config", "tiny.yaml", "--teacher", "rollouts.safetensors", "--bank", "run:first", "--id",
		"recorded", "--wait",
		"--set", "data={train: 40, val: 10, test: 10, search: 0, shard: 20}"), `known by 60 recorded instances`,
		`programs \(.*run:first@`, `recorded done`)
	contains(run("compare", "first", "recorded"), `first`, `recorded`)

	config := filepath.Join(work, "bad.json")
	if err := os.WriteFile(config, []byte(`{"nodes": 20, "epochz": 3}`), 0o644); err != nil {
		t.Fatal(err)
	}
	stack, err := devstack.Load(filepath.Join(work, ".dev"))
	if err != nil {
		t.Fatal(err)
	}
	objects, err := store.Open(t.Context(), stack.Store())
	if err != nil {
		t.Fatal(err)
	}
	if manifest, err := objects.GetKey(t.Context(), workflows.ManifestKey("first")); err != nil ||
		!bytes.Contains(manifest, []byte(commit)) {
		t.Errorf("the manifest does not name the commit: %v\n%s", err, manifest)
	}
	// The student in the store is the one of the folder.
	first, err := results.Read(t.Context(), objects, "first")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := first.Student(t.Context()); err != nil || !reflect.DeepEqual(s.Manifest, saved.Manifest) ||
		len(bank.Diff(s.Bank, saved.Bank)) > 0 {
		t.Errorf("the student in the store is %+v (%v), in the folder %+v", s.Manifest, err, saved.Manifest)
	}
	temporal, err := tool.Find(devstack.Temporal)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(temporal, "workflow", "execute", "--address", stack.Temporal, "--type", "Distill",
		"--task-queue", "epb",
		"--workflow-id", "bad", "--input-file", config).CombinedOutput()
	if err == nil {
		t.Errorf("a config with an unknown key was run:\n%s", out)
	}
	contains(string(out), `epochz`)
}

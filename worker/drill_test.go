package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/standin"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

var histories = flag.String("histories", "", "write the workflow histories of the undisturbed run to this `folder`")

// drillConfig is a distillation of the paper's way, with all its stages. It is small enough to run twice, and each
// stage is long enough for a worker to be killed in it.
func drillConfig(bank string) config.Distill {
	c := config.Default()
	c.Bank = bank
	c.Name = "drill"
	c.Data = config.Data{Train: 600, Val: 100, Test: 20, Search: 2, Shard: 100, Starts: 1, Dagger: 100}
	c.Student = config.Student{Dim: 64, Layers: 1, Heads: 4, FF: 128, Decoder: 1}
	c.Train = config.Train{
		BatchStates: 256, LR: 1e-3, SegmentEpochs: 4, PassSegments: 2, PlateauDelta: 1e-3, AnnealEpochs: 2,
	}
	c.TextGrad = config.TextGrad{StartEpoch: 1, Heuristics: 2, Failures: 2, Rounds: 2, Delta: 1e-4, Buffer: 200}
	c.Add.Modes, c.Add.Faults = 2, 200
	c.Limits = config.Limits{Passes: 2, Epochs: 12}
	return c
}

// weakBank writes a bank of simple programs that leaves room to revise and to add.
func weakBank(t *testing.T) string {
	b, err := bank.Builtin("tsp-starter")
	if err != nil {
		t.Fatal(err)
	}
	weak := []string{"isolation_regret", "outlier_first", "far_from_start", "two_step_closure"}
	b.Heuristics = slices.DeleteFunc(b.Heuristics, func(h bank.Heuristic) bool {
		return !slices.Contains(weak, h.Name)
	})
	dir := filepath.Join(t.TempDir(), "bank")
	if err := b.Save(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A run whose worker is killed once in each of four stages has the bank and the router of an undisturbed run, byte for
// byte, and asks the LLM no question twice.
func TestKilledWorkersChangeNothing(t *testing.T) {
	g := newServers(t)
	calm, _ := compareKilled(t, g, drillConfig(weakBank(t)),
		workflows.StageRollouts, workflows.StageTraining, workflows.StageTextGrad, workflows.StageAdd)
	if *histories != "" {
		calm.record(*histories)
	}
}

// compareKilled runs a config undisturbed, and then with a worker that is killed once in each of the stages. Both runs
// must have the same bank and the same router, and ask the same questions, each of them once. It returns the
// undisturbed run's deployment and result.
func compareKilled(
	t *testing.T, g *servers, cfg config.Distill, stages ...workflows.Stage,
) (*deployment, workflows.Result) {
	calm := newDeployment(t, g, "calm")
	calm.startWorker()
	undisturbed := calm.distil(cfg, nil)
	calm.killWorker()

	rough := newDeployment(t, g, "rough")
	rough.startWorker()
	disturbed := rough.distil(cfg, stages)
	rough.killWorker()

	if undisturbed.Model.Bank != disturbed.Model.Bank {
		t.Errorf("banks differ: %v and %v", undisturbed.Model.Bank, disturbed.Model.Bank)
	}
	if undisturbed.Model.Student != disturbed.Model.Student {
		t.Errorf("routers differ: %v and %v", undisturbed.Model.Student, disturbed.Model.Student)
	}
	if !undisturbed.Model.StandIn {
		t.Error("the result does not say that the stand-in wrote programs: nothing was revised, " +
			"and the drill shows nothing")
	}
	asked, again := calm.asked(), rough.asked()
	for name, hashes := range map[string][]string{"calm": asked, "rough": again} {
		if len(slices.Compact(slices.Clone(hashes))) != len(hashes) {
			t.Errorf("%s: some of %d requests were answered twice", name, len(hashes))
		}
	}
	if !slices.Equal(asked, again) {
		t.Errorf("%d and %d requests, or other ones", len(asked), len(again))
	}
	return calm, undisturbed
}

// servers are what several deployments share: Temporal, MinIO and the worker's program.
type servers struct {
	bin   string
	epb   string // the program of the command line, if it was built
	stack *devstack.Stack
	c     client.Client
}

func newServers(t testing.TB) *servers {
	t.Helper()
	g := &servers{bin: filepath.Join(t.TempDir(), "epb-worker")}
	if out, err := exec.Command("go", "build", "-o", g.bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("build the worker: %v\n%s", err, out)
	}
	g.stack = devstacktest.Start(t, devstack.Temporal, devstack.MinIO)
	var err error
	if g.c, err = client.Dial(client.Options{HostPort: g.stack.Temporal, Logger: quiet{}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.c.Close)
	return g
}

// deployment has all that a distillation needs: a bucket, a task queue's worker process and a stand-in of its own.
type deployment struct {
	*servers
	t      testing.TB
	name   string
	env    []string
	store  *store.Store
	worker *exec.Cmd
	model  http.Handler     // the stand-in, which writes to log
	llm    *httptest.Server // of this worker alone
	log    *bytes.Buffer    // of all stand-ins
	mu     sync.Mutex
}

func newDeployment(t testing.TB, g *servers, name string) *deployment {
	s := &deployment{servers: g, t: t, name: name, log: &bytes.Buffer{}}
	s.model = standin.Handler(s)
	cfg := g.stack.Store()
	cfg.Bucket = name
	var err error
	if s.store, err = store.Open(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	s.env = append(os.Environ(),
		"TEMPORAL_ADDRESS="+g.stack.Temporal,
		"EPB_S3_ENDPOINT="+cfg.Endpoint, "EPB_S3_TLS=false", "EPB_S3_BUCKET="+name,
		"EPB_S3_ACCESS_KEY="+cfg.AccessKey, "EPB_S3_SECRET_KEY="+string(cfg.SecretKey),
		"OPENAI_API_KEY=",
	)
	return s
}

// Write receives a part of the stand-in's log.
func (s *deployment) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

// asked returns the hashes of the requests that the stand-in saw, sorted.
func (s *deployment) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var hashes []string
	lines := bufio.NewScanner(bytes.NewReader(s.log.Bytes()))
	for lines.Scan() {
		var e standin.Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			s.t.Fatal(err)
		}
		hashes = append(hashes, e.Hash)
	}
	slices.Sort(hashes)
	return hashes
}

// startWorker starts a worker with a stand-in of its own, and with env in addition to the deployment's variables. It
// returns the path of the worker's log.
func (s *deployment) startWorker(env ...string) string {
	s.llm = httptest.NewServer(s.model)
	s.t.Cleanup(s.llm.Close)
	s.worker = exec.Command(s.bin)
	s.worker.Env = append(append(slices.Clone(s.env), "OPENAI_BASE_URL="+s.llm.URL+"/v1"), env...)
	log, err := os.Create(filepath.Join(s.t.TempDir(), "worker.log"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.worker.Stderr = log
	if err := s.worker.Start(); err != nil {
		s.t.Fatal(err)
	}
	w := s.worker
	s.t.Cleanup(func() {
		_ = w.Process.Kill()
		log.Close()
		if s.t.Failed() {
			text, _ := os.ReadFile(log.Name())
			s.t.Logf("%s: worker log:\n%s", s.name, text[max(0, len(text)-4000):])
		}
	})
	return log.Name()
}

// killWorker ends the worker as a power cut does, except between an answer of the LLM and its storage: such an answer
// may have been paid for or not. So killWorker stops the LLM first, and waits until its answers are in the store.
func (s *deployment) killWorker() {
	s.silence()
	if err := s.worker.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	_ = s.worker.Wait()
}

// silence stops the LLM. It returns when all answers are in the store.
func (s *deployment) silence() {
	s.llm.Close()
	answered := len(slices.Compact(s.asked()))
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	for {
		stored, err := s.store.List(ctx, "llm/")
		if err != nil {
			s.t.Fatal(err)
		}
		if len(stored) == answered {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// distil runs the drill's distillation. In each of the stages it kills the worker once and starts another one.
func (s *deployment) distil(cfg config.Distill, stages []workflows.Stage) workflows.Result {
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Minute)
	defer cancel()
	run := s.execute(ctx, s.name, cfg)
	for _, stage := range stages {
		s.awaitWork(ctx, stage)
		s.t.Logf("%s: killing the worker during %s", s.name, stage)
		s.killWorker()
		if step, long := longActivity[stage]; long && !s.works(ctx, step) {
			s.t.Errorf("%s: %s was over before the worker was killed: the drill shows nothing", s.name, step)
		}
		s.startWorker()
	}
	var result workflows.Result
	if err := run.Get(ctx, &result); err != nil {
		s.t.Fatalf("%s: %v", s.name, err)
	}
	return result
}

// execute starts a distillation.
func (s *deployment) execute(ctx context.Context, id string, cfg config.Distill) client.WorkflowRun {
	s.t.Helper()
	options := client.StartWorkflowOptions{ID: id, TaskQueue: workflows.Queue}
	run, err := s.c.ExecuteWorkflow(ctx, options, workflows.NameDistill, cfg)
	if err != nil {
		s.t.Fatal(err)
	}
	return run
}

// awaitWork returns when the run is in a stage and its work has begun: in stages that ask the LLM, after the first
// question; in a sketch, when its activity runs; in the training of weights, after the first scores of a program with
// new weights. In the other stages it does not look at the work.
func (s *deployment) awaitWork(ctx context.Context, stage workflows.Stage) {
	begun := s.beginning(ctx, stage)
	for {
		if s.inStage(ctx, stage) && begun() {
			return
		}
		select {
		case <-ctx.Done():
			s.t.Fatalf("%s: stage %s never came", s.name, stage)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// beginning returns a function that reports, while the run is in a stage, whether the work of the stage has begun.
func (s *deployment) beginning(ctx context.Context, stage workflows.Stage) func() bool {
	switch stage {
	case workflows.StageTextGrad, workflows.StageAdd:
		before := len(s.asked())
		return func() bool { return len(s.asked()) > before }
	case workflows.StageSketch: // which stores nothing before its fit is over
		return func() bool { return s.works(ctx, longActivity[stage]) }
	case workflows.StageWeights: // which begins with programs that have their scores
		before := -1
		return func() bool {
			scores, err := s.store.List(ctx, "scores/")
			if err != nil {
				s.t.Fatal(err)
			}
			if before < 0 {
				before = len(scores)
			}
			return len(scores) > before
		}
	}
	return func() bool { return true }
}

// longActivity names the activity that takes most of a stage's time, for stages in which the worker must be killed
// while it runs.
var longActivity = map[workflows.Stage]string{
	workflows.StageSketch: workflows.Sketch.Name(), workflows.StageWeights: workflows.Weights.Name(),
}

// works reports whether a worker has begun an activity of the run, and has not told Temporal its end. This stays so for
// some seconds after the worker was killed.
func (s *deployment) works(ctx context.Context, activity string) bool {
	d, err := s.c.DescribeWorkflowExecution(ctx, s.name, "")
	if err != nil {
		s.t.Fatal(err)
	}
	return slices.ContainsFunc(d.PendingActivities, func(a *workflow.PendingActivityInfo) bool {
		return a.ActivityType.Name == activity && a.State == enums.PENDING_ACTIVITY_STATE_STARTED
	})
}

// inStage reports whether the run says that it is in a stage. A query to a worker that was killed waits for seconds,
// and the stage may end meanwhile. Therefore each query has one second, and a later one finds the new worker.
func (s *deployment) inStage(ctx context.Context, stage workflows.Stage) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	value, err := s.c.QueryWorkflow(ctx, s.name, "", workflows.QueryStatus)
	if err != nil {
		return false
	}
	var status workflows.Status
	return value.Get(&status) == nil && status.Stage == stage
}

// record writes the histories of the deployment's run and of all its children. Files are named after the workflow.
func (s *deployment) record(dir string) {
	ctx := s.t.Context()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	list, err := s.c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		Query: fmt.Sprintf("WorkflowId = '%[1]s' OR WorkflowId STARTS_WITH '%[1]s/'", s.name),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	slices.SortFunc(list.Executions, func(a, b *workflow.WorkflowExecutionInfo) int {
		return a.StartTime.AsTime().Compare(b.StartTime.AsTime())
	})
	seen := map[string]int{}
	for _, e := range list.Executions {
		h := &history.History{}
		const all = enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT
		events := s.c.GetWorkflowHistory(ctx, e.Execution.WorkflowId, e.Execution.RunId, false, all)
		for events.HasNext() {
			event, err := events.Next()
			if err != nil {
				s.t.Fatal(err)
			}
			h.Events = append(h.Events, event)
		}
		data, err := protojson.MarshalOptions{Indent: " "}.Marshal(h)
		if err != nil {
			s.t.Fatal(err)
		}
		seen[e.Type.Name]++
		name := fmt.Sprintf("%s-%d.json", e.Type.Name, seen[e.Type.Name])
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}

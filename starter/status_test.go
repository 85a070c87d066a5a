package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// errAway is how a store that does not answer fails an activity, with all that must not be shown.
var errAway = errors.New("get objects/ab: Get \"http://root:planted@10.0.0.1:9000/epb?X-Amz-Signature=planted\": " +
	"\x1b[31mdial tcp:\nconnection\u202e refused")

const awayWords = `get objects/ab: Get "http://10.0.0.1:9000/epb": \x1b[31mdial tcp: connection\u202e refused`

// plays is the work of a stage: the activities of runs whose names say how they fare.
type plays struct{}

func (plays) prepare(in workflows.PrepareInput) (workflows.Prepared, error) {
	out := workflows.Prepared{TeacherName: "teach", Model: workflows.Model{Bank: store.Ref{Hash: "b"}, Size: 2}}
	switch in.Config.Name {
	case "away":
		return out, errAway
	case "bad":
		return out, temporal.NewNonRetryableApplicationError("nodes is 2", workflows.ErrBadInput, nil)
	case "broken":
		return out, temporal.NewNonRetryableApplicationError("cannot go on", "Broken", errors.New("disk \x1b[31mfull"))
	}
	out.Plan = []workflows.RolloutTask{{Split: "train", NamedTeacher: workflows.NamedTeacher{Name: in.Config.Name}},
		{Split: "val", NamedTeacher: workflows.NamedTeacher{Name: in.Config.Name}}}
	return out, nil
}

func (plays) rollout(in workflows.RolloutTask) (workflows.Shard, error) {
	if in.Name == "child" {
		return workflows.Shard{}, errAway
	}
	return workflows.Shard{States: 5}, nil
}

func (plays) train(in workflows.TrainInput) (workflows.TrainOutput, error) {
	in.Model.Student = store.Ref{Hash: "s"}
	return workflows.TrainOutput{Model: in.Model, Points: []workflows.Point{{Epoch: in.From + in.Epochs, Top1: 0.9}}},
		nil
}

func (plays) attribute(workflows.AttributeInput) (workflows.Attribution, error) {
	return workflows.Attribution{Dispatch: []workflows.Dispatch{{Name: "near", Failures: 3}}}, nil
}

func (plays) outdated(workflows.OutdatedInput) (workflows.Programs, error) {
	return workflows.Programs{}, nil
}

func (plays) backward(workflows.BackwardInput) (workflows.Gradient, error) {
	return workflows.Gradient{Valid: true, Spend: workflows.Spend{Calls: 1, Input: 10}}, nil
}

// step asks an LLM that does not answer: twice it may be asked again at once, then in an hour.
func (plays) step(ctx context.Context, _ workflows.StepInput) (workflows.Candidate, error) {
	pause := time.Millisecond
	if activity.GetInfo(ctx).Attempt == 2 {
		pause = time.Hour
	}
	return workflows.Candidate{}, temporal.NewApplicationErrorWithOptions("the LLM at llm.example does not answer: 503",
		workflows.ErrLLMNoAnswer, temporal.ApplicationErrorOptions{NextRetryDelay: pause})
}

// work starts a worker for activities.
func work(t *testing.T, c client.Client, queue string, activities map[string]any) {
	t.Helper()
	w := worker.New(c, queue, worker.Options{DisableWorkflowWorker: true, MaxHeartbeatThrottleInterval: time.Second})
	for name, fn := range activities {
		w.RegisterActivityWithOptions(fn, activity.RegisterOptions{Name: name})
	}
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
}

// eventually asks until all is said that is wanted.
func eventually(t *testing.T, line string, wants ...string) string {
	t.Helper()
	out, last := "", time.Now().Add(2*time.Minute)
	for time.Now().Before(last) {
		var err error
		if out, err = epb(t, strings.Fields(line)...); err == nil && holds(out, wants) {
			return out
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("epb %s never said %q, but\n%s", line, wants, out)
	return out
}

func holds(out string, wants []string) bool {
	for _, want := range wants {
		if !strings.Contains(out, want) {
			return false
		}
	}
	return true
}

// TestHonestStatus: what holds a run up, wherever in its children, and why one ended, is said in plain lines without
// secrets.
func TestHonestStatus(t *testing.T) {
	stack := devstacktest.Start(t, devstack.Temporal)
	t.Setenv("EPB_DEV_DIR", stack.Dir)
	t.Setenv("TEMPORAL_ADDRESS", "")
	t.Setenv("EPB_S3_ENDPOINT", "")
	r, err := locate.Temporal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := r.Client
	t.Cleanup(c.Close)
	if out, err := epb(t, "runs"); err != nil || !strings.Contains(out, "There is no distillation yet") {
		t.Errorf("epb runs: %q (%v)", out, err)
	}
	flow := worker.New(c, workflows.Queue, worker.Options{Interceptors: workflows.Interceptors()})
	workflows.Register(flow)
	if err := flow.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(flow.Stop)
	distil := func(name string) {
		t.Helper()
		cfg := config.Default()
		cfg.Name, cfg.TextGrad.StartEpoch = name, 0
		if _, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: name, TaskQueue: workflows.Queue},
			workflows.NameDistill, cfg); err != nil {
			t.Fatal(err)
		}
	}
	distil("away")
	eventually(t, "status away", "waiting: Prepare: no worker asks for it on task queue "+workflows.ComputeQueue)

	var p plays
	score := func(workflows.ScoreInput) error { return nil }
	work(t, c, workflows.ComputeQueue, map[string]any{
		workflows.Prepare.Name(): p.prepare, workflows.RolloutShard.Name(): p.rollout, workflows.Score.Name(): score,
		workflows.Train.Name(): p.train, workflows.Attribute.Name(): p.attribute,
		workflows.Outdated.Name(): p.outdated,
	})
	work(t, c, workflows.LLMQueue, map[string]any{workflows.Backward.Name(): p.backward, workflows.Step.Name(): p.step})
	eventually(t, "status away", "waiting: Prepare failed, try ", "next in ", awayWords)
	distil("child")
	eventually(t, "status child", "Rollout ×2 failed, try ", awayWords)
	distil("round")
	eventually(t, "status round", "waiting: Step: the LLM at llm.example does not answer: 503; try 3, next in ",
		"LLM 3 calls, 30 tokens", "epoch 5 of at most 60 + 10 annealing")

	var seen runs.Snapshot
	if err := json.Unmarshal([]byte(must(t, []string{"status", "round", "--json"})), &seen); err != nil {
		t.Fatal(err)
	}
	if seen.State != "running" || seen.Status == nil || seen.Status.Spend.Calls != 3 || len(seen.Waiting) != 1 ||
		seen.Waiting[0].Kind != runs.WaitLLM || seen.Waiting[0].Try != 3 {
		t.Errorf("epb status --json: %+v", seen)
	}

	distil("bad")
	distil("broken")
	for id, want := range map[string]string{"bad": "bad was refused: nodes is 2 (in Prepare)",
		"broken": "broken failed: cannot go on: disk \\x1b[31mfull (in Prepare)"} {
		if _, err := epb(t, "watch", id); err == nil || err.Error() != want {
			t.Errorf("epb watch %s: %v, want %s", id, err, want)
		}
		eventually(t, "status "+id, want)
	}
	if err := c.TerminateWorkflow(t.Context(), "child", "", "not needed"); err != nil {
		t.Fatal(err)
	}
	out := eventually(t, "runs", "terminated: not needed", "refused: nodes is 2 (in Prepare)",
		"failed: cannot go on: disk \\x1b[31mfull")
	var order []string
	for line := range strings.Lines(out) {
		order = append(order, strings.Fields(line)[0])
	}
	if got := strings.Join(order, " "); got != "run broken bad round child away" {
		t.Errorf("listed in the order %s", got)
	}
	if line := strings.Split(out, "\n")[3]; !holds(line, []string{"teach", " 5 ", "90.0 %", " 2 ", "3 calls",
		"textgrad, waiting: Step: the LLM at llm.example"}) {
		t.Errorf("the round is listed as %s", line)
	}
	var list []runs.Listing
	if err := json.Unmarshal([]byte(must(t, []string{"runs", "--json", "--most", "4"})), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 4 || list[0].End == nil || list[0].End.State != runs.Failed || list[2].Stage != "textgrad" ||
		list[2].Epoch != 5 || list[2].Spend == nil || list[2].Pass != 1 || list[2].Spend.Calls != 3 {
		t.Errorf("epb runs --json: %+v", list)
	}
	for _, line := range []string{"runs --json", "status away --json", "status broken", "runs", "status away"} {
		if out, _ := epb(t, strings.Fields(line)...); strings.Contains(out, "planted") ||
			strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("epb %s shows what it should not:\n%q", line, out)
		}
	}
	if err := r.WhyNoResult(t.Context(), "nosuch", store.ErrNotFound); err == nil ||
		!strings.Contains(err.Error(), "there is no run nosuch (epb runs lists them)") {
		t.Errorf("no run: %v", err)
	}
	if err := r.Exists(t.Context(), "nosuch"); err == nil ||
		!strings.Contains(err.Error(), "there is no run nosuch (epb runs lists them)") {
		t.Errorf("no run exists: %v", err)
	}
	if err := r.Exists(t.Context(), "away"); err != nil {
		t.Errorf("a run exists: %v", err)
	}
	for id, want := range map[string]string{"away": "away has no result yet: it goes on",
		"broken": "there is no result of broken: broken failed: cannot go on"} {
		if err := r.WhyNoResult(t.Context(), id, store.ErrNotFound); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s without a result: %v", id, err)
		}
	}
}

// TestForgottenRun: of a run that Temporal does not know, the store says that it has completed.
func TestForgottenRun(t *testing.T) {
	stack := devstacktest.Start(t, devstack.Temporal, devstack.MinIO)
	t.Setenv("EPB_DEV_DIR", stack.Dir)
	t.Setenv("TEMPORAL_ADDRESS", "")
	t.Setenv("EPB_S3_ENDPOINT", "")
	s, err := locate.NewStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := epb(t, "status"); !errors.Is(err, runs.ErrNone) {
		t.Errorf("epb status where nobody knows a run: %q (%v), want %v", out, err, runs.ErrNone)
	}
	putResult(t, s, "old")
	for _, name := range [][]string{{"old"}, {"run:old"}, nil} { // Temporal has forgotten all: the store has the latest
		const want = "old: completed\non test instances: a summary\n" // infra/distil.sh reads the first line
		if out, err := epb(t, append([]string{"status"}, name...)...); err != nil || out != want {
			t.Errorf("epb status %s: printed %q (%v), want %q", name, out, err, want)
		}
	}
	if said, err := said(t, "watch", "old"); err != nil || said != "old: completed\non test instances: a summary\n" {
		t.Errorf("epb watch old: %q (%v)", said, err)
	}
	if err := s.PutKey(t.Context(), "runs/failed/llm/1", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ line, want string }{
		{"resume old", "resume old: the run has ended (epb report old)"},
		{"resume", "resume old: the run has ended (epb report old)"},
		{"status failed", "failed left no result, and Temporal has forgotten how it ended (epb llm log failed lists " +
			"what it asked)"},
		{"watch failed", "failed left no result"},
		{"stop failed", "failed left no result"},
		{"pause nosuch", "pause: there is no run nosuch (epb runs lists them)"},
		{"watch nosuch", "there is no run nosuch (epb runs lists them)"},
	} {
		if out, err := epb(t, strings.Fields(tt.line)...); out != "" || err == nil ||
			!strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("epb %s: %q (%v), want %s", tt.line, out, err, tt.want)
		}
	}
	var seen runs.Snapshot
	if err := json.Unmarshal([]byte(must(t, []string{"status", "old", "--json"})), &seen); err != nil {
		t.Fatal(err)
	}
	if seen.ID != "old" || seen.State != runs.Completed || seen.End == nil || seen.End.Summary != "a summary" {
		t.Errorf("epb status --json: %+v", seen)
	}
	if out, err := epb(t, "status", "nosuch"); out != "" || err == nil ||
		err.Error() != "there is no run nosuch (epb runs lists them)" {
		t.Errorf("epb status nosuch: %q (%v)", out, err)
	}
}

// The status of a finished run says which of its figures are of validation states and which of test instances.
func TestStatusNamesItsStates(t *testing.T) {
	var out strings.Builder
	s := runs.Snapshot{
		ID: "r", State: runs.Completed, End: &runs.End{State: runs.Completed, Summary: "bank of 10, top-1 92.5 %"},
		Status: &workflows.Status{Points: []workflows.Point{{ValLoss: 0.1768, Top1: 0.929, Coverage: 0.991}}},
	}
	if err := printStatus(&out, s); err != nil {
		t.Fatal(err)
	}
	const want = "on validation states: loss 0.1768 · top-1 92.9 % · coverage 0.991\n" +
		"on test instances: bank of 10, top-1 92.5 %\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("%q, want it to end with %q", out.String(), want)
	}
	out.Reset()
	s.End = &runs.End{State: runs.Failed, Reason: "disk full"}
	if err := printStatus(&out, s); err != nil || !strings.HasSuffix(out.String(), "\nr failed: disk full\n") {
		t.Errorf("%q (%v), want it to end with why the run failed", out.String(), err)
	}
}

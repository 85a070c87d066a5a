package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/tool"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/workflows"
)

// Patterns for what `epb status` must say about a fault.
const (
	saysStore    = `store at http`
	saysLLM      = `(?i)the LLM at|waiting for LLM`
	saysTemporal = `Temporal at `
	saysFull     = `\bfull\b`
	saysNoWorker = `(?i)no worker|does not answer`
	saysKernels  = `numeric kernels`
)

func allDrills() []drill {
	return []drill{
		{name: "worker", what: "SIGKILL worker five times", fault: killedWorkers},
		{name: "temporal", what: "SIGKILL Temporal in SGD, in TextGrad", fault: killedTemporal},
		{name: "slow-temporal", what: "Temporal answers after 5 s, ten times in SGD", fault: slowTemporal},
		{name: "store", what: "MinIO gone for a minute", fault: lostStore},
		{name: "servers", what: "MinIO and Temporal, then worker", fault: lostServers},
		{name: "llm", what: "LLM gone in TextGrad", fault: lostLLM},
		{name: "damaged-shard", what: "byte flipped in shard", fault: damage(someShard)},
		{name: "damaged-scores", what: "byte flipped in scores", fault: damage(someScores)},
		{name: "damaged-bank", what: "byte flipped in bank", fault: damage(newestBank)},
		{name: "damaged-checkpoint", what: "byte flipped in checkpoint", fault: damage(newestCheckpoint)},
		{name: "deleted-checkpoint", what: "checkpoint deleted", fault: deletedCheckpoint},
		{name: "deleted-scores", what: "scores deleted", fault: deletedScores},
		{name: "full", what: "MinIO full", before: smallDisk, fault: fullStore},
		{name: "more-workers", what: "two more workers with GOMAXPROCS=1, first one killed", fault: moreWorkers},
		{name: "reset", what: "reset mid-run", fault: reset},
		{name: "again", what: "terminate and same ID again", fault: startedAgain},
		{name: "pause", what: "pause/resume storm, resume and pause without a worker", fault: pauses},
		{name: "kernels", what: "worker restarted with other BLAS kernels", fault: otherKernels},
		{name: "stopped", what: "SIGSTOP worker for a minute", fault: stoppedWorker},
		{name: "four", what: "four runs at once", fault: fourRuns, others: true},
	}
}

func killedWorkers(e *exercise) {
	for _, stage := range []workflows.Stage{
		workflows.StageRollouts, workflows.StageTraining, workflows.StageTextGrad, workflows.StageDagger,
		workflows.StageAdd,
	} {
		e.await(stage)
		e.killWorker()
		e.startWorker()
	}
}

func killedTemporal(e *exercise) {
	for _, stage := range []workflows.Stage{workflows.StageTraining, workflows.StageTextGrad} {
		e.await(stage)
		e.kill(e.t, devstack.Temporal)
		e.says(saysTemporal)
		e.restart(e.t, devstack.Temporal)
	}
}

// slowTemporal makes Temporal answer late, as one whose disk is busy does. No activity may begin anew for that.
func slowTemporal(e *exercise) {
	e.await(workflows.StageTraining)
	for range 10 {
		for _, pid := range e.tell(e.t, syscall.SIGSTOP, devstack.Temporal) {
			e.sleep(5 * time.Second)
			if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
				e.t.Fatal(err)
			}
		}
		e.sleep(time.Second)
		now, err := e.c.DescribeWorkflowExecution(e.ctx, e.name, "")
		if err != nil {
			e.t.Fatal(err)
		}
		for _, a := range now.GetPendingActivities() {
			if a.GetAttempt() > 1 {
				e.t.Fatalf("%s begins anew: %s", a.GetActivityType().GetName(), a.GetLastFailure().GetMessage())
			}
		}
	}
}

func lostStore(e *exercise) {
	e.await(workflows.StageTextGrad)
	e.kill(e.t, devstack.MinIO)
	back := time.Now().Add(time.Minute)
	e.says(saysStore)
	e.sleep(time.Until(back))
	e.restart(e.t, devstack.MinIO)
}

func lostServers(e *exercise) {
	e.await(workflows.StageTextGrad)
	e.silence() // the run asks again for an answer that could not be stored
	e.kill(e.t, devstack.MinIO, devstack.Temporal)
	e.sleep(10 * time.Second)
	e.killProcess()
	e.restart(e.t, devstack.Temporal, devstack.MinIO)
	e.startWorker()
}

func lostLLM(e *exercise) {
	e.await(workflows.StageTextGrad)
	at := e.llm.Listener.Addr().String()
	e.llm.Close()
	back := time.Now().Add(time.Minute)
	e.says(saysLLM)
	e.sleep(time.Until(back))
	l, err := net.Listen("tcp", at)
	if err != nil {
		e.t.Fatal(err)
	}
	e.llm = &httptest.Server{Listener: l, Config: &http.Server{Handler: e.model}}
	e.llm.Start()
	e.t.Cleanup(e.llm.Close)
}

// holdAfterTraining pauses the run after its first segment and kills the worker, so that its memory is lost.
func (e *exercise) holdAfterTraining() {
	e.t.Helper()
	e.await(workflows.StageTraining)
	e.signal(workflows.SignalPause)
	e.await(workflows.StagePaused)
	e.killWorker()
}

// proceed continues with another worker.
func (e *exercise) proceed() {
	e.t.Helper()
	e.startWorker()
	e.signal(workflows.SignalResume)
}

// damage returns a fault that flips a byte of an object that the run needs next. It repairs the byte after `epb status`
// has named the object, unless the run has made the object again.
func damage(object func(*exercise) (key string)) func(*exercise) {
	return func(e *exercise) {
		e.holdAfterTraining()
		key := object(e)
		file := e.content(key)
		sound, err := os.ReadFile(file)
		if err != nil {
			e.t.Fatal(err)
		}
		spoilt := append([]byte{}, sound...)
		spoilt[len(spoilt)-9] ^= 1
		e.write(file, spoilt)
		e.proceed()
		e.says(key)
		if e.status != healed {
			e.write(file, sound)
		}
	}
}

func (e *exercise) write(file string, data []byte) {
	e.t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		e.t.Fatal(err)
	}
}

func (e *exercise) rename(from, to string) {
	e.t.Helper()
	if err := os.Rename(from, to); err != nil {
		e.t.Fatal(err)
	}
}

// content returns the file that holds the end of an object's content. MinIO keeps a small object in the file that
// describes it.
func (e *exercise) content(key string) string {
	e.t.Helper()
	for _, pattern := range []string{"*/part.1", "xl.meta"} {
		files, err := filepath.Glob(filepath.Join(e.disk(key), pattern))
		if err != nil {
			e.t.Fatal(err)
		}
		if len(files) == 1 {
			return files[0]
		}
	}
	e.t.Fatalf("no file of %s", key)
	return ""
}

// firstKey returns the first key of the deployment's bucket with a prefix.
func (e *exercise) firstKey(prefix string) string {
	e.t.Helper()
	keys, err := e.store.List(e.ctx, prefix)
	if err != nil || len(keys) == 0 {
		e.t.Fatalf("%d objects %s: %v", len(keys), prefix, err)
	}
	return keys[0]
}

func someShard(e *exercise) string {
	return "objects/" + path.Base(e.firstKey("scores/")) // scores/PROGRAM/SHARD
}

func someScores(e *exercise) string { return e.firstKey("scores/") }

func newestBank(e *exercise) string       { return e.trained().Bank.Key() }
func newestCheckpoint(e *exercise) string { return e.trained().Student.Key() }

// trained returns the model of the run's last segment of training.
func (e *exercise) trained() (m workflows.Model) {
	e.t.Helper()
	events := e.c.GetWorkflowHistory(e.ctx, e.name, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		if err != nil {
			e.t.Fatal(err)
		}
		var out workflows.TrainOutput
		made := event.GetActivityTaskCompletedEventAttributes().GetResult()
		if made == nil || converter.GetDefaultDataConverter().FromPayloads(made, &out) != nil {
			continue // no activity, or one with another kind of result
		}
		if out.Model.Student.Hash != "" {
			m = out.Model
		}
	}
	if m.Student.Hash == "" {
		e.t.Fatal("the run has trained nothing yet")
	}
	return m
}

func deletedCheckpoint(e *exercise) {
	e.holdAfterTraining()
	key := newestCheckpoint(e)
	aside := filepath.Join(e.t.TempDir(), "aside")
	e.rename(e.disk(key), aside)
	e.proceed()
	e.says(key)
	if e.status != healed {
		e.rename(aside, e.disk(key))
	}
}

func deletedScores(e *exercise) {
	e.holdAfterTraining()
	e.rename(e.disk("scores"), filepath.Join(e.t.TempDir(), "aside"))
	e.proceed()
}

// smallDisk makes MinIO start with its data on a small disk of its own. The disk disappears with MinIO.
func smallDisk(t *testing.T) {
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skip("needs root (unshare -m, mount -t tmpfs): ", err)
	}
	minio, err := tool.Find(devstack.MinIO)
	if err != nil {
		t.Fatal(err)
	}
	wrapper := filepath.Join(t.TempDir(), "minio")
	if err := os.WriteFile(wrapper, fmt.Appendf(nil, onSmallDisk, minio), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("EPB_MINIO", wrapper)
}

const onSmallDisk = `#!/bin/sh
exec unshare -m sh -c 'mount -t tmpfs -o size=256m tmpfs "$2" && exec "%s" "$@"' minio "$@"
` // its second argument is the folder of the data

func fullStore(e *exercise) {
	e.await(workflows.StageTraining)
	all, err := devstack.StatusOf(e.ctx, e.stack.Dir)
	if err != nil {
		e.t.Fatal(err)
	}
	ballast := ""
	for _, s := range all {
		if s.Service == devstack.MinIO { // the path as MinIO sees it, with its own mounts
			ballast = filepath.Join("/proc", fmt.Sprint(s.PID), "root", e.stack.Dir, "data", "minio", "ballast")
		}
	}
	f, err := os.Create(ballast)
	if err != nil {
		e.t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 64<<10); err == nil; {
		_, err = f.Write(block)
	}
	e.says(saysFull)
	if err := os.Remove(ballast); err != nil {
		e.t.Fatal(err)
	}
}

func moreWorkers(e *exercise) {
	e.await(workflows.StageTraining)
	worker, llm := e.worker, e.llm
	e.startWorker("GOMAXPROCS=1")
	e.startWorker("GOMAXPROCS=1")
	e.await(workflows.StageTextGrad)
	e.worker, e.llm = worker, llm
	e.killWorker()
}

// reset takes the run back to its first step.
func reset(e *exercise) {
	e.await(workflows.StageTextGrad)
	events := e.c.GetWorkflowHistory(e.ctx, e.name, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		if err != nil {
			e.t.Fatal(err)
		}
		if event.EventType != enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
			continue
		}
		r, err := e.c.ResetWorkflowExecution(e.ctx, &workflowservice.ResetWorkflowExecutionRequest{
			Namespace:         client.DefaultNamespace,
			WorkflowExecution: &common.WorkflowExecution{WorkflowId: e.name, RunId: e.run.GetRunID()},
			Reason:            "a drill", WorkflowTaskFinishEventId: event.EventId, RequestId: e.name,
		})
		if err != nil {
			e.t.Fatal(err)
		}
		e.run = e.c.GetWorkflow(e.ctx, e.name, r.RunId)
		return
	}
	e.t.Fatal("the run has made no step yet")
}

func startedAgain(e *exercise) {
	e.await(workflows.StageTextGrad)
	if err := e.c.TerminateWorkflow(e.ctx, e.name, "", "a drill"); err != nil {
		e.t.Fatal(err)
	}
	e.run = e.execute(e.name, e.cfg)
}

// pauses ends with the signals to resume and to pause, which arrive while no worker runs. The last one counts.
func pauses(e *exercise) {
	e.await(workflows.StageTraining)
	for range 10 {
		e.signal(workflows.SignalPause, workflows.SignalResume)
	}
	e.signal(workflows.SignalPause)
	e.await(workflows.StagePaused)
	e.killWorker()
	e.signal(workflows.SignalResume, workflows.SignalPause)
	e.startWorker()
	for {
		value, err := e.c.QueryWorkflow(e.ctx, e.name, "", workflows.QueryStatus)
		var s workflows.Status
		if err == nil && value.Get(&s) == nil {
			if !s.Paused {
				e.t.Error("told to resume and then to pause, the run goes on")
			}
			break
		}
		e.sleep(time.Second)
	}
	e.says(`paused`)
	e.signal(workflows.SignalResume)
}

// otherKernels replaces the worker by one whose products have other bits. The run must wait for a worker like the
// first.
func otherKernels(e *exercise) {
	if tensorops.FastestCore() == "" {
		e.t.Skip("two families of kernels are known for x86-64 with AVX2 only")
	}
	e.await(workflows.StageTraining)
	e.killWorker()
	e.startWorker(tensorops.CoreVariable + "=Nehalem")
	e.says(saysKernels)
	e.startWorker()
}

func stoppedWorker(e *exercise) {
	e.await(workflows.StageTextGrad)
	e.tellWorker(syscall.SIGSTOP)
	back := time.Now().Add(time.Minute)
	e.says(saysNoWorker)
	e.sleep(time.Until(back))
	e.tellWorker(syscall.SIGCONT)
}

// tellWorker sends the worker's process a signal.
func (e *exercise) tellWorker(s syscall.Signal) {
	e.t.Helper()
	if err := e.worker.Process.Signal(s); err != nil {
		e.t.Fatal(err)
	}
}

// fourRuns starts three more runs, with other seeds.
func fourRuns(e *exercise) {
	var runs []client.WorkflowRun
	for i := range 3 {
		cfg := e.cfg
		cfg.Seed += uint64(i + 1)
		runs = append(runs, e.execute(fmt.Sprintf("%s-%d", e.name, cfg.Seed), cfg))
	}
	for _, run := range runs {
		var result workflows.Result
		if err := run.Get(e.ctx, &result); err != nil {
			e.t.Fatalf("%s: %v", run.GetID(), err)
		}
	}
}

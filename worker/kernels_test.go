package main

import (
	"context"
	"runtime"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/workflows"
)

// A run stays with the numeric kernels of its first worker. A worker with other kernels does not take its tasks, and
// does not use results in the store that its own kernels would compute with other bits. The run ends with the bytes of
// an undisturbed run.
func TestRunStaysWithItsKernels(t *testing.T) {
	if runtime.GOARCH != "amd64" || tensorops.FastestCore() == "" {
		t.Skip("two families of kernels are known for x86-64 with AVX2 only")
	}
	g := newServers(t)
	cfg := drillConfig(weakBank(t))
	cfg.Data = config.Data{Train: 120, Val: 60, Test: 5, Shard: 60, Starts: 1}
	cfg.TextGrad.Off, cfg.Add.Off, cfg.Drop.Off = true, true, true
	cfg.Train.SegmentEpochs, cfg.Limits = 12, config.Limits{Passes: 1, Epochs: 12}

	calm := newDeployment(t, g, "kernels-calm")
	calm.startWorkerWith("Nehalem")
	want := calm.distil(cfg, nil)
	calm.killWorker()

	s := newDeployment(t, g, "kernels")
	s.startWorkerWith("Nehalem")
	run := s.execute(t.Context(), s.name, cfg)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	s.awaitWork(ctx, workflows.StageTraining)
	for !s.works(ctx, workflows.Train.Name()) { // a worker that has not begun it would leave no second attempt
		time.Sleep(20 * time.Millisecond)
	}
	s.killWorker()
	s.awaitOffered(run.GetID())
	s.startWorkerWith("Haswell")
	other := s.execute(t.Context(), "kernels-other", cfg)
	var onHaswell workflows.Result
	if err := other.Get(t.Context(), &onHaswell); err != nil {
		t.Fatal(err)
	}
	if onHaswell.Model.Student == want.Model.Student {
		t.Error("Haswell and Nehalem kernels gave the same student: this test can show nothing")
	}
	if task := s.offered(run.GetID()); task == nil { // the worker above had time for it, and must not have taken it
		t.Error("a worker with other kernels took the training, or went on after it")
	}
	s.killWorker()
	s.startWorkerWith("Nehalem")
	var got workflows.Result
	if err := run.Get(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Model != want.Model {
		t.Errorf("the run ends with %+v, left alone with %+v", got.Model, want.Model)
	}
}

// startWorkerWith starts a worker with a family of OpenBLAS kernels.
func (s *deployment) startWorkerWith(core string) {
	s.startWorker(tensorops.CoreVariable + "=" + core)
}

// offered returns the task of a run that waits for a worker after its first one was lost, or nil.
func (s *deployment) offered(id string) *workflow.PendingActivityInfo {
	d, err := s.c.DescribeWorkflowExecution(s.t.Context(), id, "")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, a := range d.PendingActivities {
		scheduled := a.State == enums.PENDING_ACTIVITY_STATE_SCHEDULED
		if a.ActivityType.Name == workflows.Train.Name() && a.Attempt == 2 && scheduled {
			return a
		}
	}
	return nil
}

// awaitOffered returns when Temporal offers the training task of a lost worker again.
func (s *deployment) awaitOffered(id string) {
	for deadline := time.Now().Add(2 * time.Minute); s.offered(id) == nil; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatal("the training was never offered again")
		}
	}
}

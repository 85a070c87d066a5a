package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/workflows"
)

// Signals that arrive while no worker runs are applied in their order: a run resumed and paused again stays paused.
func TestSignalsWhileNoWorkerRuns(t *testing.T) {
	g := newServers(t)
	s := newDeployment(t, g, "signals")
	s.startWorker()
	cfg := drillConfig(config.EmptyBank) // pauses before it proposes programs, when nothing has been compiled yet
	cfg.Data = config.Data{Train: 60, Val: 40, Test: 5, Shard: 60, Starts: 1}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	s.execute(ctx, s.name, cfg)
	tell := func(signal string) {
		t.Helper()
		if err := g.c.SignalWorkflow(ctx, s.name, "", signal, nil); err != nil {
			t.Fatal(err)
		}
	}
	tell(workflows.SignalPause)
	s.awaitWork(ctx, workflows.StagePaused)
	s.killWorker()
	tell(workflows.SignalResume)
	tell(workflows.SignalPause)
	s.startWorker()
	s.awaitTask(ctx, 3)
	value, err := g.c.QueryWorkflow(ctx, s.name, "", workflows.QueryStatus)
	if err != nil {
		t.Fatal(err)
	}
	var status workflows.Status
	if err := value.Get(&status); err != nil || !status.Paused || status.Stage != "paused" {
		t.Errorf("told last to pause, it is %q, paused %v (%v)", status.Stage, status.Paused, err)
	}
	if *histories != "" {
		s.record(filepath.Join(*histories, "signals"))
	}
	if err := g.c.TerminateWorkflow(ctx, s.name, "", "the test is over"); err != nil {
		t.Error(err)
	}
}

// awaitTask returns when the run has completed a workflow task after the given number of signals.
func (s *deployment) awaitTask(ctx context.Context, signals int) {
	for {
		came, done := 0, false
		events := s.c.GetWorkflowHistory(ctx, s.name, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			e, err := events.Next()
			if err != nil {
				s.t.Fatal(err)
			}
			switch e.EventType {
			case enums.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED:
				came, done = came+1, false
			case enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
				done = true
			}
		}
		if done && came == signals {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

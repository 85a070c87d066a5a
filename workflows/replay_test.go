package workflows_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/workflows"
)

// histories returns the recorded histories. They come from the crash drill's undisturbed run:
//
//	go test ./worker -run Killed -args -histories ../workflows/testdata/history
//
// and, in the folder signals, from a run that was paused, resumed and paused again (-run SignalsWhile). Those in the
// folder demo are of `make demo` at commit 63929f7, the last one before the activities got typed handles. Those in the
// folder spent are of a run whose rounds tell it what they spend, at commit ac3af4b. Those in the folder weights have a
// sketch, learned weights and annealing: examples/demo.yaml with sketch.products=200, at commit 206b152. That in the
// folder merged is the last pass of a run of examples/writers.yaml that trains weights and merges twins before the
// annealing, at commit 040cc7f. That in the folder described is the last pass of a run on AM CVRP-50 in which programs
// that had lost a term were described anew, at commit 6de2f3e.
func histories(t *testing.T) map[string]*history.History {
	const dir = "testdata/history"
	var paths []string
	for _, folder := range []string{"", "demo", "signals", "spent", "weights", "merged", "described"} {
		found, err := filepath.Glob(filepath.Join(dir, folder, "*.json"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no histories: %v", folder, err)
		}
		paths = append(paths, found...)
	}
	all := map[string]*history.History{}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		h, err := client.HistoryFromJSON(f, client.HistoryJSONOptions{})
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all[strings.TrimPrefix(strings.TrimSuffix(path, ".json"), dir+"/")] = h
	}
	return all
}

func replay(h *history.History) error {
	options := worker.WorkflowReplayerOptions{Interceptors: workflows.Interceptors()}
	r, err := worker.NewWorkflowReplayerWithOptions(options)
	if err != nil {
		return err
	}
	workflows.Register(r)
	// Children are named after their parent, so the replay needs the recorded run's ID.
	id := h.Events[0].GetWorkflowExecutionStartedEventAttributes().GetWorkflowId()
	return r.ReplayWorkflowHistoryWithOptions(log.NewStructuredLogger(slog.New(slog.DiscardHandler)), h,
		worker.ReplayWorkflowHistoryOptions{OriginalExecution: workflow.Execution{ID: id}})
}

// Changed workflow code must still be able to continue running executions.
func TestRecordedHistoriesReplay(t *testing.T) {
	all := histories(t)
	for _, name := range []string{
		workflows.NameDistill, workflows.NameRollout, workflows.NameTextGradRound, workflows.NameAdd,
	} {
		found := false
		for recorded := range all {
			found = found || strings.HasPrefix(recorded, name)
		}
		if !found {
			t.Errorf("no history of %s is recorded", name)
		}
	}
	for name, h := range all {
		t.Run(name, func(t *testing.T) {
			if err := replay(h); err != nil {
				t.Error(err)
			}
		})
	}
}

// The check itself can fail: a history in which another activity was scheduled does not replay.
func TestForeignHistoriesDoNotReplay(t *testing.T) {
	for name, h := range histories(t) {
		t.Run(name, func(t *testing.T) {
			for _, e := range h.Events {
				if a := e.GetActivityTaskScheduledEventAttributes(); a != nil {
					a.ActivityType.Name = "SomethingElse"
					break
				}
			}
			if replay(h) == nil {
				t.Error("the altered history replays")
			}
		})
	}
}

// A run goes on with the config that it began with, even if a later version refuses such configs.
func TestHistoriesOfRefusedConfigsReplay(t *testing.T) {
	for _, name := range []string{"Distill-1", "demo/Distill-2"} { // the first pass of a run, and a later one
		h := histories(t)[name]
		input := h.Events[0].GetWorkflowExecutionStartedEventAttributes().Input.Payloads[0]
		var cfg map[string]any
		if err := json.Unmarshal(input.Data, &cfg); err != nil {
			t.Fatal(err)
		}
		cfg["seed"], cfg["nodes"] = 1<<40, 2
		var err error
		if input.Data, err = json.Marshal(cfg); err != nil {
			t.Fatal(err)
		}
		if err := replay(h); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What comes with the last activity of a pass has its effect: a run that is told to stop or cancelled then does not
// continue as new.
func TestSignalsBeforeContinueAsNew(t *testing.T) {
	for name, continues := range map[string]bool{
		workflows.SignalResume: true, workflows.SignalStop: false, "cancel": false,
	} {
		h := histories(t)["Distill-1"]
		if last := h.Events[len(h.Events)-1]; last.EventType != enums.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW {
			t.Fatalf("the history ends with %s", last.EventType)
		}
		for _, e := range slices.Backward(h.Events) {
			// Between the end of the last activity and the task that continues as new. Replay does not read this event.
			if e.EventType != enums.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED {
				continue
			}
			e.EventType = enums.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED
			e.Attributes = &history.HistoryEvent_WorkflowExecutionSignaledEventAttributes{
				WorkflowExecutionSignaledEventAttributes: &history.WorkflowExecutionSignaledEventAttributes{
					SignalName: name,
				},
			}
			if name == "cancel" {
				e.EventType = enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED
				e.Attributes = &history.HistoryEvent_WorkflowExecutionCancelRequestedEventAttributes{}
			}
			break
		}
		if err := replay(h); continues != (err == nil) {
			t.Errorf("%s: continues as new %v, want %v: %v", name, err == nil, continues, err)
		}
	}
}

package runs

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/failure/v1"
	"go.temporal.io/api/workflow/v1"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/epb-nco/epb/workflows"
)

// What a try that is over has told says nothing of the one under way, and what a dead worker told says nothing at all.
func TestOnlyTheLivingTell(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Skip(err)
	}
	began := time.Now()
	silent := &failure.Failure{Message: "activity Heartbeat timeout", FailureInfo: &failure.Failure_TimeoutFailureInfo{
		TimeoutFailureInfo: &failure.TimeoutFailureInfo{TimeoutType: enums.TIMEOUT_TYPE_HEARTBEAT},
	}}
	unanswered := &failure.Failure{FailureInfo: &failure.Failure_ApplicationFailureInfo{
		ApplicationFailureInfo: &failure.ApplicationFailureInfo{Type: workflows.ErrLLMNoAnswer},
	}}
	const told = `{"what":"waiting for the writer","spend":{"calls":2,"input_tokens":20}}`
	for name, tt := range map[string]struct {
		pid   int
		at    time.Duration // of the heartbeat, from the begin of the try
		last  *failure.Failure
		kind  string
		tells bool
	}{
		"alive":                     {os.Getpid(), time.Second, silent, WaitAgain, true},
		"alive, with an LLM away":   {os.Getpid(), time.Second, unanswered, WaitLLM, true},
		"of the last try":           {os.Getpid(), -time.Second, silent, WaitAgain, false},
		"of a dead worker":          {dead.Process.Pid, time.Second, silent, WaitWorker, false},
		"of a dead one, LLM away":   {dead.Process.Pid, time.Second, unanswered, WaitWorker, false},
		"of the last try, LLM away": {os.Getpid(), -time.Second, unanswered, WaitLLM, false},
	} {
		var p Pending
		p.activity(t.Context(), nil, &workflow.PendingActivityInfo{
			ActivityType: &common.ActivityType{Name: "Step"}, State: enums.PENDING_ACTIVITY_STATE_STARTED, Attempt: 2,
			LastStartedTime: timestamppb.New(began), LastHeartbeatTime: timestamppb.New(began.Add(tt.at)),
			LastWorkerIdentity: fmt.Sprintf("%d@%s@epb-llm", tt.pid, host), LastFailure: tt.last,
			HeartbeatDetails: &common.Payloads{Payloads: []*common.Payload{{Data: []byte(told)}}},
		})
		if len(p.Waits) != 1 || p.Waits[0].Kind != tt.kind || (p.Running != nil) != tt.tells {
			t.Errorf("%s: %v and progress %+v, want kind %q", name, p.Waits, p.Running, tt.kind)
		}
		if p.Spent.Calls != 2 { // the next try finds these answers and counts them
			t.Errorf("%s: spent %v, want 2 calls", name, p.Spent)
		}
	}
}

func TestDeserted(t *testing.T) {
	for queue, want := range map[string]string{
		workflows.ComputeQueue: "no worker asks for it on task queue epb-compute: unless all " +
			"have been busy for minutes, start one with epb dev up worker",
		workflows.QueueFor(workflows.LLMQueue, "k1"): "no worker with the numeric kernels k1 asks for it on task " +
			"queue epb-llm-k1: unless all have been busy for minutes, start one on a machine",
	} {
		if got := deserted(queue, "cut off"); !strings.HasPrefix(got, want) ||
			!strings.HasSuffix(got, "; before that it failed: cut off") {
			t.Errorf("%s: %q", queue, got)
		}
	}
}

// What a run has spent counts once: by the rounds that are over, the one under way, and its activities under way. What
// the round told its run and what it answers are the same sum, of which the later one counts.
func TestSpending(t *testing.T) {
	calls := func(n int) workflows.Spend { return workflows.Spend{Calls: n} }
	for name, tt := range map[string]struct {
		told, asked, pending, want int
	}{
		"no round":          {0, 0, 0, 100},
		"it told":           {5, 0, 0, 105},
		"it answers":        {0, 5, 0, 105},
		"it told later":     {6, 5, 0, 106},
		"it answers later":  {5, 6, 0, 106},
		"and what goes on":  {5, 6, 2, 108},
		"no worker answers": {5, 0, 2, 107},
	} {
		p := Pending{Round: calls(tt.asked), Spent: calls(tt.pending)}
		got := p.Spending(workflows.Status{Spend: calls(100), Round: calls(tt.told)})
		if got.Calls != tt.want {
			t.Errorf("%s: %d calls, want %d", name, got.Calls, tt.want)
		}
	}
}

package runs

import (
	"encoding/json"
	"testing"
	"time"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/epb-nco/epb/workflows"
)

// An age is told in the largest unit of which it has at least two.
func TestAge(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"119 s": 119*time.Second + 900*time.Millisecond, "2 min": 2 * time.Minute, "119 min": 2*time.Hour - time.Second,
		"2 h": 2 * time.Hour, "47 h": 48*time.Hour - time.Second, "2 days": 48 * time.Hour, "0 s": 0,
	} {
		if got := Age(d); got != want {
			t.Errorf("%v is told as %s, want %s", d, got, want)
		}
	}
}

// What the list has of a run is its memo: the last agreement, what was spent with the round under way, and the start of
// its first execution. It has so much time left as its own estimate says, and none once that is over.
func TestListingOfAMemo(t *testing.T) {
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ends := began.Add(5 * time.Hour)
	memo, err := json.Marshal(workflows.Status{
		Stage: "training", Teacher: "am20", Started: began, Pass: 2, Epoch: 7, Bank: 5, Ends: &ends,
		Spend: workflows.Spend{Calls: 3}, Round: workflows.Spend{Calls: 2},
		Points: []workflows.Point{{Top1: 0.5}, {Top1: 0.75}},
	})
	if err != nil {
		t.Fatal(err)
	}
	l := list(&workflow.WorkflowExecutionInfo{
		Execution: &common.WorkflowExecution{WorkflowId: "mine"}, Status: enums.WORKFLOW_EXECUTION_STATUS_RUNNING,
		StartTime: timestamppb.New(began.Add(time.Hour)),
		Memo:      &common.Memo{Fields: map[string]*common.Payload{workflows.MemoStatus: {Data: memo}}},
	})
	if l.ID != "mine" || l.Teacher != "am20" || l.Pass != 2 || l.Epoch != 7 || l.Bank != 5 || *l.Top1 != 0.75 ||
		l.Spend.Calls != 5 || !l.Started.Equal(began) {
		t.Errorf("%+v, top-1 %v, spent %v", l, *l.Top1, l.Spend)
	}
	for after, want := range map[time.Duration]time.Duration{2 * time.Hour: 3 * time.Hour, 6 * time.Hour: 0} {
		if got := timeLeft(*l.status, began.Add(after)); got != want {
			t.Errorf("%v after its start %v are left, want %v", after, got, want)
		}
	}
	all := []Listing{l, {ID: "unknown start"}}
	SetAges(all, began.Add(90*time.Second))
	if all[0].Age == nil || *all[0].Age != 90 || all[1].Age != nil {
		t.Errorf("ages %v and %v, want 90 s and none", all[0].Age, all[1].Age)
	}
}

// On the test instances the agreement is that which was measured there; before, it is that of the validation states.
func TestAgreementOfARun(t *testing.T) {
	val, gap := 0.5, 1.5
	l := Listing{Top1: &val}
	if *l.Agreement() != 0.5 || l.Gap() != nil {
		t.Errorf("of a run that goes on: %v and %v", *l.Agreement(), l.Gap())
	}
	l.End = &End{State: Completed, Measured: &workflows.Measured{Top1: 0.75, Gap: &gap}}
	if *l.Agreement() != 0.75 || *l.Gap() != 1.5 {
		t.Errorf("of one that is over: %v and %v", *l.Agreement(), *l.Gap())
	}
}

// Activities that are held up alike are told once, with their number.
func TestWaitsAreCounted(t *testing.T) {
	var p Pending
	for _, reason := range []string{"no store", "no store", "no disk"} {
		p.add(Wait{Kind: WaitRetry, Step: "Judge", Reason: reason})
	}
	if len(p.Waits) != 2 || p.Waits[0].Count != 2 || p.Waits[1].Count != 1 {
		t.Errorf("waits %+v, want two for the store and one for the disk", p.Waits)
	}
}

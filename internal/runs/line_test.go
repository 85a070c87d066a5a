package runs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/workflows"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		status workflows.Status
		want   string
	}{
		{workflows.Status{Stage: "training", Paused: true}, "0 tokens · pauses after this step"},
		{workflows.Status{Stage: "paused", Paused: true}, "0 tokens"},
		{workflows.Status{Stage: "training", Stop: true, Note: "waiting for LLM: 401"},
			"0 tokens · told to stop · waiting for LLM: 401"},
	} {
		if got := Line(tt.status, nil, time.Time{}); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%+v: %q, want it to end in %q", tt.status, got, tt.want)
		}
	}
}

// TestHoldUps: a hold-up is reported once, however often the step is tried, and again if it comes back.
func TestHoldUps(t *testing.T) {
	var out strings.Builder
	held := HoldUps(nil)
	fails := Wait{Kind: WaitRetry, Step: "Train", Count: 1, Try: 1, Reason: "no store"}
	again := Wait{Kind: WaitAgain, Step: "Train", Count: 1, Try: 2, Reason: "no store"}
	for _, waits := range [][]Wait{{fails}, {again}, {fails}, {{Kind: WaitTurn, Step: "Judge"}}, {again},
		{fails, {Kind: WaitLLM, Step: "Step", Reason: "503"}}} {
		for _, w := range held.New(waits) {
			fmt.Fprintln(&out, w)
		}
	}
	want := "waiting: Train failed, try 1, the next is due: no store\ngoing on: Train runs again, try 2; the one " +
		"before failed: no store\n" +
		"waiting: Step: 503; try 0, under way\n"
	if out.String() != want {
		t.Errorf("printed\n%s, want\n%s", out.String(), want)
	}
}

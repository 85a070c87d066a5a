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

// The epochs that a running segment has finished count, though the run's status has them only once the segment is over.
func TestLineCountsTheRunningSegment(t *testing.T) {
	status := workflows.Status{Stage: "training", Epoch: 4, Epochs: 20}
	running := &workflows.Progress{
		What: "epoch 7", Done: 1, Total: 4, Train: &workflows.TrainOutput{Points: make([]workflows.Point, 2)},
	}
	got := Line(status, running, time.Time{})
	if !strings.Contains(got, "epoch 6 of at most 20") || !strings.HasSuffix(got, "epoch 7 25%") {
		t.Errorf("%q, want epoch 6 of at most 20, and that epoch 7 runs", got)
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

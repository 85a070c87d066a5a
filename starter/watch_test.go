package main

import (
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

// TestPrintNews: what happened to the bank stands after the epoch it followed, also where all of it is read at once; nothing is printed twice.
func TestPrintNews(t *testing.T) {
	var out strings.Builder
	screen, points, events := terminal.NewScreen(&out), 0, 0
	s := workflows.Status{
		Points: []workflows.Point{{Epoch: 1}, {Epoch: 2}, {Epoch: 3}},
		Events: []workflows.Event{{Epoch: 2, Kind: workflows.EventTextGrad, Name: "near"}, {Epoch: 2, Kind: workflows.EventDrop, Name: "far"}},
	}
	printNews(screen, s, &points, &events)
	s.Points = append(s.Points, workflows.Point{Epoch: 4})
	printNews(screen, s, &points, &events)
	var got []string
	for line := range strings.Lines(out.String()) {
		fields := strings.Fields(line)
		got = append(got, strings.Join(fields[1:3], " "))
	}
	if want := "1 train, 2 train, 2 textgrad, 2 drop, 3 train, 4 train"; strings.Join(got, ", ") != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestStatusLine(t *testing.T) {
	for _, tt := range []struct {
		status workflows.Status
		want   string
	}{
		{workflows.Status{Stage: "training", Paused: true}, "0 tokens · pauses after this step"},
		{workflows.Status{Stage: "paused", Paused: true}, "0 tokens"},
		{workflows.Status{Stage: "training", Stop: true, Note: "waiting for LLM: 401"}, "0 tokens · told to stop · waiting for LLM: 401"},
	} {
		if got := statusLine(tt.status, workflows.Progress{}, false, time.Time{}, 0); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%+v: %q, want it to end in %q", tt.status, got, tt.want)
		}
	}
}

// TestHoldUps: what holds a run up is told once, however often it is tried again, and told anew after it was over.
func TestHoldUps(t *testing.T) {
	var out strings.Builder
	screen, held := terminal.NewScreen(&out), holdUps(nil)
	fails := wait{Kind: waitRetry, Step: "Train", Count: 1, Try: 1, Reason: "no store"}
	again := wait{Kind: waitAgain, Step: "Train", Count: 1, Try: 2, Reason: "no store"}
	for _, waits := range [][]wait{{fails}, {again}, {fails}, {{Kind: waitTurn, Step: "Judge"}}, {again}, {fails, {Kind: waitLLM, Step: "Step", Reason: "503"}}} {
		held.print(screen, waits)
	}
	want := "waiting: Train failed, try 1, the next is due: no store\ngoing on: Train runs again, try 2; the one before failed: no store\n" +
		"waiting: Step: 503; try 0, under way\n"
	if out.String() != want {
		t.Errorf("printed\n%s, want\n%s", out.String(), want)
	}
}

package main

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

// TestPrintNews: what happened to the bank stands after the epoch it followed, also where all of it is read at once;
// nothing is printed twice.
func TestPrintNews(t *testing.T) {
	var out strings.Builder
	screen, points, events := terminal.NewScreen(&out), 0, 0
	s := workflows.Status{
		Points: []workflows.Point{{Epoch: 1}, {Epoch: 2}, {Epoch: 3}},
		Events: []workflows.Event{{Epoch: 2, Kind: workflows.EventTextGrad, Name: "near"},
			{Epoch: 2, Kind: workflows.EventDrop, Name: "far"}},
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

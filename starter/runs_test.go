package main

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/workflows"
)

// TestPrintRuns: a finished run shows what was measured on the test instances, one that goes on the validation states.
func TestPrintRuns(t *testing.T) {
	val, gap, young, old := 0.5, -0.25, 90., 2*24*3600.
	list := []runs.Listing{
		{ID: "going", Stage: "textgrad", Pass: 1, Epoch: 3, Bank: 4, Top1: &val, Age: &young,
			Spend: &workflows.Spend{Calls: 1, Input: 10}},
		{ID: "over", Pass: 2, Epoch: 8, Bank: 5, Top1: &val, Age: &old,
			End: &runs.End{State: runs.Completed, Measured: &workflows.Measured{Top1: 0.75, Gap: &gap}}},
		{ID: "lost", End: &runs.End{State: runs.Completed}}, // its report, and when it began
	}
	var out strings.Builder
	printRuns(&out, list, 3)
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{
		"run teacher age pass epoch top-1 gap bank LLM stage or end",
		"going 90 s 1 3 50.0 % 4 1 call, 10 tokens textgrad",
		"over 2 days 2 8 75.0 % -0.25 % 5 done", "lost done", "", "3 more: epb runs --most 6",
	} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("line %d: %q, want %q", i, got, want)
		}
	}
}

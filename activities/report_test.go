package activities

import (
	"testing"

	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/workflows"
)

// A report tells of every change of the bank, and of what kept it from changing; waiting for the LLM is neither.
func TestReportEvent(t *testing.T) {
	for kind, want := range map[workflows.EventKind]report.Event{
		workflows.EventTextGrad: {Kind: report.EditAccepted, Gain: 0.25},
		workflows.EventRejected: {Kind: report.EditRejected},
		workflows.EventAdd:      {Kind: report.Added, Gain: -0.25},
		workflows.EventDrop:     {Kind: report.Dropped, Gain: 0.25},
		workflows.EventLimit:    {Kind: "limit reached"},
		workflows.EventBuild:    {Kind: "build changed"},
		workflows.EventWaiting:  {},
	} {
		got, ok := reportEvent(workflows.Event{Epoch: 3, Kind: kind, Name: "near", Detail: "why", Before: 0.75, After: 0.5})
		if want.Kind != "" {
			want.Epoch, want.Heuristic, want.Note = 3, "near", "why"
		}
		if got != want || ok != (want.Kind != "") {
			t.Errorf("%s: %+v (%v), want %+v", kind, got, ok, want)
		}
	}
}

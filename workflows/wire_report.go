package workflows

import (
	"time"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
)

// Activities at the end of a run.
var (
	// Evaluate solves the test instances with every policy. The result is a report.Data as JSON.
	Evaluate = Activity[EvaluateInput, store.Ref]{"Evaluate", ComputeQueue}
	// Report writes the report and the manifest.
	Report = Activity[ReportInput, Result]{"Report", ComputeQueue}
)

// EvaluateInput asks what every policy makes of the test instances.
type EvaluateInput struct {
	Config config.Distill `json:"config"`
	NamedTeacher
	ModelAndData
}

// ReportInput is all that the report tells of a run.
type ReportInput struct {
	RunID    string         `json:"run_id"`
	Started  time.Time      `json:"started"`
	Finished time.Time      `json:"finished"`
	Config   config.Distill `json:"config"`
	NamedTeacher
	Model     Model          `json:"model"`
	Evaluated store.Ref      `json:"evaluated"`
	Points    []Point        `json:"points"`
	Events    []Event        `json:"events"`
	Weights   []WeightChange `json:"weights,omitempty"` // by pass over the weights
	Spend     Spend          `json:"spend"`
	Ended     string         `json:"ended"`
	Val       []Shard        `json:"val"`
}

// Result is what Distill returns and `epb report` downloads. A run stopped before training has neither manifest nor
// report. Its words come first, since the UI shows only the beginning.
type Result struct {
	Summary  string    `json:"summary"` // one line
	Ended    string    `json:"ended"`   // why Alg. 1 ended
	Model    Model     `json:"model"`
	Manifest string    `json:"manifest"`              // key of the run's manifest in the store
	Report   store.Ref `json:"report"`                // report.html
	Data     store.Ref `json:"data"`                  // report.json
	Val      []Shard   `json:"val"`                   // validation states, to judge an edited bank on
	Version  string    `json:"epb_version,omitempty"` // commit of the worker that wrote the report
	Kernels  string    `json:"kernels,omitempty"`     // numeric kernels that all of the run's bytes come from
	Measured *Measured `json:"measured,omitempty"`    // nil in results of earlier versions
}

// Measured is how the student did on the test instances.
type Measured struct {
	Top1 float64  `json:"top1"`                  // agreement with the teacher, in [0,1]
	Gap  *float64 `json:"gap_percent,omitempty"` // to the teacher's greedy cost, in per cent; nil: not measured
}

// ManifestKey is the key in the store of the manifest of a run, its Result as JSON.
func ManifestKey(runID string) string { return "runs/" + runID + "/result.json" }

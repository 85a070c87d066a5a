package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// failures holds the failures that the critic is shown, by owner: a heuristic of the bank or a candidate of Add. It is
// stored as JSON.
type failures struct {
	Context textgrad.PromptContext `json:"context"`
	Owners  [][]textgrad.Failure   `json:"owners"`

	// Programs and Records belong to the owners. Failures that an earlier version stored have neither.
	Programs []store.Ref       `json:"programs,omitempty"` // zero where an owner has no failures
	Records  []textgrad.Record `json:"records,omitempty"`
}

// newFailures returns the failures of so many owners that have none yet.
func newFailures(shared textgrad.PromptContext, owners int) failures {
	return failures{
		Context: shared, Owners: make([][]textgrad.Failure, owners), Programs: make([]store.Ref, owners),
		Records: make([]textgrad.Record, owners),
	}
}

// record returns the record of a program, or nil without one.
func (f failures) record(program store.Ref) *textgrad.Record {
	if i := slices.Index(f.Programs, program); i >= 0 && i < len(f.Records) {
		return &f.Records[i]
	}
	return nil
}

// faultSet is the fault states of Alg. 2, line 1, divided by capacity.Split. It is stored as JSON.
type faultSet struct {
	Context textgrad.PromptContext `json:"context"`
	Shards  []workflows.Shard      `json:"shards"`
	Refine  [][]int32              `json:"refine"`   // per shard, increasing
	HeldOut [][]int32              `json:"held_out"` // per shard, increasing
	Shown   []textgrad.Failure     `json:"shown"`    // some of Refine, each as seen from the closest heuristic

	Evidence []evidence.Change `json:"evidence,omitempty"` // what would bring the closest heuristics nearer there

	// Weights, unless nil, has the weights of a candidate trained on Refine before it is judged.
	Weights *config.Weights `json:"weights,omitempty"`
}

// blamed is heuristic m of some that were attributed, with its worst cases.
type blamed struct {
	bank.Heuristic
	m     int
	cases []textgrad.Case
}

// findings returns what the critic is shown of a heuristic, its cases with what its weights contribute, and what its
// writer is told, its record. The evidence in the record follows from the gradient of the loss by the heuristic's
// scores on shard i, in multiples of τ_h.
func (a *Activities) findings(
	ctx context.Context, setting bank.Setting, h blamed, seen []textgrad.Seen, gradient func(i int) ([]float32, error),
) ([]textgrad.Failure, textgrad.Record, error) {
	record, niche := textgrad.NewRecord(seen, h.m)
	agreements := make([]agreement.Agreements, len(seen))
	for i, x := range seen {
		agreements[i] = x.Agreements
	}
	modules, giveBack, err := a.Store.Programs(ctx, []bank.Heuristic{h.Heuristic})
	if err != nil {
		return nil, record, err
	}
	defer giveBack()
	shown, err := textgrad.FailuresOf(ctx, setting, h.Heuristic, modules[0], agreements, h.m, h.cases)
	if err != nil {
		return nil, record, err
	}
	record.Evidence, err = textgrad.Changes(setting, h.Source, agreements, niche, gradient)
	return shown, record, err
}

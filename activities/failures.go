package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
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

// promptContext returns what all prompts of a round share: the sharpness on the states of one shard, and the habits on
// the validation states, unless noHabits.
func promptContext(
	ctx context.Context, s *artifact.Store, setting bank.Setting, sh *rollout.Shard, data workflows.Dataset,
	allow []sdk.Class, terms int, noHabits bool,
) (textgrad.PromptContext, error) {
	if noHabits {
		return textgrad.NewPromptContext(setting, sh, nil, allow, terms), nil
	}
	profile, err := teacherHabits(ctx, s, data)
	return textgrad.NewPromptContext(setting, sh, profile.Sentences(), allow, terms), err
}

// failuresOf describes the cases of heuristic m, with what its weights contribute. h is that heuristic.
func failuresOf(
	ctx context.Context, s *artifact.Store, setting bank.Setting, h bank.Heuristic, agreements []agreement.Agreements,
	m int, cases []textgrad.Case,
) ([]textgrad.Failure, error) {
	modules, giveBack, err := s.Programs(ctx, []bank.Heuristic{h})
	if err != nil {
		return nil, err
	}
	defer giveBack()
	return textgrad.FailuresOf(ctx, setting, h, modules[0], agreements, m, cases)
}

package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/llm"
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
	c := textgrad.PromptContext{
		Setting: setting, N: sh.N, Sharpness: agreement.SharpnessOf(sh), TauH: bank.DefaultTauH, Allow: allow,
		Terms: terms,
	}
	if noHabits {
		return c, nil
	}
	profile, err := teacherHabits(ctx, s, data)
	c.Habits = profile.Sentences()
	return c, err
}

// failure describes state s as heuristic m sees it.
func failure(setting bank.Setting, a agreement.Agreements, m int, s int32) (textgrad.Failure, error) {
	Vm := a.DistributionAt(m, s)
	f := textgrad.NewFailure(a.Shard, int(s), Vm)
	if set, ok := features.Of(setting.Problem, setting.View, sdk.ClassLocal); ok {
		return f.WithFeatures(set, a.Shard, int(s), Vm)
	}
	return f, nil
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
	var out []textgrad.Failure
	for _, c := range cases {
		a := agreements[c.Shard]
		f, err := failure(setting, a, m, c.State)
		if err != nil {
			return nil, err
		}
		program, teacher := textgrad.Picks(a.Shard, int(c.State), a.DistributionAt(m, c.State))
		f.Terms, f.Score, err = evidence.Terms(ctx, modules[0], h.Source, a.Shard, c.State, program, teacher)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// prompts adds the config's model settings to the context that all prompts of a run share.
func prompts(c textgrad.PromptContext, cfg config.LLM) textgrad.PromptContext {
	c.Models = map[llm.Role]string{llm.Critic: cfg.Critic, llm.Writer: cfg.Writer, llm.Proposer: cfg.Proposer}
	c.Temperature, c.MaxTokens = cfg.Temperature, cfg.MaxTokens
	return c
}

package activities

import (
	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/workflows"
)

// failures holds the failures that the critic is shown, by owner: a heuristic of the bank or a candidate of Add. It is
// stored as JSON.
type failures struct {
	Context textgrad.PromptContext `json:"context"`
	Owners  [][]textgrad.Failure   `json:"owners"`
}

// faultSet is the fault states of Alg. 2, line 1, divided by capacity.Split. It is stored as JSON.
type faultSet struct {
	Context textgrad.PromptContext `json:"context"`
	Shards  []workflows.Shard      `json:"shards"`
	Refine  [][]int32              `json:"refine"`   // per shard, increasing
	HeldOut [][]int32              `json:"held_out"` // per shard, increasing
	Shown   []textgrad.Failure     `json:"shown"`    // some of Refine, each as seen from the closest heuristic
}

// promptContext returns what all prompts of a round share, measured on the states of one shard.
func promptContext(setting bank.Setting, sh *rollout.Shard, allow []sdk.Class) textgrad.PromptContext {
	return textgrad.PromptContext{
		Setting: setting, N: sh.N, Sharpness: agreement.SharpnessOf(sh), TauH: bank.DefaultTauH,
		Allow: allow,
	}
}

// failure describes state s as heuristic m sees it.
func failure(a agreement.Agreements, m int, s int32) textgrad.Failure {
	return textgrad.NewFailure(a.Shard, int(s), a.DistributionAt(m, s))
}

// prompts adds the config's model settings to the context that all prompts of a run share.
func prompts(c textgrad.PromptContext, cfg config.LLM) textgrad.PromptContext {
	c.Models = map[llm.Role]string{llm.Critic: cfg.Critic, llm.Writer: cfg.Writer, llm.Proposer: cfg.Proposer}
	c.Temperature, c.MaxTokens = cfg.Temperature, cfg.MaxTokens
	return c
}

// Package prompts renders one prompt of every task with real data, to be read by people or measured by an estimate.
package prompts

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// Request is a request to show, by the name of its task or of the case of it.
type Request struct {
	Name string `json:"task"`
	llm.Request
}

// Sample returns one request of every task, in the order of a run, about the failures of a bank's first program on a
// shard, and the cases that look different. They are the failures that a run would show whose bank had this program
// alone. What depends on earlier replies is taken from the stand-in's.
func Sample(ctx context.Context, cfg config.Distill, b *bank.Bank, sh *rollout.Shard) ([]Request, error) {
	h, others := b.Heuristics[0], b.Heuristics[1:]
	tried, err := try(ctx, b.Setting, h, sh, cfg.TextGrad.Failures)
	if err != nil {
		return nil, err
	}
	failures := tried.failures
	c, err := promptContext(cfg, b.Setting, sh)
	if err != nil {
		return nil, err
	}
	var gradients []textgrad.Gradient
	var descriptions []textgrad.DescriptionGradient
	for _, f := range failures {
		g, err := reply(textgrad.BackwardRequest(h, f, c), textgrad.ParseGradient)
		if err != nil {
			return nil, err
		}
		d, err := reply(textgrad.BackwardDescriptionRequest(h, f, c), textgrad.ParseDescriptionGradient)
		if err != nil {
			return nil, err
		}
		gradients, descriptions = append(gradients, g), append(descriptions, d)
	}
	step := textgrad.StepInput{
		Gradients: gradients, Persistent: gradients[:1], Attempt: 2, Record: &tried.record,
		Accepted: "lowered the validation loss by 0.0041",
		Rejected: []textgrad.Rejected{{
			Source: h.Source, Reason: "validation loss 0.3312 instead of 0.3307",
			Effect: textgrad.Effect{
				Before: tried.record.Stages, After: tried.record.Stages, Won: 7, Lost: 7,
			}.String(),
		}},
	}
	rewrite := textgrad.RewriteInput{Gradients: descriptions, Rejected: step.Rejected, Others: others}
	broken := strings.Replace(h.Source, "score[", "scores[", 1)
	_, problem := heuristic.Check(broken)
	if problem == nil {
		problem = errors.New("check: undefined: scores")
	}
	empty, err := faultsOf(&bank.Bank{Setting: b.Setting}, agreement.Agreements{Shard: sh})
	if err != nil {
		return nil, err
	}
	proposed := textgrad.ProposeInput{
		Failures: tried.faults.shown, Evidence: tried.faults.evidence, Bank: b.Heuristics, Modes: cfg.Add.Modes,
	}
	first := textgrad.ProposeInput{Failures: empty.shown, Evidence: empty.evidence, Modes: cfg.Add.Modes}
	_, unread := textgrad.ParseGradient("The program should look further ahead.")
	requests := []Request{
		{"", textgrad.BackwardRequest(h, failures[0], c)},
		{"again", textgrad.AgainRequest(textgrad.BackwardRequest(h, failures[0], c), unread, 1)},
		{"", textgrad.StepRequest(h, step, c)},
		{"", textgrad.RepairRequest(broken, problem, 1, c)},
		{"", textgrad.DescribeRequest(h.Source, c)},
		{"", textgrad.BackwardDescriptionRequest(h, failures[0], c)},
		{"", textgrad.StepDescriptionRequest(h, rewrite, c)},
		{"", textgrad.ImplementRequest(h.Description, h, c)},
		{"", textgrad.ProposeRequest(proposed, c)},
		{"propose first", textgrad.ProposeRequest(first, c)},
	}
	for i, r := range requests {
		requests[i].Name = cmp.Or(r.Name, strings.ToLower(r.Request.Task()))
	}
	return requests, nil
}

// promptContext returns what all prompts of a run share that begins on these states.
func promptContext(cfg config.Distill, setting bank.Setting, sh *rollout.Shard) (textgrad.PromptContext, error) {
	var usual []string
	if !cfg.LLM.NoHabits {
		profile, err := habits.Measure([]*rollout.Shard{sh}, habits.GapSample)
		if err != nil {
			return textgrad.PromptContext{}, err
		}
		usual = profile.Sentences()
	}
	c := textgrad.NewPromptContext(setting, sh, usual, cfg.BankAllow, cfg.Weights.MostTerms())
	return c.WithModels(cfg.LLM), nil
}

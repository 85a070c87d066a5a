package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/estimate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/prompts"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
)

func estimateCommand() *cobra.Command {
	var from configSource
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "estimate",
		Short: "Say what a run would ask of the language models, in calls, tokens and money",
		Long: `Say how many calls, tokens and dollars a run would take at most, before it is started. Prompts are
rendered with real data and measured; an answer counts as long as the stand-in's, which reasoning models exceed. Prices
come from llm.prices.`,
		Example: `  epb estimate --config examples/demo.yaml
  epb estimate --preset pomo-tsp50 \
    --set 'llm.prices={gpt-5.4: {input: 1.25, output: 10}, claude-sonnet-4.6: {input: 3, output: 15}}'`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := from.read()
			if err != nil {
				return err
			}
			e, err := estimateOnScreen(cmd.Context(), cmd.ErrOrStderr(), cfg, nil)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), e)
			}
			printEstimate(cmd.OutOrStdout(), e, cfg)
			return nil
		},
	}
	from.flags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// estimateOnScreen is estimateRun, which takes a while, with a status on a terminal.
func estimateOnScreen(
	ctx context.Context, w io.Writer, cfg config.Distill, begin *bank.Bank,
) (estimate.Estimate, error) {
	return meanwhile(ctx, terminal.NewScreen(w), "measuring prompts", func() (estimate.Estimate, error) {
		return estimateRun(ctx, cfg, begin)
	})
}

// estimateRun estimates the use of the language models by a run of a config that begins with a bank. nil or an empty
// bank stands for the one that the config names.
func estimateRun(ctx context.Context, cfg config.Distill, begin *bank.Bank) (estimate.Estimate, error) {
	if err := cfg.ValidateForEstimate(); err != nil {
		return estimate.Estimate{}, err
	}
	byTask, err := promptsByTask(ctx, cfg, begin)
	if err != nil {
		return estimate.Estimate{}, err
	}
	return estimate.Of(cfg, byTask)
}

// promptsByTask renders one prompt of every task with programs of the starting bank, or those that its teacher's view
// calls for, and instances of the run's size.
func promptsByTask(
	ctx context.Context, cfg config.Distill, begin *bank.Bank,
) (map[string]llm.Request, error) {
	b := begin
	if b == nil || len(b.Heuristics) == 0 {
		from := cfg.Bank
		if input.HasNoProgram(from) {
			pkg, err := settingOf(cfg, begin).Package()
			if err != nil {
				return nil, err
			}
			from = locate.BuiltinPrefix + pkg.Bank
		}
		var err error
		if b, err = locate.Of(from).Bank(ctx); err != nil {
			return nil, err
		}
	}
	if b.Problem != cfg.Problem {
		return nil, fmt.Errorf("bank %s is for %s, the config's problem is %s", cfg.Bank, b.Problem, cfg.Problem)
	}
	sh, err := prompts.States(ctx, b, cfg.Nodes)
	if err != nil {
		return nil, err
	}
	requests, err := prompts.Sample(ctx, cfg, b, sh)
	byTask := map[string]llm.Request{}
	for _, r := range requests {
		byTask[strings.ToUpper(r.Name)] = r.Request
	}
	return byTask, err
}

// settingOf returns what the programs of a run that begins without one are for.
func settingOf(cfg config.Distill, begin *bank.Bank) bank.Setting {
	of := bank.Setting{Problem: cfg.Problem, View: routing.Full}
	switch {
	case begin != nil:
		return begin.Setting
	case cfg.Teacher == "" && cfg.Bank == config.EmptyBank: // a preset for LEHD, whose teacher is yet to be named
		of.View = routing.Subgraph
	default:
		if t, err := input.LoadTeacher(cfg.Teacher); err == nil { // epb start says what is wrong with a teacher
			of.View = t.Info().View
		}
	}
	return of
}

func printEstimate(w io.Writer, e estimate.Estimate, cfg config.Distill) {
	money := func(s ledger.Spend) string {
		if len(e.Unpriced) > 0 {
			return ""
		}
		return fmt.Sprintf("%.2f", s.USD())
	}
	table := terminal.Table{Right: true}
	table.Row("task", "role", "model", "calls at most", "prompt", "answer", "tokens", "USD")
	for _, r := range e.Rows {
		table.Row(r.Task, string(r.Role), r.Model, fmt.Sprint(r.Calls), fmt.Sprint(r.Prompt), fmt.Sprint(r.Answer),
			fmt.Sprint(r.Spend.Tokens()), money(r.Spend))
	}
	table.Row("all", "", "", fmt.Sprint(e.Total.Calls), "", "", fmt.Sprint(e.Total.Tokens()), money(e.Total))
	table.Fprint(w)
	fmt.Fprintf(w, "\nPrompts are measured at %d bytes a token, answers are as long as the stand-in's; reasoning "+
		"comes on top.\nA program that loses a term in training may be described anew, by a short call that is not "+
		"counted here.\n", estimate.BytesPerToken)
	fmt.Fprintf(w, "With every answer at llm.max_tokens = %d and every reply asked for again or repaired %d times: "+
		"%s.\n", cfg.LLM.MaxTokens, cfg.LLM.Repairs, e.Longest)
	for _, model := range slices.Sorted(maps.Keys(e.Unpriced)) {
		fmt.Fprintf(w, "llm.prices has no %s: money is not estimated.\n", model)
	}
	if fits := e.Fits(cfg); fits != "" {
		fmt.Fprintf(w, "Within the limits (calls %d, tokens %d, %.2f USD; 0 is none) this %s.\n",
			cfg.Limits.Calls, cfg.Limits.Tokens, cfg.Limits.USD, fits)
	}
}

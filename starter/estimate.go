package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/standin"
	"github.com/epb-nco/epb/internal/terminal"
)

func estimateCommand() *cobra.Command {
	var file, preset string
	var sets []string
	cmd := &cobra.Command{
		Use:   "estimate",
		Short: "Say what a run would ask of the language models, in calls, tokens and money",
		Long: `Say how many calls, tokens and dollars a run would take at most, before it is started. Prompts are rendered with real data
and measured; an answer counts as long as the stand-in's, which reasoning models exceed. Prices come from llm.prices.`,
		Example: `  epb estimate --config examples/demo.yaml
  epb estimate --preset pomo-tsp50 --set 'llm.prices={gpt-5.4: {input: 1.25, output: 10}, claude-sonnet-4.6: {input: 3, output: 15}}'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := readConfig(file, preset, sets)
			if err != nil {
				return err
			}
			e, err := estimate(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			e.print(cmd.OutOrStdout(), cfg)
			return nil
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "", "YAML or JSON `file`")
	cmd.Flags().StringVar(&preset, "preset", "", "start from the paper's `run`")
	cmd.Flags().StringArrayVar(&sets, "set", nil, "change one `key=value` of the config; repeatable")
	return cmd
}

// readConfig returns the defaults, changed by a preset, then a file, then single keys, each where given.
func readConfig(file, preset string, sets []string) (config.Distill, error) {
	cfg := config.Default()
	var err error
	if preset != "" {
		if cfg, err = config.Preset(preset); err != nil {
			return cfg, err
		}
	}
	if file != "" {
		if err := cfg.MergeFile(file); err != nil {
			return cfg, err
		}
	}
	for _, s := range sets {
		if err := cfg.Set(s); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// llmEstimate is what the LLM side of a run would take.
type llmEstimate struct {
	rows     []estimateRow
	total    ledger.Spend    // answers as long as the stand-in's
	longest  ledger.Spend    // every answer of max_tokens, every program repaired as often as may be
	unpriced map[string]bool // models
}

type estimateRow struct {
	task           string
	role           llm.Role
	model          string
	calls          int
	prompt, answer int // tokens of one call
	spend          ledger.Spend
}

// bytesPerToken turns measured bytes into tokens: about what English and Go take.
const bytesPerToken = 4

// estimable is the config without what an estimate can do without: a teacher, and the price of every model.
func estimable(cfg config.Distill) config.Distill {
	cfg.Teacher, cfg.Limits.USD = cmp.Or(cfg.Teacher, config.BuiltinTeacher), 0
	return cfg
}

// estimate multiplies the sizes of sample prompts with the calls a run makes.
func estimate(ctx context.Context, cfg config.Distill) (llmEstimate, error) {
	if err := estimable(cfg).Validate(); err != nil {
		return llmEstimate{}, err
	}
	e := llmEstimate{unpriced: map[string]bool{}}
	byTask, err := promptsByTask(ctx, cfg)
	if err != nil {
		return e, err
	}
	repair := len(byTask["REPAIR"].System+byTask["REPAIR"].User) / bytesPerToken
	for _, t := range cfg.LLMCalls() {
		req, ok := byTask[t.Task]
		if !ok {
			return e, fmt.Errorf("no prompt of task %s in the sample", t.Task)
		}
		text, err := standin.Answer(req.System, req.User)
		if err != nil {
			return e, err
		}
		row := estimateRow{
			task: t.Task, role: req.Role, model: req.Model, calls: t.Calls,
			prompt: len(req.System+req.User) / bytesPerToken, answer: len(text) / bytesPerToken,
		}
		row.spend = cfg.LLM.Prices.Call(row.model, t.Calls*row.prompt, t.Calls*row.answer)
		row.spend.Calls = t.Calls
		e.rows, e.total = append(e.rows, row), e.total.Plus(row.spend)

		asked, programs := t.Calls, 0 // replies without a program are asked for again, programs repaired
		switch t.Task {
		case "STEP", "IMPLEMENT":
			programs = t.Calls
		case "PROPOSE":
			programs = t.Calls * cfg.Add.Modes
			fallthrough
		default:
			asked += t.Calls * cfg.LLM.Repairs
		}
		longest := cfg.LLM.Prices.Call(row.model, asked*row.prompt, asked*cfg.LLM.MaxTokens)
		longest.Calls = asked
		repairs := cfg.LLM.Prices.Call(cfg.LLM.Writer, programs*cfg.LLM.Repairs*repair, programs*cfg.LLM.Repairs*cfg.LLM.MaxTokens)
		repairs.Calls = programs * cfg.LLM.Repairs
		e.longest = e.longest.Plus(longest).Plus(repairs)
		if _, ok := cfg.LLM.Prices[row.model]; !ok && t.Calls > 0 {
			e.unpriced[row.model] = true
		}
	}
	if len(e.unpriced) > 0 { // the money of the other models alone would be taken for all
		e.total.MicroUSD, e.longest.MicroUSD = 0, 0
	}
	return e, nil
}

// promptsByTask renders one prompt of every task with programs of the starting bank, or those that its teacher's view calls for, and
// instances of the run's size.
func promptsByTask(ctx context.Context, cfg config.Distill) (map[string]llm.Request, error) {
	from := cfg.Bank
	if from == config.EmptyBank {
		of := bank.Setting{Problem: cfg.Problem, View: routing.Full}
		if t, err := loadTeacher(cfg.Teacher); err == nil { // epb start says what is wrong with a teacher
			of.View = t.Info().View
		}
		pkg, err := of.Package()
		if err != nil {
			return nil, err
		}
		from = builtinBank + pkg.Bank
	}
	sh, b, err := samples(ctx, "", from, cfg.Nodes)
	if err != nil {
		return nil, err
	}
	if b.Problem != cfg.Problem {
		return nil, fmt.Errorf("bank %s is for %s, the config's problem is %s", cfg.Bank, b.Problem, cfg.Problem)
	}
	requests, err := sampleRequests(ctx, cfg, b, sh)
	byTask := map[string]llm.Request{}
	for _, r := range requests {
		byTask[strings.ToUpper(r.name)] = r.Request
	}
	return byTask, err
}

func (e llmEstimate) print(w io.Writer, cfg config.Distill) {
	money := func(s ledger.Spend) string {
		if len(e.unpriced) > 0 {
			return ""
		}
		return fmt.Sprintf("%.2f", s.USD())
	}
	table := terminal.Table{Right: true}
	table.Row("task", "role", "model", "calls at most", "prompt", "answer", "tokens", "USD")
	for _, r := range e.rows {
		table.Row(r.task, string(r.role), r.model, fmt.Sprint(r.calls), fmt.Sprint(r.prompt), fmt.Sprint(r.answer),
			fmt.Sprint(r.spend.Tokens()), money(r.spend))
	}
	table.Row("all", "", "", fmt.Sprint(e.total.Calls), "", "", fmt.Sprint(e.total.Tokens()), money(e.total))
	table.Fprint(w)
	fmt.Fprintf(w, "\nPrompts are measured at %d bytes a token, answers are as long as the stand-in's; reasoning comes on top.\n", bytesPerToken)
	fmt.Fprintf(w, "With every answer at llm.max_tokens = %d and every reply asked for again or repaired %d times: %s.\n", cfg.LLM.MaxTokens, cfg.LLM.Repairs, e.longest)
	for _, model := range slices.Sorted(maps.Keys(e.unpriced)) {
		fmt.Fprintf(w, "llm.prices has no %s: money is not estimated.\n", model)
	}
	if b := cfg.Limits.Budget(); b != nil {
		fits := "would fit"
		switch {
		case !b.Allows(e.total):
			fits = "may not fit: the run then goes on without the language models"
		case cfg.Limits.USD > 0 && len(e.unpriced) > 0:
			fits = "may not fit: epb start wants the price of every model"
		}
		fmt.Fprintf(w, "Within the limits (calls %d, tokens %d, %.2f USD; 0 is none) this %s.\n", cfg.Limits.Calls, cfg.Limits.Tokens, cfg.Limits.USD, fits)
	}
}

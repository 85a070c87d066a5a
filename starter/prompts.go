package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/standin"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

func promptsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "prompts", Short: "Read what the language models are told"}
	var file, from string
	show := &cobra.Command{
		Use:   "show [ROLE|TASK|all]",
		Short: "Render the prompts with real data",
		Long: `Render every prompt of a role (critic, writer, proposer), of a task (such as "step" or "backward code"), or all of
them, as a run would send it: real failures of a program of a bank against the teacher, gradients as the rule-based stand-in
writes them. "again" is what follows a reply that could not be read, "propose first" asks for an empty bank's first programs. The
bank decides on problem and view. The states are those of a file (epb rollout) or a run, or come from random instances that the
built-in teacher solves, and where that one does not fit the bank, a program in the place of a teacher.` + bankNames,
		Example: `  epb prompts show
  epb prompts show critic --shard shard.safetensors
  epb prompts show proposer --bank builtin:cvrp-starter
  epb prompts show "step description"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			what := "all"
			if len(args) > 0 {
				what = strings.ToLower(args[0])
			}
			cfg := config.Default()
			sh, b, err := samples(cmd.Context(), file, from, cfg.Nodes)
			if err != nil {
				return err
			}
			requests, err := sampleRequests(cmd.Context(), cfg, b, sh)
			if err != nil {
				return err
			}
			return printPrompts(cmd.OutOrStdout(), requests, what)
		},
	}
	show.Flags().StringVar(&file, "shard", "", "take the states of this `file` of epb rollout, or those of run:ID")
	show.Flags().StringVar(&from, "bank", "", "take the programs of this `bank`")
	cmd.AddCommand(show)
	return cmd
}

// sample is a request to show, by the name of its task or of the case of it.
type sample struct {
	name string
	llm.Request
}

// printPrompts prints the requests of a role or name, or all.
func printPrompts(w io.Writer, requests []sample, what string) error {
	var names []string
	shown := 0
	for _, r := range requests {
		names = append(names, r.name)
		if what != "all" && what != string(r.Role) && what != r.name {
			continue
		}
		shown++
		fmt.Fprintf(w, "━━━ %s · %s · %d bytes ━━━\n\n─── system ───\n\n%s\n─── user ───\n\n%s\n",
			r.name, r.Role, len(r.System)+len(r.User), r.System, r.User)
	}
	if shown == 0 {
		return fmt.Errorf("there is no prompt %q: want all, a role (critic, writer, proposer) or a task (%s)", what, strings.Join(names, ", "))
	}
	return nil
}

// samples returns states and programs to render prompts with: a shard's, a bank's, or those that ship with EPB.
func samples(ctx context.Context, file, from string, nodes int) (*rollout.Shard, *bank.Bank, error) {
	var sh *rollout.Shard
	of := sdk.Packages[0]
	if file != "" {
		var err error
		if sh, err = readShard(ctx, file); err != nil {
			return nil, nil, err
		}
		if of, err = sdk.Deciding(sh.Problem, sh.ViaDepot); err != nil {
			return nil, nil, err
		}
	}
	b, err := findBank(ctx, []string{cmp.Or(from, builtinBank+of.Bank)})
	if err != nil {
		return nil, nil, err
	}
	if sh == nil {
		sh, err = sampleShard(ctx, b, nodes)
	} else if b.Problem != sh.Problem || b.ViaDepot() != sh.ViaDepot {
		err = fmt.Errorf("the states of %s are of %s, the programs of bank %s for %s", file, of.Name, from, b.SDK())
	}
	return sh, b, err
}

// sampleInstances is how many instances a sample of states is drawn from.
const sampleInstances = 20

// sampleShard returns states as the programs of a bank see them, on random instances: the built-in teacher's or, where that is not
// theirs, those of a program that ships with EPB.
func sampleShard(ctx context.Context, b *bank.Bank, nodes int) (*rollout.Shard, error) {
	var p routing.Policy
	t, err := loadTeacher(config.BuiltinTeacher)
	if err != nil {
		return nil, err
	}
	of, err := b.Package()
	if err != nil {
		return nil, err
	}
	if info := t.Info(); info.Problem == b.Problem && info.View == b.View {
		p = t
	} else {
		tools, err := compile.Find()
		if err != nil {
			return nil, err
		}
		other, err := bank.Builtin(of.Bank)
		if err != nil {
			return nil, err
		}
		other.Heuristics = other.Heuristics[len(other.Heuristics)-1:]
		programs, err := evaluate.BuildPrograms(ctx, tools, other, nil)
		if err != nil {
			return nil, err
		}
		defer programs.Close()
		p = programs.Singles(startrule.None)[0]
	}
	problem := problems.Must(b.Problem)
	insts := problem.Generate(nodes, sampleInstances, 1)
	run := routing.Run{Start: problem.Traits().Depots(), Record: true}
	return rollout.Record(ctx, p, insts, func(int) []routing.Run { return []routing.Run{run} }, nil)
}

// sampleRequests returns one request of every task, in the order of a run, about the worst failures of a bank's first program on a
// shard, and the cases that look different. What depends on earlier replies is taken from the stand-in's.
func sampleRequests(ctx context.Context, cfg config.Distill, b *bank.Bank, sh *rollout.Shard) ([]sample, error) {
	h, others := b.Heuristics[0], b.Heuristics[1:]
	failures, err := sampleFailures(ctx, h, sh, max(cfg.TextGrad.Failures, textgrad.ProposedFailures))
	if err != nil {
		return nil, err
	}
	c := textgrad.PromptContext{
		Setting: b.Setting, N: sh.N, Sharpness: agreement.SharpnessOf(sh), TauH: bank.DefaultTauH,
		Models:      map[llm.Role]string{llm.Critic: cfg.LLM.Critic, llm.Writer: cfg.LLM.Writer, llm.Proposer: cfg.LLM.Proposer},
		Temperature: cfg.LLM.Temperature, MaxTokens: cfg.LLM.MaxTokens,
	}
	var gradients []textgrad.Gradient
	var descriptions []textgrad.DescriptionGradient
	for _, f := range failures[:min(cfg.TextGrad.Failures, len(failures))] {
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
		Gradients: gradients, Persistent: gradients[:1], Attempt: 2,
		Rejected: []textgrad.Rejected{{Source: h.Source, Reason: "validation loss 0.3312 instead of 0.3307"}},
	}
	broken := strings.Replace(h.Source, "score[", "scores[", 1)
	_, problem := compile.Check(broken)
	if problem == nil {
		problem = errors.New("check: undefined: scores")
	}
	even := make([]float32, len(sh.Candidates)) // what nothing is preferred by
	proposed := textgrad.ProposeInput{
		Failures: failures[:min(textgrad.ProposedFailures, len(failures))], Bank: b.Heuristics, Modes: cfg.Add.Modes, Attempt: 1,
	}
	first := proposed
	first.Failures, first.Bank = worstFailures(sh, even, 1, textgrad.ProposedFailures), nil
	_, unread := textgrad.ParseGradient("The program should look further ahead.")
	requests := []sample{
		{"", textgrad.BackwardRequest(h, failures[0], c)},
		{"again", textgrad.AgainRequest(textgrad.BackwardRequest(h, failures[0], c), unread, 1)},
		{"", textgrad.StepRequest(h, step, c)},
		{"", textgrad.RepairRequest(broken, problem, 1, c)},
		{"", textgrad.DescribeRequest(h.Source, c)},
		{"", textgrad.BackwardDescriptionRequest(h, failures[0], c)},
		{"", textgrad.StepDescriptionRequest(h, descriptions, others, 1, c)},
		{"", textgrad.ImplementRequest(h.Description, c)},
		{"", textgrad.ProposeRequest(proposed, c)},
		{"propose first", textgrad.ProposeRequest(first, c)},
	}
	for i, r := range requests {
		requests[i].name = cmp.Or(r.name, strings.ToLower(textgrad.Task(r.Request)))
	}
	return requests, nil
}

// reply reads the stand-in's answer to a request.
func reply[T any](req llm.Request, parse func(string) (T, error)) (T, error) {
	text, err := standin.Answer(req.System, req.User)
	if err != nil {
		var none T
		return none, err
	}
	return parse(text)
}

// sampleFailures returns at most n failures of a heuristic on a shard, worst first, at least one.
func sampleFailures(ctx context.Context, h bank.Heuristic, sh *rollout.Shard, n int) ([]textgrad.Failure, error) {
	tools, err := compile.Find()
	if err != nil {
		return nil, err
	}
	m, err := runtime.Admit(ctx, tools, h.Name, h.Source)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	scores, err := m.ScoreShard(ctx, sh)
	if err != nil {
		return nil, err
	}
	failures := worstFailures(sh, scores, h.TauH, n)
	if len(failures) == 0 {
		return nil, fmt.Errorf("heuristic %s agrees with %s in all %d states: no failure to show", h.Name, sh.Teacher, sh.States())
	}
	return failures, nil
}

// worstFailures returns at most n states on which scores disagree with the teacher, worst first.
func worstFailures(sh *rollout.Shard, scores []float32, tauH float64, n int) []textgrad.Failure {
	worst := textgrad.NewAttribution(1, n)
	worst.Add(0, slices.Repeat([]float32{1}, sh.States()), []agreement.Agreement{agreement.Of(sh, scores, tauH)})
	var failures []textgrad.Failure
	for _, c := range worst.Cases[0] {
		failures = append(failures, textgrad.NewFailure(sh, int(c.State), agreement.DistributionAt(sh, scores, tauH, int(c.State))))
	}
	return failures
}

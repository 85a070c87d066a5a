package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/preflight"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/workflows"
)

func startCommand() *cobra.Command {
	var (
		file   string
		preset string
		sets   []string
		o      startOptions
		over   struct{ name, teacher, bank string }
		nodes  int
		seed   uint64
	)
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Start a distillation",
		Long: `Start distilling a teacher into a bank of programs (Alg. 1). The run lives in Temporal: it survives
crashes of workers and of this command, and goes on without the LLM while that is not to be had.

Everything is checked before anything is uploaded or started: the config, the teacher, every program of the bank,
Temporal, the ID, the store, and the LLM of the dev stack's worker. --dry-run stops there, and says what the run would
do and what could not be checked. It leaves nothing behind. --dry-run --offline needs no server.

The LLM is the one of the worker's environment (OPENAI_BASE_URL, OPENAI_API_KEY; EPB_LLM_ATTEMPT and EPB_LLM_DEADLINE
for a slow one), or the rule-based stand-in of the dev stack.`,
		Example: `  epb start --config examples/demo.yaml --wait
  epb start --config examples/am-tsp50.yaml --teacher pretrained/tsp_50 --set train.lr=3e-4
  epb start --preset pomo-tsp50 --teacher checkpoint-3000.pt --dry-run --set limits.usd=20 \
    --set 'llm.prices={gpt-5.4: {input: 1.25, output: 10}, claude-sonnet-4.6: {input: 3, output: 15}}'
  epb start --nodes 20 --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := readConfig(file, preset, sets)
			if err != nil {
				return err
			}
			flags := cmd.Flags()
			for name, apply := range map[string]func(){
				"name": func() { cfg.Name = over.name }, "teacher": func() { cfg.Teacher = over.teacher },
				"bank": func() { cfg.Bank = over.bank }, "nodes": func() { cfg.Nodes = nodes }, "seed": func() { cfg.Seed = seed },
			} {
				if flags.Changed(name) {
					apply()
				}
			}
			if err := cfg.Validate(); err != nil {
				return err
			}
			if flags.Changed("id") && !config.Nameable(o.id) {
				return fmt.Errorf("--id is %q, want letters, digits, dots, dashes and underscores, beginning with a letter or digit", o.id)
			}
			if o.offline && !o.dryRun {
				return errors.New("--offline goes with --dry-run: a run needs its servers")
			}
			return start(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), cfg, o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&file, "config", "c", "", "YAML or JSON `file`; keys it leaves out keep their defaults")
	f.StringVar(&preset, "preset", "", "start from the settings of the paper's `run`: "+strings.Join(config.Presets(), ", "))
	f.StringArrayVar(&sets, "set", nil, "change one `key=value` of the config, as in train.lr=1e-4; repeatable")
	f.StringVar(&over.name, "name", "", "name shown in the UI and the report")
	f.StringVar(&over.teacher, "teacher", "", "checkpoint `path` (.pt, .safetensors, or the folder of an attention model's epoch-N.pt), or "+config.BuiltinTeacher)
	f.StringVar(&over.bank, "bank", "", "starting `bank`: a folder, builtin:NAME or run:ID (epb bank list lists them)")
	f.IntVar(&nodes, "nodes", 0, "cities of a training instance")
	f.Uint64Var(&seed, "seed", 0, "seed of everything random")
	f.StringVar(&o.id, "id", "", "ID of the run (default: its name and the time)")
	f.BoolVar(&o.dryRun, "dry-run", false, "check everything, say what would be done, start nothing")
	f.BoolVar(&o.offline, "offline", false, "with --dry-run: check what needs no server, and say so")
	f.BoolVar(&o.wait, "wait", false, "watch until the run ends")
	return cmd
}

// startOptions are the flags of epb start that are not about the config.
type startOptions struct {
	id                    string
	dryRun, offline, wait bool
}

// start checks the inputs, uploads what is local, and starts the workflow.
func start(ctx context.Context, stdout, stderr io.Writer, cfg config.Distill, o startOptions) error {
	tools, err := compile.Find()
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "Checking the teacher and every program of the bank ...")
	cfg, fetch, err := resolve(ctx, cfg)
	if err != nil {
		return err
	}
	checked, err := input.Check(ctx, cfg, tools, fetch)
	if err != nil {
		return err
	}
	if err := preview(ctx, stderr, cfg, checked, o); err != nil || o.dryRun {
		return err
	}
	id := o.id
	s, err := openStore(ctx)
	if err != nil {
		return err
	}
	r, err := dialTemporal(ctx)
	if err != nil {
		return err
	}
	c := r.Client
	defer c.Close()
	if cfg, err = upload(ctx, s, cfg, checked); err != nil {
		return err
	}
	if id == "" {
		id = fmt.Sprintf("%s-%s", cfg.Name, time.Now().UTC().Format("20060102-150405"))
	}
	temporalAt, err := connect.TemporalOptions(servers())
	if err != nil {
		return err
	}
	var attributes temporal.SearchAttributes
	if missing, err := connect.MissingSearchAttributes(ctx, c, r.Namespace); err == nil && len(missing) == 0 {
		attributes = temporal.NewSearchAttributes(workflows.AttrTeacher.ValueSet(checked.TeacherName()))
	}
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: id, TaskQueue: workflows.Queue, WorkflowExecutionErrorWhenAlreadyStarted: true,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY, // the result of a finished run stays its own
		StaticSummary:         fmt.Sprintf("distil %s on %s-%d", checked.TeacherName(), strings.ToUpper(string(cfg.Problem)), cfg.Nodes),
		TypedSearchAttributes: attributes,
	}, workflows.NameDistill, cfg)
	if temporal.IsWorkflowExecutionAlreadyStartedError(err) {
		return preflight.ErrTaken(id)
	}
	if err != nil {
		return fmt.Errorf("start %s: %w", id, err)
	}
	fmt.Fprintf(stderr, "\nStarted %s.\n", run.GetID())
	if stack, err := devstack.Load(devstack.DefaultDir()); err == nil && stack.Temporal == temporalAt.HostPort {
		fmt.Fprintf(stderr, "Temporal UI: %s/namespaces/%s/workflows/%s\n", stack.TemporalUIURL(), r.Namespace, run.GetID())
	}
	fmt.Fprintln(stdout, run.GetID())
	if !o.wait {
		fmt.Fprintf(stderr, "Watch it with: epb watch %s\n", run.GetID())
		return nil
	}
	return watch(ctx, stderr, r, run.GetID())
}

// preview says what a run will do, and fails where the servers that it needs are not fit for it.
func preview(ctx context.Context, w io.Writer, cfg config.Distill, in *input.Checked, o startOptions) error {
	found := preflight.Offline(devstack.DefaultDir())
	if !o.offline {
		found = preflight.Servers(ctx, devstack.DefaultDir(), o.id)
	}
	printPlan(w, cfg, in)
	if in.Estimate(cfg).MaxLLMCalls > 0 {
		for _, line := range found.Models(ctx, cfg) {
			fmt.Fprintf(w, "           %s\n", line)
		}
	}
	for _, warning := range found.Warnings {
		fmt.Fprintf(w, "Warning    %s\n", warning)
	}
	if err := found.Err(); err != nil {
		if o.dryRun && found.Away {
			err = fmt.Errorf("%w\nepb start --dry-run --offline checks what needs no server", err)
		}
		return err
	}
	if o.dryRun {
		fmt.Fprintf(w, "\n%s\n", found.Closing(cfg))
	}
	return nil
}

// argsWords says how far it is known what an attention model was trained for, or nothing of another teacher.
func argsWords(in *input.Checked) string {
	info := in.Teacher.Info()
	switch args := in.TeacherArgs; {
	case info.Arch != teacher.AM:
		return ""
	case args != nil && args.Problem != "" && args.GraphSize > 0:
		return fmt.Sprintf("trained for %s on %d nodes, as its args.json says", strings.ToUpper(string(info.Problem)), args.GraphSize)
	case args != nil && args.Problem != "":
		return fmt.Sprintf("trained for %s, as its args.json says", strings.ToUpper(string(info.Problem)))
	case problems.Must(info.Problem).Traits().Depot:
		return "no args.json beside it says what it was trained for: the problem is the config's, but a checkpoint for the\n" +
			"           orienteering problem (OP) has the same tensors"
	}
	return ""
}

// printPlan says what a run will do.
func printPlan(w io.Writer, cfg config.Distill, in *input.Checked) {
	e := in.Estimate(cfg)
	what := fmt.Sprintf("%d parameters", in.Teacher.Info().Parameters)
	if in.Rollouts != nil {
		what = fmt.Sprintf("known by %d recorded instances", in.Rollouts.Instances())
	}
	fmt.Fprintf(w, "Teacher    %s, %s (%s)\n", in.TeacherName(), what, cfg.Teacher)
	if words := argsWords(in); words != "" {
		fmt.Fprintln(w, "          ", words)
	}
	fmt.Fprintf(w, "Data       %d training trajectories on %s-%d: %d states; %d validation states; %d test instances\n",
		e.Trajectories, strings.ToUpper(string(cfg.Problem)), cfg.Nodes, e.TrainStates, e.ValStates, cfg.Data.Test)
	if e.Dagger > 0 {
		fmt.Fprintf(w, "           and in every pass from the second on %d of the instances as the student solves them,\n"+
			"           which is data.dagger in whole shards and not counted here\n", e.Dagger)
	}
	fmt.Fprintf(w, "Bank       %d programs (%s), at most %d after Add\n", len(in.Bank.Heuristics), cfg.Bank, max(cfg.Add.MaxBank, len(in.Bank.Heuristics)))
	fmt.Fprintf(w, "SGD        %d steps an epoch, at most %d epochs, at most %d states\n", e.StepsPerEpoch, e.MaxEpochs, e.MaxStates)
	fmt.Fprintf(w, "LLM        at most %d calls and %.1f million answer tokens, repairs not counted\n",
		e.MaxLLMCalls, float64(e.MaxLLMCalls*cfg.LLM.MaxTokens)/1e6)
}

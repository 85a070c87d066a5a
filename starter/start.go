package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/config"
)

func startCommand() *cobra.Command {
	var (
		from  configSource
		o     startOptions
		over  struct{ name, teacher, bank string }
		nodes int
		seed  uint64
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
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := from.read()
			if err != nil {
				return err
			}
			flags := cmd.Flags()
			for name, apply := range map[string]func(){
				"name": func() { cfg.Name = over.name }, "teacher": func() { cfg.Teacher = over.teacher },
				"bank": func() { cfg = cfg.WithBank(over.bank) }, "nodes": func() { cfg.Nodes = nodes },
				"seed": func() { cfg.Seed = seed },
			} {
				if flags.Changed(name) {
					apply()
				}
			}
			if err := cfg.Validate(); err != nil {
				return err
			}
			if flags.Changed("id") && !config.Nameable(o.id) {
				return fmt.Errorf("--id is %q, want letters, digits, dots, dashes and underscores, beginning with a "+
					"letter or digit", o.id)
			}
			if o.offline && !o.dryRun {
				return errors.New("--offline goes with --dry-run: a run needs its servers")
			}
			return start(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), cfg, o)
		},
	}
	f := cmd.Flags()
	from.flags(f)
	f.StringVar(&over.name, "name", "", "name shown in the UI and the report")
	f.StringVar(&over.teacher, "teacher", "", "checkpoint `path` (.pt, .safetensors, or the folder of an attention "+
		"model's epoch-N.pt), file of epb rollout, or "+config.BuiltinTeacher)
	f.StringVar(&over.bank, "bank", "", "starting `bank`: a folder, builtin:NAME or run:ID (epb bank list lists them)")
	f.IntVar(&nodes, "nodes", 0, "nodes of an instance, a depot not counted")
	seedFlag(f, &seed, "seed", 0, "seed of everything random")
	f.StringVar(&o.id, "id", "", "ID of the run (default: its name and the time)")
	f.BoolVar(&o.dryRun, "dry-run", false, "check everything, say what would be done, start nothing")
	f.BoolVar(&o.offline, "offline", false, "with --dry-run: check what needs no server, and say so")
	f.BoolVar(&o.wait, "wait", false, "watch until the run ends")
	return cmd
}

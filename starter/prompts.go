package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/prompts"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

func promptsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "prompts", Short: "Read what the language models are told"}
	var file, from string
	var asJSON bool
	show := &cobra.Command{
		Use:   "show [ROLE|TASK|all]",
		Short: "Render the prompts with real data",
		Long: `Render every prompt of a role (critic, writer, proposer), of a task (such as "step" or "backward code"),
or all of them, as a run would send it: real failures of a program of a bank against the teacher, gradients as the
rule-based stand-in writes them. "again" is what follows a reply that could not be read, "propose first" asks for an
empty bank's first programs. The bank decides on problem and view. The states are those of a file (epb rollout) or a
run, or come from random instances that the built-in teacher solves, and where that one does not fit the bank, a program
in the place of a teacher.` + bankNames,
		Example: `  epb prompts show
  epb prompts show critic --shard shard.safetensors
  epb prompts show proposer --bank builtin:cvrp-starter
  epb prompts show "step description"`,
		Args: arguments(0, 1),
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
			requests, err := prompts.Sample(cmd.Context(), cfg, b, sh)
			if err != nil {
				return err
			}
			if requests, err = promptsOf(requests, what); err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), requests)
			}
			return printPrompts(cmd.OutOrStdout(), requests)
		},
	}
	show.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	show.Flags().StringVar(&file, "shard", "", "take the states of this `file` of epb rollout, or those of run:ID")
	show.Flags().StringVar(&from, "bank", "", "take the programs of this `bank`")
	cmd.AddCommand(show)
	return cmd
}

// promptsOf returns the requests of a role or name, or all.
func promptsOf(requests []prompts.Request, what string) (some []prompts.Request, err error) {
	var names []string
	for _, r := range requests {
		names = append(names, r.Name)
		if what == "all" || what == string(r.Role) || what == r.Name {
			some = append(some, r)
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("there is no prompt %q: want all, a role (critic, writer, proposer) or a task (%s)",
			what, strings.Join(names, ", "))
	}
	return some, nil
}

func printPrompts(w io.Writer, requests []prompts.Request) error {
	return printText(w, func(w io.Writer) {
		for _, r := range requests {
			fmt.Fprintf(w, "━━━ %s · %s · %d bytes ━━━\n\n─── system ───\n\n%s\n─── user ───\n\n%s\n",
				r.Name, r.Role, len(r.System)+len(r.User), r.System, r.User)
		}
	})
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
	b, err := locate.Of(cmp.Or(from, locate.BuiltinPrefix+of.Bank)).Bank(ctx)
	if err != nil {
		return nil, nil, err
	}
	if sh == nil {
		sh, err = prompts.States(ctx, b, nodes)
	} else if b.Problem != sh.Problem || b.ViaDepot() != sh.ViaDepot {
		err = fmt.Errorf("the states of %s are of %s, the programs of bank %s for %s", file, of.Name, from, b.SDK())
	}
	return sh, b, err
}

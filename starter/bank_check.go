package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bankcheck"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// checkFlags are the flags of epb bank check.
type checkFlags struct {
	shard, teacher, instances, against string
	capacity                           int32 // of a CSV with demands
	limit                              int
	limited                            bool // --limit was given
	json                               bool
}

func bankCheckCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check BANK",
		Short: "Compile and smoke-test a bank's programs, and see what they are worth",
		Long: `Put every program of a bank through the gate that programs of an LLM pass (check, compile, smoke test),
then score it on states a teacher decided and say how well programs and bank follow the teacher:

  top-1         share of states where the best-scored node is the teacher's choice
  KL            distance of the program's distribution from the teacher's, in nats (its τ_h counts)
  only it       states that no other program of the bank gets right
  without it    what the loss of the mixture rises by when the program is left out, in nats
  class, cost   how far ahead of the next step it works (local, lookahead, plan), and how its work on a state grows
                with the number K of candidates, with all that it calls
  lines, nodes  of code that it runs and of its syntax tree, with all that it calls
  a step        how long it takes over a state, on one core of this machine
  coverage      share of states where at least one program is right
  loss          distance of the mixture from the teacher, in nats

The mixture is the student's where BANK is the folder that epb report writes (its bank lies in the folder bank, to be
edited), and an even one otherwise. --against compares with another bank, such as the one before an edit. The student's
router mixes that too, if its programs have the same names; to compare with others, name the folder bank itself.

The states come from a file of epb rollout or a finished run's validation set (--shard), or from the greedy tours of a
teacher (--teacher, --instances). Without either, the teacher that ships with EPB solves random TSP-20 instances; none
ships for CVRP, whose programs are then tested but not scored.` + bankNames,
		Example: `  epb bank check mine
  epb bank check mine --against builtin:pomo-tsp50 --teacher am/tsp_50/epoch-99.pt --instances tsp_uniform_50.npz
  epb bank check runs/tsp20 --against run:tsp20 --shard run:tsp20`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.limited = cmd.Flags().Changed("limit")
			if f.shard != "" && f.limited {
				return errors.New("--limit is for the instances of a teacher, --shard is taken whole: " +
					"leave out --limit")
			}
			if f.instances == "" && cmd.Flags().Changed("capacity") {
				return errors.New("--capacity: it is of a CSV that --instances names, and --instances is not given")
			}
			return checkBank(cmd.Context(), args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.shard, "shard", "", "recorded states: a `file` of epb rollout, or run:ID for "+
		"the validation states of a finished run")
	cmd.Flags().StringVar(&f.teacher, "teacher", "", "checkpoint of a teacher, its folder, "+
		config.BuiltinTeacher+" or "+config.LocalSearchTeacher)
	cmd.Flags().StringVar(&f.instances, "instances", "", "file of instances for the teacher to solve")
	cmd.Flags().IntVar(&f.limit, "limit", 100, "so many random instances, or the first of --instances (0: all)")
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for --instances with demands in a CSV")
	cmd.Flags().StringVar(&f.against, "against", "", "`bank` to compare with")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// checkBank runs epb bank check.
func checkBank(ctx context.Context, name string, f checkFlags, stdout, stderr io.Writer) error {
	b, router, err := locate.Of(name).Mixture(ctx)
	if err != nil {
		return err
	}
	c := bankChecker{checkFlags: f, router: router}
	if f.against != "" {
		if c.old, err = locate.Of(f.against).Bank(ctx); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		if router != nil && !slices.Equal(c.old.Names(), b.Names()) {
			return fmt.Errorf("--against %s: it has other programs than %s, whose router weighs these alone: name the "+
				"folder bank in it, and both are mixed evenly", f.against, name)
		}
	}
	states, err := f.states(ctx, b)
	if err != nil {
		return err
	}
	if c.tools, err = compile.Find(); err != nil {
		return err
	}
	c.screen = terminal.NewScreen(stderr)
	defer c.screen.Clear()
	programs, err := c.passGate(ctx, name, b)
	if err != nil {
		return err
	}
	defer programs.Close()
	asWritten, err := readPrograms(b)
	if err != nil {
		return err
	}
	if states == nil {
		c.screen.Clear()
		return f.printPassed(stdout, b, asWritten)
	}
	report, err := c.judge(ctx, programs, states)
	if err != nil {
		return err
	}
	c.screen.Clear()
	report.Weights, report.Natures = asWritten.Weights, asWritten.Natures
	return f.printReport(stdout, b, report)
}

// bankChecker is what the steps of a check share.
type bankChecker struct {
	checkFlags
	tools  *compile.Toolchain
	screen *terminal.Screen
	router *student.Model // nil for an even mixture
	old    *bank.Bank     // to compare with, unless nil
}

// passGate compiles and smoke-tests the programs of a bank.
func (c bankChecker) passGate(ctx context.Context, name string, b *bank.Bank) (*evaluate.Programs, error) {
	if err := warnUnlisted(c.screen, name); err != nil {
		return nil, err
	}
	began := time.Now()
	programs, err := buildBank(ctx, c.tools, name, b, c.screen)
	if err != nil {
		return nil, err
	}
	c.screen.Line("%d programs compiled and smoke-tested in %.1f s", len(b.Heuristics), time.Since(began).Seconds())
	return programs, nil
}

// readPrograms returns what the sources of a bank's programs tell, as a part of a report.
func readPrograms(b *bank.Bank) (r bankcheck.Report, err error) {
	if r.Weights, err = b.Weights(); err != nil {
		return r, err
	}
	r.Natures, err = b.Natures()
	return r, err
}

// judge measures programs on states, beside the other bank if there is one.
func (c bankChecker) judge(ctx context.Context, programs *evaluate.Programs, states decisions) (
	bankcheck.Report, error,
) {
	sh, err := states(ctx, c.screen)
	if err != nil {
		return bankcheck.Report{}, err
	}
	report, err := bankcheck.Of(ctx, programs, sh, c.router)
	if err != nil || c.old == nil {
		return report, err
	}
	before, err := buildBank(ctx, c.tools, c.against, c.old, c.screen)
	if err != nil {
		return report, err
	}
	defer before.Close()
	if err := report.Against(ctx, before, sh, c.router); err != nil {
		return report, fmt.Errorf("--against %s: %w", c.against, err)
	}
	return report, nil
}

// printPassed prints the report on a bank that there are no states for.
func (f checkFlags) printPassed(w io.Writer, b *bank.Bank, report bankcheck.Report) error {
	if f.json {
		return printJSON(w, report)
	}
	if err := printText(w, func(w io.Writer) { printWeights(w, b, report.Weights) }); err != nil {
		return err
	}
	fmt.Fprintf(w, "The programs pass. To see what they are worth, name --shard, or --teacher and "+
		"--instances: no teacher for %s ships with EPB.\n", b.Problem)
	return nil
}

// printReport prints a report with its measures.
func (f checkFlags) printReport(w io.Writer, b *bank.Bank, report bankcheck.Report) error {
	if f.json {
		return printJSON(w, report)
	}
	return printText(w, func(w io.Writer) {
		printCheck(w, report)
		if len(report.Weights) > 0 {
			fmt.Fprintln(w)
		}
		printWeights(w, b, report.Weights)
	})
}

// Command epb distils a black-box routing policy into a bank of readable programs and shows the results.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"go.temporal.io/api/serviceerror"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
)

// bySignal is the signal that ends a command.
type bySignal syscall.Signal

// Error implements error.
func (s bySignal) Error() string { return syscall.Signal(s).String() + " signal received" }

// untilSignal returns a context that ends with the first signal to end, with bySignal as its cause. A second signal
// ends what does not heed the first.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(bySignal(s.(syscall.Signal)))
	}()
	return ctx
}

func main() {
	ctx := untilSignal()
	err := root().ExecuteContext(ctx)
	if err == nil {
		return
	}
	by, signalled := errors.AsType[bySignal](context.Cause(ctx))
	_, leftTemporal := errors.AsType[*serviceerror.Canceled](err)
	if signalled && (leftTemporal || errors.Is(err, context.Canceled)) {
		err = by
	}
	fmt.Fprintln(os.Stderr, "epb:", terminal.Error(err))
	if signalled {
		os.Exit(128 + int(by)) // as a shell expects
	}
	os.Exit(1)
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "epb",
		Short: "Read which rule drives which step of a neural routing policy",
		Long: `epb distils a black-box routing policy (the teacher) into a bank of small readable programs (heuristics)
that a router mixes per decision state (the student).

First result:      epb dev up && epb start --config examples/demo.yaml --wait && epb report --latest
Without servers:   epb eval --teacher builtin:pomo-tsp20 --instances examples/cities.csv --baselines
What is missing:   epb doctor`,
		Version:       version.Line(),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagsTogether(cmd); err != nil {
				return err
			}
			if cmd.Name() == "doctor" {
				return nil // says it among the other findings
			}
			return tensorops.Check()
		},
	}
	cmd.AddGroup(
		&cobra.Group{ID: "run", Title: "Distillations:"},
		&cobra.Group{ID: "data", Title: "Policies, data and banks:"},
		&cobra.Group{ID: "stack", Title: "Servers:"},
	)
	for group, commands := range map[string][]*cobra.Command{
		"run": {startCommand(), watchCommand(), statusCommand(), runsCommand(), signalCommand("pause"),
			signalCommand("resume"), signalCommand("stop"), reportCommand(), compareCommand(), estimateCommand(),
			llmCommand()},
		"data": {explainCommand(), solveCommand(), exportCommand(), evalCommand(), rolloutCommand(), profileCommand(),
			sketchCommand(), certifyCommand(),
			bankCommand(), sdkCommand(), promptsCommand()},
		"stack": {devCommand(), doctorCommand(), standInCommand(), replayCommand()},
	} {
		for _, c := range commands {
			c.GroupID = group
			cmd.AddCommand(c)
		}
	}
	cmd.AddCommand(versionCommand())
	cmd.SetVersionTemplate("{{.Name}} {{.Version}}\n") // as epb version
	wantSubcommands(cmd)
	addCompletions(cmd)
	once(cmd)
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// wantSubcommands makes every group of commands refuse an unknown command, in the same words.
func wantSubcommands(cmd *cobra.Command) {
	if cmd.HasSubCommands() && !cmd.Runnable() {
		cmd.Args, cmd.RunE, cmd.DisableFlagsInUseLine = cobra.ArbitraryArgs, runGroup, true
	}
	for _, c := range cmd.Commands() {
		wantSubcommands(c)
	}
}

// runGroup runs when a group of commands is called without a command.
func runGroup(group *cobra.Command, args []string) error {
	if len(args) == 0 {
		return group.Help()
	}
	group.SuggestionsMinimumDistance = 2
	if near := group.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("unknown command %q for %q: did you mean %s?", args[0], group.CommandPath(),
			strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q for %q: %s --help lists its commands", args[0], group.CommandPath(),
		group.CommandPath())
}

// Command epb distils a black-box routing policy into a bank of readable programs and shows the results.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
)

// interrupted is the exit status that a shell expects of a command ended with Ctrl-C.
const interrupted = 130

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends what does not heed the first
	if err := root().ExecuteContext(ctx); err != nil {
		if errors.Is(err, context.Canceled) {
			fmt.Fprintln(os.Stderr, "epb:", cmp.Or(context.Cause(ctx), err)) // which signal it was
			os.Exit(interrupted)
		}
		fmt.Fprintln(os.Stderr, "epb:", terminal.Error(err))
		os.Exit(1)
	}
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "epb",
		Short: "Read which rule drives which step of a neural routing policy",
		Long: `epb distils a black-box routing policy (the teacher) into a bank of small readable programs (heuristics)
that a router mixes per decision state (the student).

First result:      epb dev up && epb start --config examples/demo.yaml --wait && epb report --latest
Without servers:   epb eval --teacher builtin:pomo-tsp20 --instances FILE.npz --decode multistart
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
	plainUsage(cmd)
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// wantSubcommands makes every group of commands below the root refuse an unknown command, as cobra makes the root.
func wantSubcommands(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.HasSubCommands() && !c.Runnable() {
			c.RunE, c.DisableFlagsInUseLine = runGroup, true
		}
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

// Command epb distils a black-box routing policy into a bank of readable programs, and shows what came of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// interrupted is what a shell expects of a command that was ended with Ctrl-C.
const interrupted = 130

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := root().ExecuteContext(ctx); err != nil {
		if errors.Is(err, context.Canceled) {
			os.Exit(interrupted)
		}
		fmt.Fprintln(os.Stderr, "epb:", err)
		os.Exit(1)
	}
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "epb",
		Short: "Read which rule drives which step of a neural routing policy",
		Long: `epb distils a black-box routing policy (the teacher) into a bank of small readable programs (heuristics)
that an attention router mixes per decision state (the student).

First result:      epb dev up && epb start --config examples/demo.yaml --wait && epb report --latest
Without servers:   epb eval --teacher teachers/pomo_tsp20.pt --instances FILE.npz --decode multistart
What is missing:   epb doctor`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddGroup(
		&cobra.Group{ID: "run", Title: "Distillations:"},
		&cobra.Group{ID: "data", Title: "Policies, data and banks:"},
		&cobra.Group{ID: "stack", Title: "Servers:"},
	)
	for group, commands := range map[string][]*cobra.Command{
		"run":   {startCommand(), watchCommand(), statusCommand(), signalCommand("pause"), signalCommand("resume"), signalCommand("stop"), reportCommand(), compareCommand(), estimateCommand(), llmCommand()},
		"data":  {evalCommand(), rolloutCommand(), bankCommand(), promptsCommand()},
		"stack": {devCommand(), doctorCommand(), standInCommand()},
	} {
		for _, c := range commands {
			c.GroupID = group
			cmd.AddCommand(c)
		}
	}
	return cmd
}

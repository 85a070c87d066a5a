package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/terminal"
)

func bankListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the banks that ship with EPB and those of finished runs",
		Long: `List the banks that ship with EPB and, where a store can be reached, those of finished runs. The names in
the first column are what the other bank commands and the config's key bank accept. The last column counts the programs
by class: local ones score each candidate from the state, lookahead ones walk on from it for a few steps, plans draft
the rest of the solution.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := listBuiltin(cmd.OutOrStdout()); err != nil {
				return err
			}
			if err := listRuns(cmd.Context(), cmd.OutOrStdout()); err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "\nRuns are not listed: %v\n", err)
			}
			return nil
		},
	}
}

func listBuiltin(w io.Writer) error {
	var table, abouts terminal.Table
	for _, name := range bank.BuiltinNames() {
		b, err := bank.Builtin(name)
		if err != nil {
			return err
		}
		classes, err := b.Classes()
		if err != nil {
			return err
		}
		table.Row(builtinBank+name, fmt.Sprintf("%d programs", len(b.Heuristics)),
			fmt.Sprintf("%s, %s view", b.Problem, b.View), classes)
		about, err := bank.BuiltinAbout(name)
		if err != nil {
			return err
		}
		if about != "" {
			abouts.Row(builtinBank+name, about)
		}
	}
	if err := table.Fprint(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return abouts.Fprint(w)
}

// listRuns lists the finished runs in the store.
func listRuns(ctx context.Context, w io.Writer) error {
	s, err := openStore(ctx)
	if err != nil {
		return err
	}
	finished, err := results.List(ctx, s)
	if err != nil {
		return err
	}
	var table terminal.Table
	for _, r := range finished {
		table.Row(runBank+r.ID, fmt.Sprintf("%d programs", r.Model.Size), r.Summary)
	}
	return table.Fprint(w)
}

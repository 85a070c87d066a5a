package main

import (
	"github.com/spf13/cobra"
)

// bankNames explains in a command's help how to name a bank.
const bankNames = "\n\nA bank is a folder, builtin:NAME for one that ships with EPB, or run:ID for that of a " +
	"finished run; epb bank\nlist lists them."

func bankCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bank",
		Short: "Read, compare, edit and check banks of heuristics",
		Long: `Read, compare, edit and check banks of heuristics. A bank is a folder of small Go programs, one per
heuristic, whose doc comments are their descriptions. Banks that ship with EPB are called builtin:NAME, those of
finished runs run:ID.

To edit a bank by hand: epb bank import BANK --out mine, change a file, epb bank check mine --against BANK.`,
	}
	cmd.AddCommand(bankListCommand(), bankShowCommand(), bankDiffCommand(), bankImportCommand(), bankNewCommand(),
		bankCheckCommand())
	return cmd
}

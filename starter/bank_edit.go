package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// checkFolder refuses to write a bank to a folder of a name that elsewhere means another bank.
func checkFolder(flag, dir string) error {
	if name := locate.Of(dir); name.IsBuiltin() || name.IsRun() || input.HasNoProgram(dir) {
		return fmt.Errorf("--%s %s: by this name other commands know another bank: want a folder of your own, such "+
			"as mine", flag, dir)
	}
	return nil
}

func bankImportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "import BANK... --out FOLDER",
		Short: "Copy a bank into a folder of your own, to be edited, or join several",
		Long: `Copy a bank into a new folder: bank.json, one Go file per program, and a go.mod with a copy of the SDK,
so that any editor and go vet understand them. epb sdk lists what programs may ask of a state. Edit the programs and
their doc comments, which are the descriptions; then see with epb bank check what the edits did, and with epb start
--bank FOLDER distil from there.

Several banks become one: a program that is in two of them joins once, and one whose name is taken gets a number.` +
			bankNames,
		Example: `  epb bank import builtin:pomo-tsp50 --out mine
  epb bank import run:tsp20-20260101-120000 builtin:tsp-planners --out both`,
		Args: arguments(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFolder("out", out); err != nil {
				return err
			}
			banks := make([]*bank.Bank, len(args))
			for i, name := range args {
				var err error
				if banks[i], err = locate.Of(name).Bank(cmd.Context()); err != nil {
					return err
				}
			}
			b, err := bank.Union(banks...)
			if err != nil {
				return err
			}
			if files, err := os.ReadDir(out); len(files) > 0 || err != nil && !errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("--out %s is there and not empty: choose a new folder, so that no edits are lost",
					out)
			}
			if err := b.Save(out); err != nil {
				return err
			}
			if err := bank.WriteModule(out); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d programs. Edit them, then run: epb bank check %s --against %s\n",
				out, len(b.Heuristics), out, args[0])
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "new `folder`")
	require(cmd, "out")
	return cmd
}

func bankNewCommand() *cobra.Command {
	var dir, problem, view string
	cmd := &cobra.Command{
		Use:   "new NAME --bank FOLDER",
		Short: "Add a program to a bank folder, as a skeleton to be filled in",
		Long: `Add a program to a bank folder: a Go file with a Score to be rewritten, and its entry in bank.json. A
folder that does not exist becomes a new bank. NAME is a Go package name, such as h14_inner_ring.`,
		Example: `  epb bank new h14_inner_ring --bank mine
  epb bank new nearest --bank fresh --problem cvrp --view full`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFolder("bank", dir); err != nil {
				return err
			}
			of := bank.Setting{Problem: routing.Problem(problem), View: routing.View(view)}
			if b, err := bank.Load(dir); err == nil {
				if cmd.Flags().Changed("problem") && of.Problem != b.Problem || cmd.Flags().Changed("view") &&
					of.View != b.View {
					return fmt.Errorf("--bank %s is for %s, %s view: leave out --problem and --view", dir, b.Problem,
						b.View)
				}
				of = b.Setting
			}
			h, err := bank.Skeleton(args[0], of)
			if err != nil {
				return err
			}
			if err := bank.Append(dir, h, of); err != nil {
				return err
			}
			if err := bank.WriteModule(dir); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: write the rule, then run: epb bank check %s\n",
				filepath.Join(dir, h.Name, h.Name+".go"), dir)
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "bank", "", "bank `folder`")
	cmd.Flags().StringVar(&problem, "problem", string(sdk.Packages[0].Problem), "of a new bank: "+problems.Names())
	cmd.Flags().StringVar(&view, "view", string(routing.Full),
		"of a new bank: full, or subgraph for teachers such as LEHD")
	require(cmd, "bank")
	return cmd
}

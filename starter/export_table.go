package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/textreport"
)

// exportTableFlags are the flags of epb export table.
type exportTableFlags struct {
	maxNodes int
	capacity int32 // of a CSV with demands
	json     bool
}

func exportTableCommand() *cobra.Command {
	var f exportTableFlags
	cmd := &cobra.Command{
		Use:   "table SOLVER FILE...",
		Short: "Let an exported solver solve files, beside the classic methods and the best known solutions",
		Long: `table lets the program of an exported solver solve every instance of some files, one call for each, and
prints what its solutions cost and how long they took, beside farthest insertion or Clarke and Wright's savings and the
best known solutions. Costs are in the files' own units and by their rounding rules. The last lines are means by size,
over the instances whose best known solution is given.

SOLVER is the folder that epb export student writes, or a program in such a folder. The program prints how long it
solved; to start it is not counted.`,
		Example: `  epb export table solver TSPlib_70instances.txt --max-nodes 1000
  epb export table solver vrplib_192instances.txt --max-nodes 501 --json > cvrplib.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("want a SOLVER, the folder of an export, and at least one FILE of instances")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args[0], args[1:], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().IntVar(&f.maxNodes, "max-nodes", 1000, fmt.Sprintf(
		"take instances of up to so many nodes, a depot counted; 0: of all that a solver takes, %d", routing.MaxNodes))
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for a CSV with demands")
	cmd.Flags().BoolVar(&f.json, "json", false, "print a line of JSON for each instance")
	return cmd
}

// run runs epb export table.
func (f exportTableFlags) run(ctx context.Context, name string, paths []string, stdout, stderr io.Writer) error {
	if f.maxNodes < 0 || f.maxNodes > routing.MaxNodes {
		return fmt.Errorf("--max-nodes is %d, want 0 to %d, which is all that an exported solver takes", f.maxNodes,
			routing.MaxNodes)
	}
	if f.maxNodes == 0 {
		f.maxNodes = routing.MaxNodes
	}
	program := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		program = filepath.Join(name, export.Name)
	}
	if info, err := os.Stat(program); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no exported solver: there is no program %s; epb export student writes one",
			name, program)
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	rows, larger, err := f.read(paths)
	if err != nil {
		return err
	}
	if larger > 0 {
		fmt.Fprintf(stderr, "%d larger instances are left out: --max-nodes is %d.\n", larger, f.maxNodes)
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	var all []export.Measured
	for i := range rows {
		path, file := rows[i].path, &rows[i].file
		screen.Status("%s: instance %d of %d", filepath.Base(path), file.Number+1, file.Of)
		m, err := export.Measure(ctx, program, file)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if all = append(all, m); f.json {
			screen.Clear()
			if err := json.NewEncoder(stdout).Encode(m); err != nil {
				return err
			}
		}
	}
	screen.Clear()
	if f.json {
		return nil
	}
	return textreport.Measured(stdout, rows[0].file.Instance.Problem, all)
}

// tableRow is an instance of a file.
type tableRow struct {
	path string
	file instances.File
}

// read reads all files, so that none is refused after others have been solved, and says how many instances are too
// large. There is at least one that is not.
func (f exportTableFlags) read(paths []string) (all []tableRow, larger int, err error) {
	for _, path := range paths {
		files, err := instances.Read(path, f.capacity)
		if err != nil {
			return nil, 0, err
		}
		chosen := instances.Choose(files, 0, f.maxNodes)
		larger += len(files) - len(chosen)
		for _, file := range chosen {
			if len(all) > 0 && all[0].file.Instance.Problem != file.Instance.Problem {
				return nil, 0, fmt.Errorf("%s is for %s, %s for %s: give files of one problem", all[0].path,
					all[0].file.Instance.Problem, path, file.Instance.Problem)
			}
			all = append(all, tableRow{path, file})
		}
	}
	if len(all) == 0 {
		return nil, 0, fmt.Errorf("no instance has at most %d nodes", f.maxNodes)
	}
	return all, larger, nil
}

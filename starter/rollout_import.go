package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/rollout"
)

func rolloutImportCommand() *cobra.Command {
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "import FILE [--out shard.safetensors]",
		Short: "Check rollouts that another program wrote, and turn them into a shard",
		Long: `import reads rollouts of any policy from a safetensors file, checks every action and every
distribution, and names the first fault. With --out it writes the shard that a distillation takes
in the place of a teacher; a file with a fault writes nothing.

The file is a shard already, or holds, for I instances of N nodes and R tours of at most T actions:
  coords       [I,N,2]  x, y of each node, in the unit square
  actions      [R,T]    nodes in visiting order
  probs        [R,T,N]  the policy's distribution before each action; zeros at a given start
  instance_of  [R]      instance of each tour; may be left out if R = I
and for CVRP, where node 0 is the depot:
  demand       [I,N]    whole numbers, the depot's is 0
  capacity     [I]
The metadata may give teacher, the name of the policy, and problem. TSP has T = N. A CVRP tour has
a 0 wherever the vehicle returns to the depot; zeros may fill the row. Columns N+c of probs [R,T,2N]
are for policies that decide to go to customer c by way of the depot, two actions, at once.

examples/export_rollouts.py writes such files of any policy with RL4CO's interface.`,
		Example: `  epb rollout import rollouts.safetensors
  epb rollout import rollouts.safetensors --out shard.safetensors.zst`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if force && out == "" {
				return errors.New("--force: it is of a file that --out names")
			}
			return importRollouts(args[0], out, force, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "shard to write; compressed with zstd if it ends in .zst")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite the file if it exists")
	return cmd
}

// importRollouts checks path and, unless out is empty, writes the shard there.
func importRollouts(path, out string, force bool, stdout io.Writer) error {
	if out != "" {
		if err := checkOut(out, force); err != nil {
			return err
		}
	}
	data, err := regular.ReadInput(path)
	if err != nil {
		return err
	}
	sh, err := rollout.Import(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	what := describe(sh.Size(), sh.Problem, sh.N, sh.Teacher)
	if out == "" {
		fmt.Fprintf(stdout, "%s: %s, all valid\n", path, what)
		return nil
	}
	w, err := rollout.NewWriter(filepath.Dir(out))
	if err != nil {
		return err
	}
	defer w.Close()
	if err := w.Append(sh); err != nil {
		return err
	}
	return writeShard(w, out, what, stdout)
}

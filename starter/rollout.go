package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/tensorops"
)

// rolloutFlags are the flags of epb rollout.
type rolloutFlags struct {
	teacher, instances, out, starts string
	capacity                        int32 // of a CSV with demands
	limit                           int
	force                           bool
}

func rolloutCommand() *cobra.Command {
	var f rolloutFlags
	cmd := &cobra.Command{
		Use:   "rollout --teacher PATH --instances FILE --out shard.safetensors",
		Short: "Record a teacher's decisions: states, actions and full distributions",
		Long: `rollout lets a teacher solve every instance greedily and writes each decision state, with the
teacher's distribution over all feasible nodes, to a safetensors file. No server is needed, and
the memory it takes does not grow with the number of instances.

The teacher is a PyTorch checkpoint (AM of Kool et al., POMO or LEHD, for TSP or CVRP), safetensors
with the same names, the folder of an AM's epoch-N.pt, or ` + config.BuiltinTeacher + `, which ships with epb.
` + config.LocalSearchTeacher + ` follows near-optimal TSP tours, counterclockwise and from the node nearest to the
corner (1, 0), unless a start is given. For rollouts of any other policy see epb rollout import.

The instances are an npz file: for TSP an array coords, float32 [instances, nodes, 2]; for CVRP depot [instances, 2],
locs [instances, customers, 2], demand [instances, customers] and capacity [instances]; or a file of TSPLIB, CVRPLIB,
LEHD (text), Kool et al. (pickle) or POMO (.pt).

How many tours per instance, and from which node (for CVRP: customer):
  --starts own   one tour from the teacher's own start: AM chooses it, and LEHD that of CVRP; POMO
                 starts at the first node or customer (the default)
  --starts all   one tour from every node: what POMO was trained for
  --starts 8     one tour from each of the first 8 nodes
AM is out of distribution when another start is forced on it.

The file holds coords [I,N,2] of I instances; instance_of [R], actions [R,N] and start_probs [R,N]
of R tours; traj [S], step [S] and offset [S+1] of S states; and, for state s at the positions
offset[s] .. offset[s+1]-1, candidates (nodes) and probs. The first action of a tour and forced ones
are no states. For CVRP node 0 is the depot; there are demand [I,N] and capacity [I], the actions of
trajectory r are action_offset[r] .. action_offset[r+1]-1, with a 0 after each route, and remaining
[S] is the room in the vehicle. LEHD's candidates for CVRP are c, customer c directly, and N+c,
customer c by way of the depot. Reading it in Python:

  from safetensors.numpy import load_file
  shard = load_file("shard.safetensors")
  s = slice(*shard["offset"][7:9])
  print(shard["candidates"][s], shard["probs"][s])`,
		Example: `  epb rollout --teacher ` + config.BuiltinTeacher + ` --instances tsp_uniform_20.npz \
    --out shard.safetensors
  epb rollout --teacher am/tsp_50/epoch-99.pt --instances tsp_uniform_50.npz --limit 100 --out shard.safetensors.zst`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return recordRollout(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.AddCommand(rolloutImportCommand())
	cmd.Flags().StringVar(&f.teacher, "teacher", "", "checkpoint of the teacher, its folder, "+
		config.BuiltinTeacher+" or "+config.LocalSearchTeacher)
	cmd.Flags().StringVar(&f.instances, "instances", "", "file of instances")
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "file to write; compressed with zstd if it ends in .zst")
	cmd.Flags().StringVar(&f.starts, "starts", "own", "own, all, or the number of start nodes")
	cmd.Flags().IntVar(&f.limit, "limit", 0, "use the first instances only (0: all)")
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for a CSV with demands")
	cmd.Flags().BoolVar(&f.force, "force", false, "overwrite the file if it exists")
	require(cmd, "teacher", "instances", "out")
	return cmd
}

// recordRollout checks everything first, so that no work is lost to a wrong flag or an unwritable file.
func recordRollout(ctx context.Context, f rolloutFlags, stdout, stderr io.Writer) error {
	if err := checkOut(f.out, f.force); err != nil {
		return err
	}
	if same(f.out, f.instances) {
		return fmt.Errorf("--out %s is the file of --instances: choose another name", f.out)
	}
	t, insts, err := readTask(f.teacher, f.instances, f.capacity, f.limit)
	if err != nil {
		return err
	}
	runs, err := rollout.StartsOf(f.starts, &insts[0])
	if err != nil {
		return fmt.Errorf("--starts %s: %w", f.starts, err)
	}

	w, err := rollout.NewWriter(filepath.Dir(f.out))
	if err != nil {
		return err
	}
	defer w.Close()
	screen := terminal.NewScreen(stderr)
	err = rollout.RecordPieces(ctx, t, insts, func(int) []routing.Run { return runs },
		func(done int) { screen.Status("recording the teacher: %d of %d instances", done, len(insts)) },
		func(piece *rollout.Shard) error {
			if err := piece.Validate(); err != nil {
				return err
			}
			return w.Append(piece)
		})
	screen.Clear()
	if err != nil {
		return err
	}
	w.Note("kernels", tensorops.CurrentIdentity().String())
	what := describe(w.Size(), insts[0].Problem, insts[0].N(), t.Name())
	return writeShard(w, f.out, what, stdout)
}

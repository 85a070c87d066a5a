package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/terminal"
)

// profileFlags are the flags of epb profile.
type profileFlags struct {
	teacher, shard string
	nodes, count   int
	gap            int
	seed           uint64
	json           bool
}

func profileCommand() *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "profile --teacher PATH | --shard FILE",
		Short: "Say what a policy usually does: direction, start, nearness, sureness, hull, crossings, load, length",
		Long: `Say how a policy behaves as a whole, before a single decision is explained: which way round its tours
run, where they start, how often it takes the nearest node, how sure it is on the way, whether its tours
follow the convex hull and cross themselves; for CVRP how full the vehicle comes home, whether it goes
home early, and in which order its routes follow each other. A sample of its solutions is compared with
local search. No server is needed.

With --teacher the policy solves --count random instances greedily, each once, from its own start. With
--shard the measures are those of a file of epb rollout or of epb rollout import, or of the validation
states of run:ID.

In the table the way is the share of a solution that is done; nearest, second, third and farther say
which of the feasible nodes the policy took, by distance from the current one; first and second choice
are mean probabilities; a near-tie is a decision whose two are less than 0.1 apart.`,
		Example: `  epb profile --teacher ` + config.BuiltinTeacher + ` --nodes 20
  epb profile --teacher am/tsp_50 --nodes 50 --count 200 --json
  epb profile --shard run:demo`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.teacher == "" && f.shard == "" {
				return errors.New("want --teacher or --shard")
			}
			if f.gap < 0 {
				return fmt.Errorf("--gap %d: want a number of solutions, or 0 for no comparison", f.gap)
			}
			sh, err := f.states(cmd.Context(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			p, err := habits.Measure([]*rollout.Shard{sh}, f.gap)
			if err != nil {
				return err
			}
			if f.json {
				return printJSON(cmd.OutOrStdout(), p)
			}
			return p.Fprint(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&f.teacher, "teacher", "", "checkpoint of the policy, its folder, "+
		config.BuiltinTeacher+" or "+config.LocalSearchTeacher)
	cmd.Flags().StringVar(&f.shard, "shard", "", "recorded decisions: a `file`, or run:ID")
	cmd.Flags().IntVar(&f.nodes, "nodes", 0, nodesUsage)
	cmd.Flags().IntVar(&f.count, "count", 1000, "number of instances")
	seedFlag(cmd.Flags(), &f.seed, "seed", 1, "seed of the instances")
	cmd.Flags().IntVar(&f.gap, "gap", habits.GapSample, "compare so many solutions with local search (0: none)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	for _, other := range []string{"teacher", "nodes", "count", "seed"} {
		exclusive(cmd, "shard", other)
	}
	return cmd
}

// states returns the recorded decisions to measure.
func (f profileFlags) states(ctx context.Context, stderr io.Writer) (*rollout.Shard, error) {
	if f.shard != "" {
		return readShard(ctx, f.shard)
	}
	t, err := input.LoadTeacher(f.teacher)
	if err != nil {
		return nil, err
	}
	f.nodes = nodesFor(t, f.nodes, stderr)
	p := problems.Must(t.Info().Problem)
	if err := checkNodes(p, f.nodes); err != nil {
		return nil, err
	}
	if err := checkCount("count", f.count, 1, mostInstances); err != nil {
		return nil, err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	return record(ctx, screen, "recording the teacher", t, p.Generate(f.nodes, f.count, f.seed))
}

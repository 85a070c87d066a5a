package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
)

// evalFlags are the flags of epb eval.
type evalFlags struct {
	capacity                 int32 // of a CSV with demands
	teacher, decode, student string
	instances                []string
	table                    string
	baselines, json          bool
	noPrograms               bool // only the student as a whole
	limit, maxNodes          int
	seed                     uint64
	timeLimit                time.Duration
}

func evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval --teacher PATH --instances FILE",
		Short: "Solve instances with a teacher, and with what was distilled from it",
		Long: `eval lets a teacher solve every instance, and beside it a student, each of its programs alone and the
classic baselines, and compares costs. No server is needed, but TinyGo is where a student's programs have to be
compiled.

The teacher is a PyTorch checkpoint (AM of Kool et al., POMO or LEHD, for TSP or CVRP), safetensors with the same names,
the folder of an AM's epoch-N.pt, or ` + config.BuiltinTeacher + `, which ships with epb. The instances are an npz file
(coords [instances, nodes, 2]; for CVRP depot, locs, demand and capacity), a file of TSPLIB, CVRPLIB, LEHD (text),
Kool et al. (pickle) or POMO (.pt), or a CSV of points x,y. Name several files by several --instances: other sizes than
the student learned from, or a library's. The student is the folder that epb report writes, or the name of a run in the
store.

  --decode greedy      one solution: the teacher's from its own start (AM and CVRP's LEHD choose it, the others begin
                       at the first node or customer), all others' from the student's start rule, or from the
                       teacher's start where there is none (the default)
  --decode multistart  the best of the greedy solutions from every first node or customer
  --decode aug8        the best of multistart on the instance and its seven mirror images
  --decode sample:K    the best of K solutions drawn from the policy's distributions
  --decode rrc:T       random re-construct: greedy, then T attempts to construct a random part of the solution anew

Costs are those of instances scaled to the unit square, each by itself; of one instance they are in its file's units.
So they are where a file measures its edges by a matrix (EXPLICIT) or on the sphere (GEO): every policy and baseline
decides by the coordinates of the file as if they lay in a plane, and what came of it is measured by the file's rule.
Where a search finds several solutions it takes the best by the file's rule. Where the file has units of its own, costs
in these units follow: with a rounding rule, as TSPLIB has, by that rule and unrounded, instance by instance; or else
everybody's mean. Where solutions are known, so do the gaps to the best of them. --baselines adds nearest neighbour
and, for TSP, farthest insertion, for CVRP savings (Clarke and Wright) and sweep, and for both a local search, whose
solutions are near-optimal.

--table paper decodes greedily and with the paper's search (or that of --decode), and prints the paper's tables 1 and 3
and its table of edge overlap, with these results and their 95 % intervals beneath the paper's row of the same setting
or, where there is none, of the closest, and says in what that differs.

Each program by itself solves everything too, which with --decode and --table takes most of the time; --no-programs
leaves that out.

With a student, its agreement with the teacher on the states of the teacher's greedy solutions is measured too, if all
instances are of one size. --json prints every policy's cost and solution per instance, a line per file; the gap is 100
(mean cost / mean cost of the teacher - 1).`,
		Example: `  epb eval --teacher ` + config.BuiltinTeacher + ` --instances tsp_uniform_20.npz \
    --decode multistart --baselines
  epb eval --teacher am/tsp_50/epoch-99.pt --instances tsp_uniform_50.npz --student runs/tsp50 --limit 200 --json
  epb eval --teacher am/tsp_100/epoch-99.pt --instances TSPlib_70instances.txt --max-nodes 200 \
    --decode aug8 --time-limit 10s
  epb eval --teacher pomo/tsp50.pt --instances tsp_uniform_50.npz --instances test_TSP200_n128.txt \
    --instances TSPlib_70instances.txt --max-nodes 200 --student runs/pomo50 --table paper`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return evaluatePolicies(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.teacher, "teacher", "", "checkpoint of the teacher, its folder, "+
		config.BuiltinTeacher+" or "+config.LocalSearchTeacher)
	cmd.Flags().StringArrayVar(&f.instances, "instances", nil, "file of instances; may be given several times")
	cmd.Flags().StringVar(&f.decode, "decode", string(evaluate.Greedy), "greedy, multistart, aug8, sample:K or rrc:T")
	cmd.Flags().StringVar(&f.student, "student", "", "folder of an exported student, or a run")
	cmd.Flags().BoolVar(&f.baselines, "baselines", false, "the classic methods as well")
	cmd.Flags().BoolVar(&f.noPrograms, "no-programs", false,
		"only the student as a whole, not each of its programs by itself")
	cmd.Flags().StringVar(&f.table, "table", "", "paper: the paper's tables beside these results")
	cmd.Flags().IntVar(&f.maxNodes, "max-nodes", 0, "leave out larger instances (0: refuse what is too large)")
	cmd.Flags().DurationVar(&f.timeLimit, "time-limit", 0,
		"end the search on an instance after this time, such as 5s, and keep the best so far (0: never)")
	cmd.Flags().Int32Var(&f.capacity, "capacity", 0, "capacity of a vehicle, for a CSV with demands")
	cmd.Flags().IntVar(&f.limit, "limit", 0,
		"use the first instances of each file only, of those that --max-nodes leaves (0: all)")
	seedFlag(cmd.Flags(), &f.seed, "seed", 1, "seed of searches and of the bootstrap intervals")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON: means, and cost and tour per instance")
	require(cmd, "teacher", "instances")
	return cmd
}

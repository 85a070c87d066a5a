package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// sketchFlags are the flags of epb sketch.
type sketchFlags struct {
	teacher, out    string
	nodes           int
	train, test     int
	programs, terms int
	products        []int // of the routers; 0: all
	batch           int
	seed            uint64
	testSeed        uint64 // of the test instances; 0: seed
	seeds           []uint
	json            bool
	memory          int64
	noPrograms      bool
	noRankers       bool
	within          float64
	dagger          int    // instances
	half            bool   // features of half precision
	class           string // of the features
}

// allSeeds returns the seeds to fit with.
func (f sketchFlags) allSeeds() []uint64 {
	if len(f.seeds) == 0 {
		return []uint64{f.seed}
	}
	all := make([]uint64, len(f.seeds))
	for i, seed := range f.seeds {
		all[i] = uint64(seed)
	}
	return all
}

func sketchCommand() *cobra.Command {
	f := sketchFlags{}
	size := config.DefaultSketch()
	cmd := &cobra.Command{
		Use:   "sketch --teacher PATH",
		Short: "Fit programs of a few named features to a policy, with a router that one can read, in minutes",
		Long: `Say in minutes how far a policy can be explained by rules that look no further than the next step. No
server and no language model is needed, but TinyGo is.

The policy solves --train random instances. Programs that weigh all named features of a candidate (epb bank show says
what a feature is in a program's comments) are trained on its decisions together with a router over named features of
the state. Then they are pruned, step by step, to --terms features each, beside the distance. What remains is written as
Go programs, compiled, and run in the sandbox on --test other instances, against the policy, the programs by themselves
and the classic constructions.

"student" mixes the programs by the router's weights. In "student, one rule a step" the program of the largest weight
decides alone. "best single program" is the one that does best on these very instances.

Three more rows show what the features allow. "linear scorer, all features" weighs all of them, the same in every state:
what one program without a limit on its terms can do. "neural ranker, same features" is a small network: no rules of
these features can be expected to do much better. "decision tree" has as many splits as the programs have terms, and has
also learned from the states that it reaches itself. All are fitted to the same decisions, each in less time than the
student; --no-rankers leaves them out.

Each row goes to stderr as soon as it is known, the student's before anything else is fitted.

--class lookahead adds features that walk on from a candidate for at most eight steps, to programs and router alike.

--products 0,200,100 keeps the routers of all, of 200 and of 100 products, and says what fewer cost. The first of them
is the one that programs and classic constructions are compared with.

--dagger 6000 is for short routers. They err more often than long ones, and are then in states that the policy would not
be in. With it the policy says what it does in the states that the student reaches itself, on so many of the training
instances, and a router of few products is trained on these too before it is done.

--seeds fits with several seeds, each to instances of its own, and prints means and standard deviations over them. All
are compared on the same test instances.

A distillation begins with the same if its config says bank: sketch and student: {router: named}. Its programs are then
trained and edited further.`,
		Example: `  epb sketch --teacher ` + config.BuiltinTeacher + `
  epb sketch --teacher am/tsp_50/epoch-99.pt --nodes 50 --train 6000 --out am50
  epb sketch --teacher ` + config.LocalSearchTeacher + ` --nodes 50 --train 1500
  epb bank show am50/bank
  epb eval --teacher am/tsp_50/epoch-99.pt --instances tsp_uniform_50.npz --student am50`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.validate(); err != nil {
				return err
			}
			return sketchPolicy(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.teacher, "teacher", "", "checkpoint of the policy, its folder, "+
		config.BuiltinTeacher+" or "+config.LocalSearchTeacher)
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "new `folder` for the student: programs and router")
	cmd.Flags().IntVar(&f.nodes, "nodes", 0, nodesUsage)
	cmd.Flags().IntVar(&f.train, "train", 4000, "instances to fit to")
	cmd.Flags().IntVar(&f.test, "test", 500, "other instances, to compare on")
	cmd.Flags().IntVar(&f.programs, "programs", size.Programs, "programs of the bank")
	cmd.Flags().IntVar(&f.terms, "terms", size.Terms, "weighted features of a program, beside the distance")
	cmd.Flags().IntSliceVar(&f.products, "products", []int{size.Products},
		"products of features that the router has; 0: all. Several numbers give one student each, such as 0,200,100")
	cmd.Flags().Float64Var(&f.within, "within", 0, "in place of --products, keep the fewest products with which top-1 "+
		"on the instances of the fit stays within so much of top-1 with all, such as 0.01")
	cmd.Flags().IntVar(&f.dagger, "dagger", 0, "instances of --train on which a student of few products also learns "+
		"what the policy does in the states that it reaches there itself")
	cmd.Flags().IntVar(&f.batch, "batch", 1024, "states of a training step")
	cmd.Flags().Int64Var(&f.memory, "memory", memory.MostFeatures>>30,
		"GiB for features that are kept from epoch to epoch, at most three quarters of the memory that is free; "+
			"more is faster and changes no digit")
	seedFlag(cmd.Flags(), &f.seed, "seed", 1, "seed of the instances and of the fit")
	seedFlag(cmd.Flags(), &f.testSeed, "test-seed", 0,
		"seed of the test instances, so that they stay unseen while others are tried (0: as --seed, 1 beside --seeds)")
	cmd.Flags().UintSliceVar(&f.seeds, "seeds", nil, "fit with each of these seeds in place of --seed, such as 1,2,3")
	cmd.Flags().StringVar(&f.class, "class", string(sdk.ClassLocal),
		"features to fit with: local, or lookahead for those that walk on as well")
	cmd.Flags().BoolVar(&f.half, "half-features", false,
		"fit on features of half precision, 11 significant bits: --memory holds twice as many")
	cmd.Flags().BoolVar(&f.noRankers, "no-rankers", false,
		"do not fit a linear scorer, a neural ranker and a decision tree to compare with")
	cmd.Flags().BoolVar(&f.noPrograms, "no-programs", false, "do not compare the programs by themselves")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	require(cmd, "teacher")
	exclusive(cmd, "seed", "seeds")
	exclusive(cmd, "products", "within")
	exclusive(cmd, "dagger", "within")
	return cmd
}

// validate reports every flag that cannot be run, and what would be accepted.
func (f sketchFlags) validate() error {
	var errs []error
	for _, n := range []struct {
		flag             string
		value, low, high int
	}{
		{"train", f.train, 1, 1_000_000}, {"test", f.test, 1, 1_000_000}, {"programs", f.programs, 1, 100},
		{"terms", f.terms, 1, 30},
		{"memory", int(f.memory), 0, 1 << 20}, {"batch", f.batch, 1, 1_000_000},
	} {
		if n.value < n.low || n.value > n.high {
			errs = append(errs, fmt.Errorf("--%s is %d, want %d to %d", n.flag, n.value, n.low, n.high))
		}
	}
	if len(f.products) == 0 {
		errs = append(errs, errors.New("--products names no number: 0 is all"))
	}
	for i, n := range f.products {
		if n < 0 {
			errs = append(errs, fmt.Errorf("--products is %d, want 0 or more", n))
		}
		if slices.Contains(f.products[:i], n) {
			errs = append(errs, fmt.Errorf("--products names %d twice", n))
		}
	}
	if len(f.products) > 1 && f.out != "" {
		errs = append(errs, fmt.Errorf(
			"--out takes one student, and --products asks for %d: leave one of them out", len(f.products),
		))
	}
	if f.dagger < 0 || f.dagger > f.train {
		errs = append(errs, fmt.Errorf("--dagger is %d, want 0 to the %d instances of --train", f.dagger, f.train))
	}
	if f.dagger > 0 && len(f.products) > 0 && slices.Max(f.products) == 0 {
		errs = append(errs, errors.New("--dagger is for routers of few products, and --products asks for all: add a "+
			"number, such as --products 0,100"))
	}
	if !(f.within >= 0 && f.within <= 1) {
		errs = append(errs, fmt.Errorf("--within is %v, want 0 to 1", f.within))
	}
	if class := sdk.Class(f.class); class != sdk.ClassLocal && class != sdk.ClassLookahead {
		errs = append(errs, fmt.Errorf("--class is %q, want %s or %s", f.class, sdk.ClassLocal, sdk.ClassLookahead))
	}
	if len(f.seeds) > 1 && f.out != "" {
		errs = append(errs, fmt.Errorf(
			"--out takes one student, and --seeds names %d: leave one of them out", len(f.seeds),
		))
	}
	for i, seed := range f.seeds {
		if seed > math.MaxUint32 {
			errs = append(errs, fmt.Errorf("--seeds %d: want whole numbers from 0 to 4294967295", seed))
		}
		if slices.Contains(f.seeds[:i], seed) {
			errs = append(errs, fmt.Errorf("--seeds names %d twice", seed))
		}
	}
	return errors.Join(errs...)
}

// checkProducts reports a number of products of a problem's features of a class that a router of few may not have.
func checkProducts(problem routing.Problem, class sdk.Class, products ...int) error {
	set, ok := features.Of(problem, routing.Full, class)
	if most := slices.Max(products); ok && most > features.MostKept {
		return fmt.Errorf("--products is %d, want 0, for all %d, or at most %d", most, set.Products(),
			features.MostKept)
	}
	return nil
}

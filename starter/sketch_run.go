package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// sketched is what epb sketch found out about one student.
type sketched struct {
	Fidelity student.Eval   `json:"fidelity"`
	Table    evaluate.Table `json:"table"`
	Products int            `json:"products"` // of the router
	// Router is the heaviest terms of the router in words.
	Router  *readable.Description `json:"router,omitempty"`
	Seconds float64               `json:"seconds"` // of the fit, which all students of a seed share
	Rankers []evaluate.Rival      `json:"rankers,omitempty"`
	Seed    uint64                `json:"seed"`
	Machine string                `json:"machine"`
	Kernels string                `json:"kernels"`
}

// sketchPolicy runs epb sketch.
func sketchPolicy(ctx context.Context, f sketchFlags, stdout, stderr io.Writer) error {
	if f.out != "" {
		if err := checkNew("--out", f.out); err != nil {
			return err
		}
		if err := checkParent(filepath.Clean(f.out)); err != nil {
			return err
		}
		if err := os.Mkdir(f.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		defer os.Remove(f.out) // which fails once the student is in it
	}
	t, err := input.LoadTeacher(f.teacher)
	if err != nil {
		return err
	}
	if view := t.Info().View; view != routing.Full {
		return fmt.Errorf("--teacher %s sees the %s view only, and the features of a sketch are of the whole state: "+
			"its programs would see more than the teacher. Distil it by epb start", f.teacher, view)
	}
	f.nodes = nodesFor(t, f.nodes, stderr)
	p := problems.Must(t.Info().Problem)
	if err := checkNodes(p, f.nodes); err != nil {
		return err
	}
	if err := checkProducts(p.Name(), sdk.Class(f.class), f.products...); err != nil {
		return err
	}
	tools, err := compile.Find()
	if err != nil {
		return err
	}
	memory.BoundCommand()
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	k := sketcher{sketchFlags: f, policy: t, problem: p, tools: tools, screen: screen}
	// All seeds have the same test instances, so that they differ in what was fitted alone.
	if k.fresh, err = k.record(ctx, f.freshSeed(), f.test, config.ValStream); err != nil {
		return err
	}
	all := make([][]sketched, len(f.products)) // by products, then by seed
	for _, seed := range f.allSeeds() {
		k.seed = seed
		if err := k.one(ctx, func(i int, out sketched) error {
			screen.Clear()
			all[i] = append(all[i], out)
			if !f.json {
				return nil
			}
			return json.NewEncoder(stdout).Encode(out)
		}); err != nil {
			return err
		}
	}
	if f.json {
		return nil
	}
	return f.print(stdout, all)
}

// sketcher runs epb sketch.
type sketcher struct {
	sketchFlags
	policy  teacher.Teacher
	problem routing.Definition
	tools   *compile.Toolchain
	screen  *terminal.Screen
	fresh   *rollout.Shard // the test instances as the policy solves them
}

// one fits with one seed and compares on the test instances: the student with the first number of products with
// everyone, the others with the policy alone. It tells found of each student as soon as it is compared; the first comes
// last, since rivals take longest. The screen has each row as soon as it is known.
func (k *sketcher) one(ctx context.Context, found func(i int, out sketched) error) error {
	train, err := k.record(ctx, k.seed, k.train, config.TrainStream)
	if err != nil {
		return err
	}
	var start startrule.Rule
	if !k.problem.Traits().Depot {
		if start, _, _, err = startrule.Fit([]*rollout.Shard{train}); err != nil {
			return err
		}
	}
	began := time.Now()
	fitted, err := k.fit(ctx, train, start)
	if err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	debug.FreeOSMemory() // what the fit kept of features, before the rivals keep as much
	for i, fit := range slices.Backward(fitted) {
		out := sketched{
			Seed: k.seed, Seconds: seconds, Machine: version.Machine(), Kernels: tensorops.CurrentIdentity().String(),
		}
		s, err := k.build(ctx, fit, start, &out)
		if err != nil {
			return err
		}
		var rivals func() ([]evaluate.Rival, error)
		if i == 0 {
			rivals = func() (_ []evaluate.Rival, err error) {
				out.Rankers, err = k.rivals(ctx, train, start)
				return out.Rankers, err
			}
		}
		err = k.compare(ctx, s, rivals, &out)
		s.Programs.Close()
		if err != nil {
			return err
		}
		if err := found(i, out); err != nil {
			return err
		}
	}
	return nil
}

// build writes and compiles what was fitted, and keeps it if --out says where. Its programs must be closed.
func (k *sketcher) build(
	ctx context.Context, fitted sketch.Fitted, start startrule.Rule, out *sketched,
) (*evaluate.Student, error) {
	out.Products, _ = fitted.Router.Products()
	b, err := k.write(fitted)
	if err != nil {
		return nil, err
	}
	if d := readable.Of(fitted.Router, b); d != nil {
		words := d.First(keptWords)
		out.Router = &words
	}
	if k.out != "" { // before the comparisons, which take long: what was fitted is not lost if they are stopped
		if err := distilled.Save(k.out, distilled.Manifest{
			Run: "sketch", Problem: k.problem.Name(), Nodes: k.nodes, Teacher: k.policy.Name(), Seed: k.seed,
			Start: start, EPB: version.Commit(), Kernels: out.Kernels,
		}, b, fitted.Router); err != nil {
			return nil, err
		}
	}
	return k.compile(ctx, b, fitted, start)
}

// write writes the programs that were fitted.
func (k *sketcher) write(fitted sketch.Fitted) (*bank.Bank, error) {
	setting := bank.Setting{Problem: k.problem.Name(), View: routing.Full}
	return sketch.Write(fitted.Programs, setting, fitted.Router.Config.Features())
}

// compile compiles the programs that were written. They must be closed.
func (k *sketcher) compile(
	ctx context.Context, b *bank.Bank, fitted sketch.Fitted, start startrule.Rule,
) (*evaluate.Student, error) {
	programs, err := evaluate.BuildPrograms(ctx, k.tools, b, compiling(k.screen))
	return &evaluate.Student{Model: fitted.Router, Programs: programs, Start: start}, err
}

// Of the terms of a router, a result keeps so many, and a command prints so many.
const (
	keptWords  = 100
	shownWords = 10
)

// freshSeed returns the seed of the test instances. They are validation instances of a run of the same seed, unless
// --test-seed names others.
func (f sketchFlags) freshSeed() uint64 { return cmp.Or(f.testSeed, f.seed) }

// record has the policy solve instances of a stream.
func (k *sketcher) record(ctx context.Context, seed uint64, count int, stream config.Stream) (*rollout.Shard, error) {
	insts := k.problem.Generate(k.nodes, count, stream.Seed(seed, 0))
	return record(ctx, k.screen, "recording the policy", k.policy, insts)
}

// room returns for how many bytes of features there is room now.
func (f sketchFlags) room() int64 { return memory.ForCommand(f.memory << 30) }

// ownStates returns what records the policy in the states that a student reaches itself, on the first --dagger training
// instances. It is nil where that is not asked for.
func (k *sketcher) ownStates(
	train *rollout.Shard, start startrule.Rule,
) func(context.Context, sketch.Fitted) (*rollout.Shard, error) {
	if k.dagger == 0 {
		return nil
	}
	some := train.Slice(0, k.dagger)
	return func(ctx context.Context, fitted sketch.Fitted) (*rollout.Shard, error) {
		b, err := k.write(fitted)
		if err != nil {
			return nil, err
		}
		s, err := k.compile(ctx, b, fitted, start)
		if err != nil {
			return nil, err
		}
		defer s.Programs.Close()
		paths, err := rollout.Follow(ctx, s, some, func(done int) {
			k.screen.Status("the student's own states: %d of %d instances", done, k.dagger)
		})
		if err != nil {
			return nil, err
		}
		return paths.Record(ctx, k.policy, func(done int) {
			k.screen.Status("recording the policy there: %d of %d instances", done, k.dagger)
		})
	}
}

// fit fits a student for each number of products.
func (k *sketcher) fit(ctx context.Context, train *rollout.Shard, start startrule.Rule) ([]sketch.Fitted, error) {
	cfg := student.Configured(
		config.Student{Router: config.NamedRouter, Features: sdk.Class(k.class), HalfFeatures: k.half},
		k.problem.Name(), routing.Full, k.programs,
	)
	return sketch.FitEach(ctx, cfg, sketch.Config{
		Programs: k.programs, Terms: k.terms, Within: k.within, Own: k.ownStates(train, start),
		RouterConfig: sketch.RouterConfig{Memory: k.room(), Batch: k.batch, Seed: k.seed},
	}, k.products, []student.Dataset{{Shard: train}}, func(done, total int) {
		k.screen.Status("fitting: epoch %d of %d", done, total)
	})
}

// compare measures a student on the policy's states of test instances, and solves them: with everyone if there may be
// rivals, else with the policy and the student alone.
func (k *sketcher) compare(
	ctx context.Context, s *evaluate.Student, rivals func() ([]evaluate.Rival, error), out *sketched,
) error {
	k.screen.Status("scoring the policy's states")
	set, err := s.Programs.Score(ctx, k.fresh)
	if err != nil {
		return err
	}
	reading, err := evaluate.Inspect(ctx, s.Model, s.Programs.Bank, set)
	if err != nil {
		return err
	}
	insts := make([]routing.Instance, k.fresh.Instances())
	for i := range insts {
		insts[i] = k.fresh.Instance(i)
	}
	everyone := rivals != nil
	c, err := evaluate.Compare(ctx, insts, k.policy, s, evaluate.Options{
		Modes: []evaluate.Mode{evaluate.Greedy}, Heuristics: everyone && !k.noPrograms, Baselines: everyone,
		Reading: &reading, Rivals: rivals, Seed: k.seed,
		Progress: func(policy string, _ evaluate.Mode, done, total int) {
			k.screen.Status("%s: %d of %d instances", policy, done, total)
		},
		Row: func(row evaluate.Row) { k.tell(row, out.Products) },
	})
	out.Fidelity, out.Table = reading.Fidelity, c.Table.WithBestProgram()
	return err
}

// tell prints a row, so that a result is there before the long fits are all done. Rows of the policy itself and of
// programs by themselves are left to the table.
func (k *sketcher) tell(row evaluate.Row, products int) {
	if row.Kind == evaluate.KindTeacher || row.Kind == evaluate.KindHeuristic {
		return
	}
	whose := fmt.Sprintf("seed %d", k.seed)
	if row.Kind == evaluate.KindStudent {
		whose += fmt.Sprintf(", %d products", products)
	}
	top1 := ""
	if row.Top1 != nil {
		top1 = ", top-1 " + decimal.Percent(*row.Top1)
	}
	k.screen.Line("%s, %s: %s%s", whose, row.Name, decimal.Gap(row.Greedy.Gap.Percent), top1)
}

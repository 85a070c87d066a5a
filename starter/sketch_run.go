package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"time"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
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
	Seconds float64               `json:"seconds"` // of the fit
	Rankers []evaluate.Rival      `json:"rankers,omitempty"`
	Seed    uint64                `json:"seed"`
	Machine string                `json:"machine"`
	Kernels string                `json:"kernels"`
}

// sketchPolicy runs epb sketch.
func sketchPolicy(ctx context.Context, f sketchFlags, stdout, stderr io.Writer) error {
	if f.out != "" {
		if _, err := os.Lstat(f.out); err == nil {
			return fmt.Errorf("--out %s exists: give a new folder", f.out)
		}
		if err := os.MkdirAll(f.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		defer os.Remove(f.out) // which fails once the student is in it
	}
	t, err := input.LoadTeacher(f.teacher)
	if err != nil {
		return err
	}
	p := problems.Must(t.Info().Problem)
	if err := checkNodes(p, f.nodes); err != nil {
		return err
	}
	tools, err := compile.Find()
	if err != nil {
		return err
	}
	boundMemory()
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	// All seeds have the test instances of the first, so that they differ in what was fitted alone.
	test, err := f.recordTest(ctx, t, p, screen)
	if err != nil {
		return err
	}
	all := make([][]sketched, len(f.products)) // by products, then by seed
	for _, seed := range f.allSeeds() {
		f.seed = seed
		students, err := f.one(ctx, t, p, tools, test, screen)
		if err != nil {
			return err
		}
		screen.Clear()
		for i, out := range students {
			if all[i] = append(all[i], out); f.json {
				if err := json.NewEncoder(stdout).Encode(out); err != nil {
					return err
				}
			}
		}
	}
	if f.json {
		return nil
	}
	return f.print(stdout, all)
}

// one fits with one seed, and compares on the test instances: the first student with everyone, the others with the
// teacher alone.
func (f sketchFlags) one(
	ctx context.Context, t teacher.Teacher, p routing.Definition, tools *compile.Toolchain, test *rollout.Shard,
	screen *terminal.Screen,
) ([]sketched, error) {
	train, err := f.record(ctx, t, p, f.train, trainStream, screen)
	if err != nil {
		return nil, err
	}
	var start startrule.Rule
	if !p.Traits().Depot {
		if start, _, _, err = startrule.Fit([]*rollout.Shard{train}); err != nil {
			return nil, err
		}
	}
	fitted, seconds, err := f.fit(ctx, p, train, screen)
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // what the fit kept of features, before the rivals keep as much
	all := make([]sketched, len(fitted))
	for i := range fitted {
		out := &all[i]
		*out = sketched{
			Seed: f.seed, Seconds: seconds, Machine: version.Machine(), Kernels: tensorops.CurrentIdentity().String(),
		}
		err := f.measure(ctx, t, p, tools, fitted[i], start, train, test, i == 0, out, screen)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// measure writes and compiles what was fitted, keeps it if --out says where, and compares it.
func (f sketchFlags) measure(
	ctx context.Context, t teacher.Teacher, p routing.Definition, tools *compile.Toolchain, fitted sketch.Fitted,
	start startrule.Rule, train, test *rollout.Shard, first bool, out *sketched, screen *terminal.Screen,
) error {
	out.Products, _ = fitted.Router.Products()
	b, err := sketch.Write(fitted.Programs, f.setting(p), fitted.Router.Config.Features())
	if err != nil {
		return err
	}
	programs, err := evaluate.BuildPrograms(ctx, tools, b, func(name string) { screen.Status("compiling %s", name) })
	if err != nil {
		return err
	}
	defer programs.Close()
	if d := readable.Of(fitted.Router, b); d != nil {
		words := d.First(keptWords)
		out.Router = &words
	}
	s := &evaluate.Student{Model: fitted.Router, Programs: programs, Start: start}
	if f.out != "" { // before the comparisons, which take long: what was fitted is not lost if they are stopped
		if err := evaluate.SaveStudent(f.out, evaluate.Manifest{
			Run: "sketch", Problem: p.Name(), Nodes: f.nodes, Teacher: t.Name(), Seed: f.seed, Start: start,
			EPB: version.Commit(), Kernels: out.Kernels,
		}, b, s.Model); err != nil {
			return err
		}
	}
	if first {
		if out.Rankers, err = f.rivals(ctx, t, train, test, start, screen); err != nil {
			return err
		}
	}
	return f.compare(ctx, t, s, test, first, out, screen)
}

// Of the terms of a router, a result keeps so many, and a command prints so many.
const (
	keptWords  = 100
	shownWords = 10
)

// The random streams of instances.
const (
	trainStream = iota
	testStream
)

// recordTest has the policy solve the test instances.
func (f sketchFlags) recordTest(
	ctx context.Context, t teacher.Teacher, p routing.Definition, screen *terminal.Screen,
) (*rollout.Shard, error) {
	f.seed = cmp.Or(f.testSeed, f.seed)
	return f.record(ctx, t, p, f.test, testStream, screen)
}

// record has the policy solve instances of a stream of its own.
func (f sketchFlags) record(
	ctx context.Context, t teacher.Teacher, p routing.Definition, count int, stream uint64, screen *terminal.Screen,
) (*rollout.Shard, error) {
	insts := p.Generate(f.nodes, count, f.seed<<32|stream<<28)
	return rollout.Record(ctx, t, insts, rollout.OwnStart, func(done int) {
		screen.Status("recording the policy: %d of %d instances", done, count)
	})
}

// room returns for how many bytes of features there is room now.
func (f sketchFlags) room() int64 {
	want := f.memory << 30
	if has, ok := memory.Available(); ok {
		return min(want, has/4*3)
	}
	return want
}

// boundMemory has garbage collected before the machine runs out of memory, unless GOMEMLIMIT says when.
func boundMemory() {
	if has, ok := memory.Available(); ok && debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(has / 10 * 9)
	}
}

// setting returns what the programs are written for.
func (f sketchFlags) setting(p routing.Definition) bank.Setting {
	return bank.Setting{Problem: p.Name(), View: routing.Full}
}

// fit fits a student for each number of products, and says how long that took.
func (f sketchFlags) fit(
	ctx context.Context, p routing.Definition, train *rollout.Shard, screen *terminal.Screen,
) (fitted []sketch.Fitted, seconds float64, err error) {
	cfg := student.Configured(config.Student{Router: config.NamedRouter, Features: sdk.Class(f.class)},
		p.Name(), routing.Full, f.programs)
	began := time.Now()
	fitted, err = sketch.FitEach(ctx, cfg, sketch.Config{
		Programs: f.programs, Terms: f.terms, Within: f.within, Memory: f.room(), Batch: f.batch, Seed: f.seed,
	}, f.products, []student.Dataset{{Shard: train}}, func(done, total int) {
		screen.Status("fitting: epoch %d of %d", done, total)
	})
	return fitted, time.Since(began).Seconds(), err
}

// compare measures the student on the policy's states of test instances, and solves them. It compares the first student
// with everyone.
func (f sketchFlags) compare(
	ctx context.Context, t teacher.Teacher, s *evaluate.Student, test *rollout.Shard, first bool, out *sketched,
	screen *terminal.Screen,
) error {
	screen.Status("scoring the policy's states")
	set, err := s.Programs.Score(ctx, test)
	if err != nil {
		return err
	}
	reading, err := evaluate.Inspect(ctx, s.Model, s.Programs.Bank, set)
	if err != nil {
		return err
	}
	insts := make([]routing.Instance, test.Instances())
	for i := range insts {
		insts[i] = test.Instance(i)
	}
	c, err := evaluate.Compare(ctx, insts, t, s, evaluate.Options{
		Modes: []evaluate.Mode{evaluate.Greedy}, Heuristics: first && !f.noPrograms, Baselines: first,
		Reading: &reading, Rivals: out.Rankers, Seed: f.seed,
		Progress: func(policy string, _ evaluate.Mode, done, total int) {
			screen.Status("%s: %d of %d instances", policy, done, total)
		},
	})
	out.Fidelity, out.Table = reading.Fidelity, c.Table.WithBestProgram()
	return err
}

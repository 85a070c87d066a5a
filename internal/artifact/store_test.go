package artifact

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/teachers"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

const near = `package near

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	fromHere := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -fromHere[c]
	}
}
`

// fixture is a store on a real MinIO with a real compiler.
type fixture struct {
	*Store
	t     *testing.T
	stack *devstack.Stack // of the store
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	stack := devstacktest.Start(t, devstack.MinIO)
	s, err := store.Open(t.Context(), stack.Store())
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{Store: New(s, nil, tensorops.Identity{}, 1<<20), t: t, stack: stack}
}

// restart returns a store on the same objects, with an empty memory.
func (f *fixture) restart() *Store {
	s := New(f.Store.Store, f.Compiler, f.Kernels, 1<<20)
	s.Remake = f.Remake
	return s
}

// record returns a shard of two instances of a seed, solved by the teacher that ships with EPB.
func (f *fixture) record(seed uint64) *rollout.Shard {
	f.t.Helper()
	policy, err := teacher.Parse("pomo_tsp20.pt", teachers.POMOTSP20)
	if err != nil {
		f.t.Fatal(err)
	}
	runs := func(int) []routing.Run { return []routing.Run{{Start: 0, Record: true}} }
	sh, err := rollout.Record(f.t.Context(), policy, tsp.Generate(20, 2, seed), runs, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return sh
}

func nearest(t *testing.T) bank.Heuristic {
	t.Helper()
	h, err := bank.New("near", near, bank.Lineage{Origin: "hand"})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A worker on another machine, which never built a program, finds it in the store and does not need a compiler for it.
func TestProgramsAreShared(t *testing.T) {
	f := newFixture(t)
	here, elsewhere := compiletest.Toolchain(t), compiletest.Toolchain(t)
	here.Cache, elsewhere.Cache = t.TempDir(), t.TempDir()
	here.Shared, elsewhere.Shared = store.ProgramCache(f.Store.Store), store.ProgramCache(f.Store.Store)
	elsewhere.TinyGo = "/nowhere/tinygo"
	h, other := nearest(t), f.restart()
	f.Compiler, other.Compiler = here, elsewhere
	if _, _, err := other.program(t.Context(), h); err == nil {
		t.Fatal("a program came from nowhere")
	}
	built, giveBack, err := f.program(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	defer giveBack()
	found, giveBack, err := other.program(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	defer giveBack()
	if built.hash != found.hash {
		t.Errorf("built %s, found %s", built.hash, found.hash)
	}
}

// TestWeightsShareAProgram: heuristics that differ in weights share a module, and each has its own scores. Programs
// without weights have the key they always had.
func TestWeightsShareAProgram(t *testing.T) {
	f := newFixture(t)
	f.Compiler = compiletest.Toolchain(t)
	f.Compiler.Cache = t.TempDir()
	shard, err := f.PutShard(t.Context(), f.record(1))
	if err != nil {
		t.Fatal(err)
	}
	heuristic := func(value string) bank.Heuristic {
		src := strings.Replace(near, "// Score", "const scale = "+value+" // of a distance\n\n// Score", 1)
		src = strings.Replace(src, "-fromHere", "-scale * fromHere", 1)
		h, err := bank.New("near", src, bank.Lineage{Origin: "hand"})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	score := func(h bank.Heuristic) []float32 {
		t.Helper()
		x, err := f.Scores(t.Context(), h, shard)
		if err != nil {
			t.Fatal(err)
		}
		return dense.Must[float32]("scores", x, dense.Any)
	}
	one, plain := score(heuristic("1.0")), score(nearest(t))
	f.Compiler.TinyGo = "/nowhere/tinygo"
	double := score(heuristic("2.0"))
	if !slices.Equal(one, plain) || slices.Equal(double, one) {
		t.Error("the scores are not those of the weights")
	}
	for i, v := range double {
		if v != 2*one[i] {
			t.Fatalf("score %d is %v, want twice %v", i, v, one[i])
		}
	}
	stored, err := f.List(t.Context(), "scores/")
	if err != nil || len(stored) != 3 {
		t.Fatalf("%v, %v", stored, err)
	}
	p, giveBack, err := f.program(t.Context(), nearest(t))
	if err != nil {
		t.Fatal(err)
	}
	giveBack()
	if key := "scores/" + p.hash + "/" + shard.Hash; p.scoresKey(shard) != key {
		t.Errorf("without weights the key is %s, want %s", p.scoresKey(shard), key)
	}
	c, J, err := f.Jacobian(t.Context(), heuristic("2.0"), shard, []float32{1}, []float32{1})
	if err != nil || !slices.Equal(dense.Must[float32]("c", c, dense.Any), one) {
		t.Fatalf("the Jacobian's scores are not those of the weights it is given (%v)", err)
	}
	if jac := dense.Must[float32]("J", J, 1, len(one)); !slices.Equal(jac, one) {
		t.Error("the derivative of a score by its scale is not the score at scale 1")
	}
}

// Damaged scores are computed again and stored at their old key.
func TestDamagedScoresAreMadeAgain(t *testing.T) {
	f := newFixture(t)
	f.Compiler = compiletest.Toolchain(t)
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	h := nearest(t)
	shard, err := f.PutShard(t.Context(), f.record(1))
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Scores(t.Context(), h, shard)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := f.List(t.Context(), "scores/")
	if err != nil || len(stored) != 1 {
		t.Fatalf("%v, %v", stored, err)
	}
	devstacktest.Damage(t, f.stack, stored[0])
	got, err := f.restart().Scores(t.Context(), h, shard)
	if err != nil || !bytes.Equal(dense.Bytes(got), dense.Bytes(want)) {
		t.Errorf("%v scores that may differ from the %v before (%v)", got, want, err)
	}
	if !strings.Contains(log.String(), stored[0]) || !strings.Contains(log.String(), "made again") {
		t.Errorf("the log does not say so: %s", log.String())
	}
	if _, err := f.GetDerived(t.Context(), stored[0]); err != nil {
		t.Errorf("they are not in their place: %v", err)
	}
}

// Scores that no program of the bank has any more are removed, and computed again for whoever asks for them.
func TestScoresAreForgotten(t *testing.T) {
	f := newFixture(t)
	f.Compiler = compiletest.Toolchain(t)
	near := nearest(t)
	renamed, other := near, near
	renamed.Source = strings.Replace(near.Source, "// Score", "// By another description.\n//\n// Score", 1)
	other.Source = strings.Replace(near.Source, "score[k] = ", "score[k] = 2 * ", 1)
	shard, err := f.PutShard(t.Context(), f.record(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []bank.Heuristic{near, renamed, other} {
		if _, err := f.Scores(t.Context(), h, shard); err != nil {
			t.Fatal(err)
		}
	}
	stored := func(want int) {
		t.Helper()
		if entries, err := f.List(t.Context(), "scores/"); err != nil || len(entries) != want {
			t.Fatalf("%v are stored, %v; want %d", entries, err, want)
		}
	}
	stored(2) // two programs are the same but for a comment
	shards := []store.Ref{shard}
	forget := func(left, stay []bank.Heuristic) {
		t.Helper()
		if err := f.ForgetScores(t.Context(), left, stay, shards); err != nil {
			t.Fatal(err)
		}
	}
	forget([]bank.Heuristic{near, other}, []bank.Heuristic{renamed, other})
	stored(2)
	forget([]bank.Heuristic{near, other}, []bank.Heuristic{renamed})
	stored(1)
	if _, err := f.restart().Scores(t.Context(), other, shard); err != nil {
		t.Error(err)
	}
	stored(2)
}

// A lost shard is made again from its recipe and stored at its old key. Without its recipe, its task can still make it.
func TestLostShardIsMadeAgain(t *testing.T) {
	f := newFixture(t)
	f.Remake = func(_ context.Context, recipe []byte) (*rollout.Shard, error) {
		if string(recipe) != `"seed 1"` {
			t.Errorf("recipe %s", recipe)
		}
		return f.record(1), nil
	}
	made := 0
	task := func(s *Store) (store.Ref, *rollout.Shard) {
		t.Helper()
		ref, sh, err := s.Once(t.Context(), "rollouts", "task 1", "seed 1", func() (*rollout.Shard, error) {
			made++
			return f.record(1), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return ref, sh
	}
	ref, sh := task(f.Store)
	if again, same := task(f.restart()); again != ref || made != 1 || same.States() != sh.States() {
		t.Errorf("asked again: %v after %d recordings, want %v after one", again, made, ref)
	}
	for how, spoil := range map[string]func(testing.TB, *devstack.Stack, string){
		"damaged": devstacktest.Damage, "lost": devstacktest.Lose,
	} {
		spoil(t, f.stack, ref.Key())
		if _, err := f.restart().Shard(t.Context(), ref); err != nil {
			t.Errorf("%s: %v", how, err)
		}
		if _, err := f.Get(t.Context(), ref); err != nil {
			t.Errorf("%s: it is not in its place: %v", how, err)
		}
	}
	devstacktest.Lose(t, f.stack, ref.Key())
	devstacktest.Lose(t, f.stack, recipeKey(ref))
	_, err := f.restart().Shard(t.Context(), ref)
	if !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), ref.Key()) {
		t.Errorf("without its recipe: error %v, want one that names it", err)
	}
	if again, _ := task(f.restart()); again != ref || made != 2 {
		t.Errorf("its task gives %v after %d recordings, want %v after two", again, made, ref)
	}
	if _, err := f.restart().Shard(t.Context(), ref); err != nil {
		t.Errorf("its task did not put it back: %v", err)
	}
}

// A new shard that differs from the lost one is not stored at its key.
func TestAnotherShardIsNoRemedy(t *testing.T) {
	f := newFixture(t)
	ref, err := f.PutShard(t.Context(), f.record(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.putRecipe(t.Context(), ref, "seed 1"); err != nil {
		t.Fatal(err)
	}
	f.Remake = func(context.Context, []byte) (*rollout.Shard, error) { return f.record(2), nil }
	devstacktest.Damage(t, f.stack, ref.Key())
	_, err = f.restart().Shard(t.Context(), ref)
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "numeric kernels") {
		t.Errorf("error %v, want one about another shard", err)
	}
}

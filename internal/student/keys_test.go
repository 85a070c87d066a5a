package student

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
)

// Keys follow their heuristics through a drop, a swap and an admission. The keys themselves are moved, so their bits
// are compared. The logits are then products of another shape, which a BLAS may sum in another order, so they need to
// agree only as closely as other such products do.
func TestResizeFollowsTheBank(t *testing.T) {
	set, tauH := toy(4, 8, 1, 4, 1)
	cfg := small(true)
	cfg.StaticKeys = 4
	tr := NewTrainer(New(cfg, 1), training(), 1)
	epochs(t, tr, []Dataset{set}, tauH, 0, 2)
	before, oldKeys := all(t, tr.Model, set, tauH), slices.Clone(tr.Model.w.keys)

	from := []int{3, -1, 0}
	tr.Resize(from)
	if got := tr.Model.Config.StaticKeys; got != 3 {
		t.Fatalf("%d keys, want 3", got)
	}
	after := all(
		t, tr.Model, Dataset{Shard: set.Shard, Scores: []*tensor.Dense{set.Scores[3], set.Scores[1], set.Scores[0]}},
		tauH[:3],
	)
	for m, k := range from {
		kept := k >= 0
		if !kept {
			k = 1 // which was in its place
		}
		key, old := columnOf(tr.Model.w.keys, 3, m), columnOf(oldKeys, 4, k)
		if slices.Equal(key, old) != kept {
			t.Errorf("heuristic %d from %d has the key %v, the old bank's is %v", m, k, key, old)
		}
		if kept {
			near(
				t, fmt.Sprintf("logits of heuristic %d", m), columnOf(floats(after.Logits), 3, m),
				columnOf(floats(before.Logits), 4, k),
			)
		}
	}

	for e := 2; e < 4; e++ { // training goes on, and resumes from a checkpoint
		back, err := UnmarshalTrainer(marshal(t, tr))
		if err != nil {
			t.Fatal(err)
		}
		shrunk := Dataset{Shard: set.Shard, Scores: set.Scores[:3]}
		epochs(t, tr, []Dataset{shrunk}, tauH[:3], e, e+1)
		epochs(t, back, []Dataset{shrunk}, tauH[:3], e, e+1)
		if !bytes.Equal(marshal(t, tr), marshal(t, back)) {
			t.Fatal("the checkpoint of a resized trainer goes on differently")
		}
	}
}

// columnOf returns column j of a row-major matrix of n columns.
func columnOf(x []float32, n, j int) []float32 {
	var c []float32
	for i := j; i < len(x); i += n {
		c = append(c, x[i])
	}
	return c
}

func TestResizeMovesMoments(t *testing.T) {
	set, tauH := toy(4, 8, 1, 2, 1)
	cfg := small(true)
	cfg.StaticKeys = 2
	tr := NewTrainer(New(cfg, 1), training(), 1)
	epochs(t, tr, []Dataset{set}, tauH, 0, 1)
	straight := marshal(t, tr)
	tr.Resize([]int{1, 0, -1})
	if n := tr.Model.Size(); tr.m[n-1] != 0 || tr.v[n-1] != 0 || tr.m[n-2] == 0 {
		t.Errorf("moments %v of a kept key and %v of a fresh one", tr.m[n-2], tr.m[n-1])
	}
	tr.Resize([]int{1, 0})
	if !bytes.Equal(marshal(t, tr), straight) {
		t.Error("there and back changed the trainer")
	}
}

// TestFirstStepOfANewcomer: whenever a heuristic joins, its first step of Adam is as large as the first step of all:
// the learning rate, in log τ_h and in every element of a static key.
func TestFirstStepOfANewcomer(t *testing.T) {
	set, tauH := toy(4, 8, 1, 3, 1)
	two := Dataset{Shard: set.Shard, Scores: set.Scores[:2]}
	cfg := small(true)
	cfg.LearnTauH, cfg.StaticKeys = true, 2
	for _, later := range []int{0, 1, 40} {
		train := training()
		train.Schedule, train.BatchStates = Constant, States([]Dataset{set}) // a step an epoch
		tr := NewTrainer(New(cfg, 1), train, 1)
		tau := slices.Clone(tauH)
		epochs(t, tr, []Dataset{two}, tau[:2], 0, later)
		tr.Resize([]int{0, 1, -1})
		back, err := UnmarshalTrainer(marshal(t, tr))
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range []*Trainer{tr, back} {
			tau, key := slices.Clone(tau), columnOf(tr.Model.w.keys, 3, 2)
			epochs(t, tr, []Dataset{set}, tau, later, later+1)
			lr := tr.Config.rate(tr.step, float64(later))
			if moved := math.Abs(math.Log(tau[2]/tauH[2])) / lr; math.Abs(moved-1) > 0.01 {
				t.Errorf("after %d steps the first of a new log τ_h is %.3f·lr, want 1", later, moved)
			}
			largest := 0.0
			for d, v := range columnOf(tr.Model.w.keys, 3, 2) {
				largest = max(largest, math.Abs(float64(v-key[d]))/lr)
			}
			if math.Abs(largest-1) > 0.01 {
				t.Errorf("after %d steps the first of a new key is %.3f·lr, want 1", later, largest)
			}
		}
	}
}

func TestResizeWithoutStaticKeysChangesNothing(t *testing.T) {
	tr := NewTrainer(New(small(true), 1), training(), 1)
	want := marshal(t, tr)
	tr.Resize([]int{-1, 0, 1})
	if !bytes.Equal(marshal(t, tr), want) {
		t.Error("the trainer changed")
	}
}

// After a drop and an admission, the moments of τ_h are those of the programs that stayed, not of their old places in
// the bank.
func TestResizeMovesMomentsOfTau(t *testing.T) {
	set, tauH := toy(4, 8, 1, 3, 1)
	cfg := small(true)
	cfg.LearnTauH = true
	tr := NewTrainer(New(cfg, 1), training(), 1)
	epochs(t, tr, []Dataset{set}, tauH, 0, 1)
	m, v := tr.tau.m, tr.tau.v
	tr.Resize([]int{2, 0, -1})
	if want := []float64{m[2], m[0], 0}; m[2] == 0 || !slices.Equal(tr.tau.m, want) {
		t.Errorf("first moments %v, want %v", tr.tau.m, want)
	}
	if want := []float64{v[2], v[0], 0}; !slices.Equal(tr.tau.v, want) {
		t.Errorf("second moments %v, want %v", tr.tau.v, want)
	}
}

func TestStaticKeysRefuseAnotherBank(t *testing.T) {
	set, tauH := toy(2, 6, 1, 3, 1)
	cfg := small(true)
	cfg.StaticKeys = 2
	_, err := Evaluate(context.Background(), New(cfg, 1), []Dataset{set}, dense.Vector(tauH))
	if err == nil || !strings.Contains(err.Error(), "2 static keys for 3 heuristics") {
		t.Errorf("error %v", err)
	}
}

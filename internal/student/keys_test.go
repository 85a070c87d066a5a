package student

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
)

// Keys follow their heuristics through a drop, a swap and an admission. The keys themselves are moved, so their bits
// are compared. The logits are products of another shape then, which a BLAS may sum in another order, so they agree as
// other such products do.
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

func TestResizeWithoutStaticKeysChangesNothing(t *testing.T) {
	tr := NewTrainer(New(small(true), 1), training(), 1)
	want := marshal(t, tr)
	tr.Resize([]int{-1, 0, 1})
	if !bytes.Equal(marshal(t, tr), want) {
		t.Error("the trainer changed")
	}
}

// After a drop and an admission the moments of τ_h are those of the programs that stayed, not of their places in the
// bank.
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

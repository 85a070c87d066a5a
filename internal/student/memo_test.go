package student

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
)

// Several activities may read a shard at the same time, each with the same memo, while it is empty or half full: each
// measures what it would without one.
func TestMemoIsShared(t *testing.T) {
	m, set, tauH := named(t, 2)
	tau := dense.Vector(tauH)
	evaluate := func(set Dataset) string {
		eval, err := Evaluate(t.Context(), m, []Dataset{set}, tau)
		if err != nil {
			t.Error(err)
		}
		return fmt.Sprint(eval)
	}
	want := evaluate(set)
	inFile, err := m.Config.FileMemo(set.Shard, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, memo := range map[string]*Memo{
		"whole": m.Config.NewMemo(set.Shard, 1<<30), "in part": m.Config.NewMemo(set.Shard, 20_000),
		"in a file": inFile,
	} {
		shared := set
		shared.Memo = memo
		var g sync.WaitGroup
		for range 8 {
			g.Go(func() {
				for range 3 {
					if got := evaluate(shared); got != want {
						t.Errorf("kept %s: %s, want %s", name, got, want)
					}
				}
			})
		}
		g.Wait()
		if len(shared.Memo.has) == 0 {
			t.Errorf("kept %s: no state", name)
		}
		for s := range shared.Memo.has {
			if shared.Memo.has[s].Load() != kept {
				t.Errorf("kept %s: there is room for state %d, which is not kept", name, s)
			}
		}
	}
}

// What a memo gives back is what it was given, in memory and in a file. When its file is closed, it gives nothing.
func TestMemoGivesBackWhatItKeeps(t *testing.T) {
	m, set, _ := named(t, 2)
	inFile, err := m.Config.FileMemo(set.Shard, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const s = 1
	offset, state := set.Shard.Offset, span{s, s + 1}
	half := m.Config
	half.HalfFeatures = true
	halfInFile, err := half.FileMemo(set.Shard, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, memo := range map[string]*Memo{
		"memory": m.Config.NewMemo(set.Shard, 1<<30), "file": inFile,
		"half, memory": half.NewMemo(set.Shard, 1<<30), "half, file": halfInFile,
	} {
		var buffer measured
		if x := memo.recall(state, offset, &buffer); x != nil {
			t.Errorf("%s: what was never kept is recalled as %v", name, x)
		}
		all := make([][]float32, set.Shard.States())
		for s := range all {
			x := make([]float32, int(offset[s+1]-offset[s])*memo.F+memo.Z)
			for i := range x {
				x[i] = float32(s) + float32(i%512)/4 // has no more digits than half precision has
			}
			buffer.full = slices.Clone(x)
			buffer.round()
			memo.keep(int32(s), offset[s], &buffer)
			all[s] = x
		}
		if got := memo.recall(state, offset, &buffer); !slices.Equal(got, all[s]) {
			t.Errorf("%s: recalled %v, want %v", name, got, all[s])
		}
		got := memo.recall(span{s, s + 3}, offset, &buffer)
		if want := slices.Concat(all[s : s+3]...); !slices.Equal(got, want) {
			t.Errorf("%s: recalled %v of three states, want %v", name, got, want)
		}
	}
	for _, memo := range []*Memo{inFile, halfInFile} {
		memo.Close()
		if x := memo.recall(state, offset, new(measured)); x != nil {
			t.Errorf("a closed file is recalled as %v", x)
		}
	}
}

// A number of half precision is the nearest one that has 11 significant bits, and the largest there is in place of a
// larger one.
func TestHalfPrecision(t *testing.T) {
	for v, want := range map[float32]float32{
		0: 0, 1: 1, -0.375: -0.375, 1.0 / 3: 0.33325195, 2049: 2048, 2051: 2052, 1e-7: 1.1920929e-07, 1e-9: 0,
		65504: 65504, 1e6: 65504, -3e38: -65504,
	} {
		b := measured{full: []float32{v}}
		if b.round(); b.full[0] != want {
			t.Errorf("%v is rounded to %v, want %v", v, b.full[0], want)
		}
		if b.round(); b.full[0] != want {
			t.Errorf("%v is rounded to %v, which is rounded to %v", v, want, b.full[0])
		}
	}
}

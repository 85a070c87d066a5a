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
	for name, memo := range map[string]*Memo{"memory": m.Config.NewMemo(set.Shard, 1<<30), "file": inFile} {
		var buffer []float32
		if x := memo.recall(state, offset, &buffer); x != nil {
			t.Errorf("%s: what was never kept is recalled as %v", name, x)
		}
		all := make([][]float32, set.Shard.States())
		for s := range all {
			x := make([]float32, int(offset[s+1]-offset[s])*memo.F+memo.Z)
			for i := range x {
				x[i] = float32(s) + float32(i)/3
			}
			memo.keep(int32(s), offset[s], x)
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
	inFile.Close()
	if x := inFile.recall(state, offset, new([]float32)); x != nil {
		t.Errorf("a closed file is recalled as %v", x)
	}
}

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
	a, b := set.Shard.Offset[s], set.Shard.Offset[s+1]
	for name, memo := range map[string]*Memo{"memory": m.Config.NewMemo(set.Shard, 1<<30), "file": inFile} {
		f, z := make([]float32, int(b-a)*memo.F), make([]float32, memo.Z)
		if memo.recall(s, a, b, f, z) {
			t.Errorf("%s: what was never kept is recalled", name)
		}
		for i := range f {
			f[i] = float32(i) + 0.5
		}
		for i := range z {
			z[i] = -float32(i) - 0.5
		}
		memo.keep(s, a, b, f, z)
		gotF, gotZ := make([]float32, len(f)), make([]float32, len(z))
		if !memo.recall(s, a, b, gotF, gotZ) || !slices.Equal(gotF, f) || !slices.Equal(gotZ, z) {
			t.Errorf("%s: recalled %v and %v, want %v and %v", name, gotF, gotZ, f, z)
		}
	}
	inFile.Close()
	if inFile.recall(s, a, b, make([]float32, int(b-a)*inFile.F), make([]float32, inFile.Z)) {
		t.Error("a closed file is recalled")
	}
}

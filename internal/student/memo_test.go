package student

import (
	"fmt"
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

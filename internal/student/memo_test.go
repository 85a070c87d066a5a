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
	for _, bytes := range []int64{1 << 30, 20_000} {
		shared := set
		shared.Memo = m.Config.NewMemo(set.Shard, bytes)
		var g sync.WaitGroup
		for range 8 {
			g.Go(func() {
				for range 3 {
					if got := evaluate(shared); got != want {
						t.Errorf("with a memo of %d bytes: %s, want %s", bytes, got, want)
					}
				}
			})
		}
		g.Wait()
		if len(shared.Memo.has) == 0 {
			t.Errorf("a memo of %d bytes has room for no state", bytes)
		}
		for s := range shared.Memo.has {
			if shared.Memo.has[s].Load() != kept {
				t.Errorf("a memo of %d bytes has room for state %d, and does not keep it", bytes, s)
			}
		}
	}
}

package activities

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/workflows"
)

// Faults are the training states that no program gets right. Each pass begins at another shard. The faults of every
// other instance are held out.
func TestFaultsAreWhatNobodySolves(t *testing.T) {
	fx := newFixture(t)
	near, high := fx.scoring("near", byNear, leaning(0.7)), fx.scoring("high", byHeight, leaning(0.6)) // B remains
	data := fx.data("ABCB+BBB BBA", "AAA")
	none := []int32(nil)
	for name, tt := range map[string]struct {
		hs     []bank.Heuristic
		pass   int
		limit  int
		shards []int
		refine [][]int32
		held   [][]int32
		looked int
		lean   float64 // of the closest program
	}{
		"first pass": {hs: []bank.Heuristic{near, high}, limit: 9, shards: []int{0, 1}, refine: [][]int32{{5, 7}, {0}},
			held: [][]int32{{1, 3, 4, 6}, {1}}, looked: 11, lean: 0.6},
		"second pass": {hs: []bank.Heuristic{near, high}, pass: 1, limit: 9, shards: []int{1, 0},
			refine: [][]int32{{0}, {5, 7}}, held: [][]int32{{1}, {1, 3, 4, 6}}, looked: 11, lean: 0.6},
		"limit": {hs: []bank.Heuristic{near, high}, limit: 4, shards: []int{0}, refine: [][]int32{{5}},
			held: [][]int32{{1, 3, 4}}, looked: 8, lean: 0.6},
		"low limit": {hs: []bank.Heuristic{near, high}, limit: 2, shards: []int{0}, refine: [][]int32{none},
			held: [][]int32{{1, 3}}, looked: 8},
		"one program": {hs: []bank.Heuristic{near}, limit: 9, shards: []int{0, 1}, refine: [][]int32{{2, 5, 7}, {0}},
			held: [][]int32{{1, 3, 4, 6}, {1}}, looked: 11, lean: 0.7},
		"no program": {limit: 11, shards: []int{0, 1}, refine: [][]int32{{0, 2, 5, 7}, {0, 2}},
			held: [][]int32{{1, 3, 4, 6}, {1}}, looked: 11, lean: 0.5},
	} {
		out := perform(fx, fx.Faults,
			workflows.FaultsInput{ModelAndData: on(fx.even(tt.hs...), data),
				Pass: tt.pass, Add: config.Add{Faults: tt.limit}})
		f := get[faultSet](fx, out.Object)
		count := len(slices.Concat(tt.refine...)) + len(slices.Concat(tt.held...))
		if len(slices.Concat(tt.refine...)) == 0 {
			count = 0
		}
		if out.Count != count || out.States != tt.looked || len(f.Refine) != len(tt.refine) ||
			len(f.HeldOut) != len(tt.held) || len(f.Shards) != len(tt.shards) {
			t.Errorf("%s: %+v with %v and %v, want %d faults of %d states", name, out, f.Refine, f.HeldOut, count,
				tt.looked)
			continue
		}
		for i, shard := range tt.shards {
			if f.Shards[i] != data.Train[shard] || !slices.Equal(f.Refine[i], tt.refine[i]) ||
				!slices.Equal(f.HeldOut[i], tt.held[i]) {
				t.Errorf("%s: faults %v and %v, want %v and %v in shards %v", name, f.Refine, f.HeldOut, tt.refine,
					tt.held, tt.shards)
			}
		}
		if len(f.Shown) != len(tt.refine[0]) { // the others are held out
			t.Errorf("%s: %d faults are shown of %d", name, len(f.Shown), len(tt.refine[0]))
			continue
		}
		if len(f.Shown) > 0 && !equals(f.Shown[0].Teacher[0].PHeuristic, 1-tt.lean) {
			t.Errorf("%s: the closest program gives the teacher's city %v, want %v", name,
				f.Shown[0].Teacher[0].PHeuristic, 1-tt.lean)
		}
		if f.Context.N != 3 || !equals(f.Context.Sharpness.Top1, picked) {
			t.Errorf("%s: the prompts say %+v of the teacher", name, f.Context)
		}
	}
}

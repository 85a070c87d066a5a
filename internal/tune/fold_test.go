package tune_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// A program that crashes without one of its terms keeps them, but still loses the one whose weight is 0. It runs with
// the weights of the terms that are left at 0 one by one, and with no other weight changed.
func TestFoldTakesZeroTermsOutOfWhatCrashes(t *testing.T) {
	h, err := bank.New("near", `package near

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

const (
	home = 0.0 // bonus of a city far from the start
	lone = 1.5 // bonus of a lonely city
	dear = 0.5 // bonus of a city that is dear to leave
	wide = 1.5 // how far a crowd reaches
)

// Score prefers near cities.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + home*s.ToStart(k) + lone*s.Isolation(k) + dear*s.Skip(k) + s.Crowd(k, wide)
	}
}
`, bank.Lineage{})
	if err != nil {
		t.Fatal(err)
	}
	var steps [][]float32
	fold := tune.Fold{
		Sets: []student.Dataset{{Shard: &rollout.Shard{Offset: []int64{0, 2}}, Scores: make([]*tensor.Dense, 1)}},
		TauH: dense.Vector([]float64{1}), Beside: 5,
		Jacobian: func(_ context.Context, _ bank.Heuristic, _ int, _, step []float32) (_, _ *tensor.Dense, err error) {
			if steps = append(steps, step); len(steps) > 1 { // the first asks whether there is a term without a weight
				return nil, nil, &runtime.Crash{Heuristic: h.Name}
			}
			return dense.Vector([]float32{-1, -2}), nil, nil
		},
	}
	left, lost, err := fold.Terms(t.Context(), []bank.Heuristic{h}, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(lost) != 1 || lost[0].Term != "home" {
		t.Errorf("lost %+v, want home alone", lost)
	}
	if want := [][]float32{{0, 0, 0, 0}, {0, -1.5, -0.5, 0}}; !reflect.DeepEqual(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
	for term, stays := range map[string]bool{"home": false, "lone": true, "dear": true} {
		if strings.Contains(left[0].Source, term) != stays {
			t.Errorf("term %s: want it there: %t\n%s", term, stays, left[0].Source)
		}
	}
}

package textgrad_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/textgrad"
)

func TestScore(t *testing.T) {
	if got := textgrad.Score(0.25, false, 2); got != 0.5 {
		t.Errorf("score of a miss = %v, want w·KL = 0.5", got)
	}
	if got := textgrad.Score(0.25, true, 2); got != 0 {
		t.Errorf("score of a hit = %v, want 0", got)
	}
}

func agreed(kl []float32, hits ...int) agreement.Agreement {
	v := agreement.Agreement{Hits: agreement.NewStateSet(len(kl)), KL: kl}
	for _, s := range hits {
		v.Hits.Put(s)
	}
	return v
}

func never(int) bool { return false }

// A near-tie counts for the blame, and is no case to show.
func TestNearTiesAreNoCases(t *testing.T) {
	a := textgrad.NewAttribution(1, 5)
	w := dense.Of([]float32{1, 1}, 2, 1)
	a.Add(0, w, []agreement.Agreement{agreed([]float32{2, 3})}, func(s int) bool { return s == 1 })
	if len(a.Cases[0]) != 1 || a.Cases[0][0].State != 0 || a.Total[0] != 5 {
		t.Errorf("cases %+v of state 0 and the near-tie 1, total %v, want 5", a.Cases[0], a.Total[0])
	}
	sh := &rollout.Shard{
		Problem: routing.TSP, N: 4, InstanceOf: []int32{0}, Actions: []int32{0, 1, 2, 3},
		Coords: dense.Of(make([]float32, 8), 1, 4, 2),
		Traj:   []int32{0, 0}, Step: []int32{1, 2}, Offset: []int64{0, 3, 5}, Candidates: []uint16{1, 2, 3, 2, 3},
		Probs: dense.Vector([]float32{0.5, 0.45, 0.05, 0.7, 0.3}),
	}
	if tie := textgrad.NearTies(sh); !tie(0) || tie(1) {
		t.Errorf("0.5 and 0.45 are a near-tie, 0.7 and 0.3 are none: got %v and %v", tie(0), tie(1))
	}
}

func TestAttributionKeepsTheWorst(t *testing.T) {
	b := textgrad.NewAttribution(2, 2)
	w := dense.Of([]float32{0.5, 0.5, 0.25, 0.75, 0.5, 0.5}, 3, 2)
	b.Add(0, w, []agreement.Agreement{agreed([]float32{1, 2, 4}, 2), agreed([]float32{8, 8, 8}, 0, 1, 2)}, never)
	b.Add(1, w, []agreement.Agreement{agreed([]float32{1, 4, 9}, 2), agreed([]float32{1, 1, 1}, 0, 1)}, never)

	want := [][]textgrad.Case{
		{{Shard: 1, State: 1, Score: 1}, {Shard: 0, State: 0, Score: 0.5}}, // ties: the earlier shard, then state
		{{Shard: 1, State: 2, Score: 0.5}},
	}
	if !reflect.DeepEqual(b.Cases, want) {
		t.Errorf("cases %+v, want %+v", b.Cases, want)
	}
	if !slices.Equal(b.Total, []float64{2.5, 0.5}) {
		t.Errorf("totals %v, want 2.5 and 0.5", b.Total)
	}
	if got := b.Dispatch(b.Total, 5); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("Dispatch = %v, want 0 1", got)
	}
	if got := b.Dispatch(b.Total, 1); !slices.Equal(got, []int{0}) {
		t.Errorf("Dispatch(1) = %v, want 0", got)
	}
}

func TestAttributionAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const S, M, K = 200, 3, 7
	b := textgrad.NewAttribution(M, K)
	every := make([][]textgrad.Case, M)
	for shard := range 3 {
		w := make([]float32, S*M)
		for i := range w {
			w[i] = float32(rng.IntN(4)) / 4
		}
		var agreements []agreement.Agreement
		for m := range M {
			v := agreed(make([]float32, S))
			for s := range S {
				v.KL[s] = float32(rng.IntN(5))
				if rng.IntN(2) == 0 {
					v.Hits.Put(s)
				} else if score := float64(w[s*M+m]) * float64(v.KL[s]); score > 0 {
					every[m] = append(every[m], textgrad.Case{Shard: shard, State: int32(s), Score: score})
				}
			}
			agreements = append(agreements, v)
		}
		b.Add(shard, dense.Of(w, S, M), agreements, never)
	}
	for m := range M {
		slices.SortStableFunc(every[m], func(a, b textgrad.Case) int { return int(8*b.Score) - int(8*a.Score) })
		if !slices.Equal(b.Cases[m], every[m][:K]) {
			t.Errorf("heuristic %d: %v, want %v", m, b.Cases[m], every[m][:K])
		}
	}
}

// A heuristic without cases keeps its blame and is dispatched later.
func TestBlameWaitsForCases(t *testing.T) {
	a := textgrad.NewAttribution(3, 2)
	w := dense.Of([]float32{0.5, 0.5, 0, 0.5, 0.5, 0}, 2, 3)
	a.Add(0, w, []agreement.Agreement{
		agreed([]float32{1, 1}), agreed([]float32{1, 1}, 0), agreed([]float32{4, 4}),
	}, never)
	blame := a.Accumulate([]float64{0, 0.5, 3}, 2)
	if want := []float64{0.5, 0.75, 3}; !slices.Equal(blame, want) {
		t.Errorf("blame %v, want %v", blame, want)
	}
	if got := a.Dispatch(blame, 3); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("dispatched %v, want 1 and 0", got)
	}
}

func TestRecent(t *testing.T) {
	sizes := []int{10, 10, 5}
	for _, tt := range []struct {
		instances, epoch int
		want             []int
	}{
		{10, 0, []int{0}}, {11, 0, []int{0, 1}}, {15, 2, []int{2, 0}}, {99, 4, []int{1, 2, 0}}, {0, 1, nil},
	} {
		if got := textgrad.Recent(sizes, tt.instances, tt.epoch); !slices.Equal(got, tt.want) {
			t.Errorf("%d instances in epoch %d: shards %v, want %v", tt.instances, tt.epoch, got, tt.want)
		}
	}
	if got := textgrad.Recent(nil, 5, 1); got != nil {
		t.Errorf("of no shards: %v", got)
	}
}

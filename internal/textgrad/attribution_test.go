package textgrad_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
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

func verdict(kl []float32, hits ...int) agreement.Verdict {
	v := agreement.Verdict{Hits: agreement.NewSet(len(kl)), KL: kl}
	for _, s := range hits {
		v.Hits.Put(s)
	}
	return v
}

func TestBufferKeepsTheWorst(t *testing.T) {
	b := textgrad.NewBuffer(2, 2)
	w := []float32{0.5, 0.5, 0.25, 0.75, 0.5, 0.5} // [3,2]
	b.Add(0, w, []agreement.Verdict{verdict([]float32{1, 2, 4}, 2), verdict([]float32{8, 8, 8}, 0, 1, 2)})
	b.Add(1, w, []agreement.Verdict{verdict([]float32{1, 4, 9}, 2), verdict([]float32{1, 1, 1}, 0, 1)})

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
	if got := b.Dispatch(5); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("Dispatch = %v, want 0 1", got)
	}
	if got := b.Dispatch(1); !slices.Equal(got, []int{0}) {
		t.Errorf("Dispatch(1) = %v, want 0", got)
	}
}

func TestBufferAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const S, M, K = 200, 3, 7
	b := textgrad.NewBuffer(M, K)
	every := make([][]textgrad.Case, M)
	for shard := range 3 {
		w := make([]float32, S*M)
		for i := range w {
			w[i] = float32(rng.IntN(4)) / 4
		}
		var verdicts []agreement.Verdict
		for m := range M {
			v := verdict(make([]float32, S))
			for s := range S {
				v.KL[s] = float32(rng.IntN(5))
				if rng.IntN(2) == 0 {
					v.Hits.Put(s)
				} else if score := float64(w[s*M+m]) * float64(v.KL[s]); score > 0 {
					every[m] = append(every[m], textgrad.Case{Shard: shard, State: int32(s), Score: score})
				}
			}
			verdicts = append(verdicts, v)
		}
		b.Add(shard, w, verdicts)
	}
	for m := range M {
		slices.SortStableFunc(every[m], func(a, b textgrad.Case) int { return int(8*b.Score) - int(8*a.Score) })
		if !slices.Equal(b.Cases[m], every[m][:K]) {
			t.Errorf("heuristic %d: %v, want %v", m, b.Cases[m], every[m][:K])
		}
	}
}

package textgrad

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
)

// Score is Eq. 10: score_m(s) = w_m(s) · 1[argmax V_m ≠ n*] · KL(π_T‖V_m), large where heuristic m is used by the
// mixture and wrong.
func Score(wm float64, hit bool, kl float64) float64 {
	if hit {
		return 0
	}
	return wm * kl
}

// Case is one state a heuristic is blamed for.
type Case struct {
	Shard int     `json:"shard"` // the caller's number of the shard
	State int32   `json:"state"`
	Score float64 `json:"score"` // Eq. 10
}

// Buffer gathers failures over recent states: the top-K cases of every heuristic and its accumulated score.
type Buffer struct {
	K     int       `json:"k"`
	Cases [][]Case  `json:"cases"` // [M][≤K] worst first
	Total []float64 `json:"total"` // [M] Σ_s score_m(s)
}

// NewBuffer returns an empty buffer for M heuristics that keeps k cases of each.
func NewBuffer(M, k int) *Buffer {
	return &Buffer{K: k, Cases: make([][]Case, M), Total: make([]float64, M)}
}

// Add attributes the states of one shard. w is [S,M], the routing weights; verdicts are the M heuristics' on the same
// states. Of equal scores the earlier shard and state is kept.
func (b *Buffer) Add(shard int, w []float32, verdicts []agreement.Verdict) {
	M := len(b.Total)
	if len(verdicts) != M {
		panic(fmt.Sprintf("textgrad: %d verdicts for %d heuristics", len(verdicts), M))
	}
	for m, v := range verdicts {
		S := len(v.KL)
		if len(w) != S*M {
			panic(fmt.Sprintf("textgrad: %d routing weights for %d states and %d heuristics", len(w), S, M))
		}
		for s := range S {
			score := Score(float64(w[s*M+m]), v.Hits.Has(s), float64(v.KL[s]))
			if score > 0 {
				b.Total[m] += score
				b.keep(m, Case{Shard: shard, State: int32(s), Score: score})
			}
		}
	}
}

func (b *Buffer) keep(m int, c Case) {
	cases := b.Cases[m]
	at, _ := slices.BinarySearchFunc(cases, c, worseFirst)
	if at == b.K {
		return
	}
	if len(cases) == b.K {
		cases = cases[:b.K-1]
	}
	b.Cases[m] = slices.Insert(cases, at, c)
}

func worseFirst(a, b Case) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.State, b.State))
}

// Dispatch returns at most n heuristics that have cases, by accumulated score, the most blamed first; of equal
// scores the lower index.
func (b *Buffer) Dispatch(n int) []int {
	var order []int
	for m, total := range b.Total {
		if total > 0 {
			order = append(order, m)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(b.Total[j], b.Total[i]) })
	return order[:min(n, len(order))]
}

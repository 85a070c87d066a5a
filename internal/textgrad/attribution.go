package textgrad

import (
	"cmp"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/rollout"
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
	Shard int // the caller's number of the shard
	State int32
	Score float64 // Eq. 10
}

// Attribution gathers the failures of recent states: the top-K cases of every heuristic and its summed score.
type Attribution struct {
	Cases [][]Case  // [M][≤k] worst first
	Total []float64 // [M] Σ_s score_m(s)

	k int // cases kept of each heuristic
}

// NewAttribution returns an attribution to M heuristics without states, which keeps k cases of each.
func NewAttribution(M, k int) *Attribution {
	return &Attribution{k: k, Cases: make([][]Case, M), Total: make([]float64, M)}
}

// Add attributes the states of one shard. w is [S,M], the routing weights; agreements are the M heuristics' on the same
// states. Of equal scores the earlier shard and state is kept. A state that tie reports to be a near-tie of the
// teacher adds to the total, as Eq. 10 has it, but is no case: to take the teacher's second choice there is no mistake.
func (a *Attribution) Add(shard int, w *tensor.Dense, agreements []agreement.Agreement, tie func(s int) bool) {
	M := len(a.Total)
	wm := dense.Must[float32]("textgrad: routing weights", w, dense.Any, M)
	if len(agreements) != M {
		panic(fmt.Sprintf("textgrad: agreements of %d heuristics, want %d", len(agreements), M))
	}
	for m, v := range agreements {
		S := len(v.KL)
		if len(wm) != S*M {
			panic(fmt.Sprintf("textgrad: routing weights %v for %d states and %d heuristics", w.Shape(), S, M))
		}
		for s := range S {
			score := Score(float64(wm[s*M+m]), v.Hits.Has(s), float64(v.KL[s]))
			if score > 0 {
				a.Total[m] += score
				if !tie(s) {
					a.keep(m, Case{Shard: shard, State: int32(s), Score: score})
				}
			}
		}
	}
}

// NearTies returns the function that tells the near-ties of a shard.
func NearTies(sh *rollout.Shard) func(s int) bool {
	return func(s int) bool { return habits.IsNearTie(sh.State(s).Probs) }
}

func (a *Attribution) keep(m int, c Case) {
	cases := a.Cases[m]
	at, _ := slices.BinarySearchFunc(cases, c, worseFirst)
	if at == a.k {
		return
	}
	if len(cases) == a.k {
		cases = cases[:a.k-1]
	}
	a.Cases[m] = slices.Insert(cases, at, c)
}

func worseFirst(a, b Case) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.State, b.State))
}

// Accumulate returns the blame of every heuristic [M]: its mean score over the states of this attribution, added to
// what it had before. It adds means and not sums, since rounds have different numbers of states.
//
// For example, a heuristic with a blame of 0.2 from the round before and a total of 2 over 4 states has a blame of
// 0.7.
func (a *Attribution) Accumulate(before []float64, states int) []float64 {
	blame := make([]float64, len(a.Total))
	for m, total := range a.Total {
		blame[m] = total/float64(states) + before[m]
	}
	return blame
}

// Dispatch returns at most n heuristics that have cases and blame [M], the most blamed first; of equal blame the lower
// index.
func (a *Attribution) Dispatch(blame []float64, n int) []int {
	var order []int
	for m := range blame {
		if blame[m] > 0 && len(a.Cases[m]) > 0 {
			order = append(order, m)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(blame[j], blame[i]) })
	return order[:min(n, len(order))]
}

// Recent returns the shards whose states are attributed in an epoch: enough shards for so many instances, or all
// shards if there are fewer. Each epoch begins at the next shard. If rounds are several epochs apart, some shards may
// never be attributed. sizes holds the instances of each shard.
//
// For example, of three shards of 10 instances each, 15 instances in epoch 2 are shards 2 and 0.
func Recent(sizes []int, instances, epoch int) []int {
	var shards []int
	for i, n := 0, 0; i < len(sizes) && n < instances; i++ {
		shard := (epoch + i) % len(sizes)
		shards = append(shards, shard)
		n += sizes[shard]
	}
	return shards
}

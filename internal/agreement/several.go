package agreement

import (
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

// Agreements holds the agreement of M heuristics with the teacher on one shard.
type Agreements struct {
	Shard  *rollout.Shard
	Scores []*tensor.Dense // [M] of float32 [C], c_m
	TauH   []float64       // [M] τ_h
	Each   []Agreement     // [M]
}

// OfAll compares every heuristic with the teacher on every state of the shard. scores are M times float32 [C], tauH is
// float64 [M]. OfAll panics as Of does.
func OfAll(sh *rollout.Shard, scores []*tensor.Dense, tauH *tensor.Dense) Agreements {
	tau := dense.Must[float64]("agreement: τ_h", tauH, len(scores))
	a := Agreements{Shard: sh, Scores: scores, TauH: tau, Each: make([]Agreement, len(scores))}
	for m := range scores {
		a.Each[m] = Of(sh, scores[m], tau[m])
	}
	return a
}

// Distributions returns V_m of every heuristic (Eq. 2), M times float32 [C]. Its arguments and panics are those of
// OfAll.
func Distributions(sh *rollout.Shard, scores []*tensor.Dense, tauH *tensor.Dense) []*tensor.Dense {
	V := make([]*tensor.Dense, len(scores))
	for m, tau := range dense.Must[float64]("agreement: τ_h", tauH, len(scores)) {
		V[m] = Distribution(sh, scores[m], tau)
	}
	return V
}

// Hits returns for each heuristic the states in which its top action is the teacher's, [M].
func (a Agreements) Hits() []StateSet {
	hits := make([]StateSet, len(a.Each))
	for m, each := range a.Each {
		hits[m] = each.Hits
	}
	return hits
}

// KL returns KL(π_T‖V_m) in nats, [M][S].
func (a Agreements) KL() [][]float32 {
	kl := make([][]float32, len(a.Each))
	for m, each := range a.Each {
		kl[m] = each.KL
	}
	return kl
}

// DistributionAt returns V_m of heuristic m on state s, [K].
func (a Agreements) DistributionAt(m int, s int32) []float32 {
	return DistributionAt(a.Shard, a.Scores[m], a.TauH[m], int(s))
}

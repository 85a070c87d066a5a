package agreement

import "github.com/epb-nco/epb/internal/rollout"

// Agreements are those of M heuristics with the teacher on one shard.
type Agreements struct {
	Shard  *rollout.Shard
	Scores [][]float32 // [M] ragged, c_m
	TauH   []float64   // [M] τ_h
	Each   []Agreement // [M]
}

// OfAll compares every heuristic with the teacher on every state of the shard. It panics as Of does.
func OfAll(sh *rollout.Shard, scores [][]float32, tauH []float64) Agreements {
	a := Agreements{Shard: sh, Scores: scores, TauH: tauH, Each: make([]Agreement, len(scores))}
	for m := range scores {
		a.Each[m] = Of(sh, scores[m], tauH[m])
	}
	return a
}

// Hits returns the states that each heuristic gets right, [M].
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

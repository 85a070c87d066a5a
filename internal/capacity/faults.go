package capacity

import (
	"cmp"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/rollout"
)

// Faults returns the states on which every heuristic's argmax differs from the teacher's (Alg. 2 line 1), in
// increasing order.
func Faults(states int, hits []agreement.StateSet) []int32 {
	covered := union(states, hits)
	var faults []int32
	for s := range states {
		if !covered.Has(s) {
			faults = append(faults, int32(s))
		}
	}
	return faults
}

// Split divides the fault states of a shard into those that refine candidates and those that are held out to measure
// them. Every other instance is held out, so all states of a tour are in one half.
func Split(sh *rollout.Shard, faults []int32) (refine, heldOut []int32) {
	for _, s := range faults {
		if sh.InstanceOf[sh.Traj[s]]%2 == 0 {
			refine = append(refine, s)
		} else {
			heldOut = append(heldOut, s)
		}
	}
	return refine, heldOut
}

// Sample returns at most n fault states to show to the proposer. Half of them are the hardest, the worst first; the
// others are evenly spaced over the rest. kl is [M][S].
func Sample(faults []int32, kl [][]float32, n int) []int32 {
	sample := hardest(faults, kl, n/2)
	rest := slices.DeleteFunc(slices.Clone(faults), func(s int32) bool { return slices.Contains(sample, s) })
	return append(sample, agreement.Even(rest, n-n/2)...)
}

// hardest returns at most limit of the given states, those with the largest min_m KL(π_T‖V_m): there, even the bank's
// best member is far from the teacher. kl is [M][S]. On a tie the lower state comes first.
func hardest(states []int32, kl [][]float32, limit int) []int32 {
	best := func(s int32) float32 { return kl[closest(s, kl)][s] }
	sorted := slices.Clone(states)
	slices.SortStableFunc(sorted, func(a, b int32) int { return cmp.Compare(best(b), best(a)) })
	return sorted[:min(limit, len(sorted))]
}

package textgrad

import (
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evidence"
)

// FaultsOf describes what a proposer is shown of some faults of a bank: a sample, each as seen from the heuristic
// closest to the teacher, and what would bring the closest heuristics nearer to the teacher in all of them. If the bank
// is empty, they are seen by a program without preference. Near-ties are left out, unless there is nothing else. all is
// how the bank's heuristics agree with the teacher on the shard of the faults.
func FaultsOf(b *bank.Bank, all agreement.Agreements, faults []int32) ([]Failure, []evidence.Change, error) {
	if len(all.Each) == 0 {
		even := dense.Vector(make([]float32, len(all.Shard.Candidates)))
		all = agreement.OfAll(all.Shard, []*tensor.Dense{even}, dense.Vector([]float64{1}))
	}
	tie := NearTies(all.Shard)
	if clear := slices.DeleteFunc(slices.Clone(faults), func(s int32) bool { return tie(int(s)) }); len(clear) > 0 {
		faults = clear
	}
	sample := capacity.Sample(faults, all.KL(), ProposedFailures)
	var out []Failure
	for i, closest := range capacity.Assign(sample, all.KL()) {
		f, err := FailureOf(b.Setting, all, closest, sample[i])
		if err != nil {
			return nil, nil, err
		}
		if closest < len(b.Heuristics) {
			f.Program = b.Heuristics[closest].Name
		}
		out = append(out, f)
	}
	closestOf := make(map[int32]int, len(faults))
	for i, m := range capacity.Assign(faults, all.KL()) {
		closestOf[faults[i]] = m
	}
	closestIn := func(s int32) int {
		if m, ok := closestOf[s]; ok {
			return m
		}
		return -1
	}
	found, err := Changes(b.Setting, "", []agreement.Agreements{all}, [][]int32{faults},
		func(int) ([]float32, error) { return DivergenceGradient(all, closestIn), nil })
	return out, found, err
}

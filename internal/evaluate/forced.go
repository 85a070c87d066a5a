package evaluate

import (
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// forced returns the candidate that a run's forced actions ask for at the next step of s, and whether they do. Among
// decisions by way of the depot, an action 0 stands for the candidate that the action after it completes: the actions 0
// and 4 in an instance of N nodes for N+4, and a last action 0 for the preferred one of all from N on.
func forced(run routing.Run, s routing.State, in *routing.Instance, viaDepot bool, cand []uint16,
	preference []float32) (c int, ok bool, err error) {
	step, N := len(s.Actions()), in.N()
	if step >= len(run.Force) {
		return 0, false, nil
	}
	// 0 is a candidate only when just the return is left.
	if returns := viaDepot && run.Force[step] == 0 && cand[0] != 0; !returns || step+1 < len(run.Force) {
		return routing.Taken(run.Force, step, N, returns), true, nil
	}
	from, _ := slices.BinarySearch(cand, uint16(N))
	if from == len(cand) {
		return 0, true, fmt.Errorf("step %d: forced to the depot, where the vehicle is", step)
	}
	best := from
	for k := from; preference != nil && k < len(cand); k++ {
		if preference[k] > preference[best] {
			best = k
		}
	}
	return int(cand[best]), true, nil
}

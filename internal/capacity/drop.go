package capacity

import "slices"

// DropLimits bounds one call of Drop.
type DropLimits struct {
	Epsilon float64 // ε: largest rise of the validation loss one removal may cost, in nats
	Max     int     // D_max: removals per call
	MinSize int     // M_min: the bank never gets smaller
}

// Removal is one heuristic taken out of the bank.
type Removal struct {
	Heuristic int     `json:"heuristic"` // index into the bank Drop was called with
	Delta     float64 `json:"delta"`     // δ_h: rise of the validation loss, in nats; negative if it fell
	Loss      float64 `json:"loss"`      // validation loss afterwards
}

// Drop runs Alg. 3 on the validation states: greedy leave-one-out, the cheapest removal first, re-computed after
// each. It returns the indices kept, in their order, and the removals in theirs.
//
// Each removal raises the loss by at most ε over the one before, so a call costs at most D_max·ε. On a tie the
// later heuristic leaves: of two equal programs the older stays.
func Drop(mx *Mixture, limits DropLimits) (kept []int, removed []Removal) {
	kept = mx.All()
	for len(removed) < limits.Max && len(kept) > max(limits.MinSize, 1) {
		loss, without := mx.LeaveOneOut(kept)
		cheapest := 0
		for i, L := range without {
			if L <= without[cheapest] {
				cheapest = i
			}
		}
		delta := without[cheapest] - loss
		if delta > limits.Epsilon {
			break
		}
		removed = append(removed, Removal{Heuristic: kept[cheapest], Delta: delta, Loss: without[cheapest]})
		kept = slices.Delete(kept, cheapest, cheapest+1)
	}
	return kept, removed
}

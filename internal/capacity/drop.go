package capacity

import "slices"

// DropLimits bounds one call of Drop.
type DropLimits struct {
	Epsilon float64 // ε: largest rise of the validation loss by one removal, in nats
	Max     int     // D_max: removals per call
	MinSize int     // M_min: the bank keeps at least this many heuristics
}

// Removal is one heuristic taken out of the bank.
type Removal struct {
	Heuristic int     `json:"heuristic"` // index into the bank that was passed to Drop
	Delta     float64 `json:"delta"`     // δ_h: rise of the validation loss, in nats; negative if it fell
	Loss      float64 `json:"loss"`      // validation loss after the removal
}

// Drop runs Alg. 3 on the validation states: greedy leave-one-out. It removes the heuristic with the smallest cost,
// then computes all costs again. It returns the kept indices in their order, and the removals in the order in which
// they were made.
//
// Each removal raises the loss by at most ε, so a call raises it by at most D_max·ε. On a tie the later heuristic is
// removed: of two equal programs the older stays.
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

package capacity

import (
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
)

// DropLimits bounds one call of Drop.
type DropLimits struct {
	Epsilon float64 // ε: largest rise of the validation loss by one removal, in nats
	Max     int     // D_max: removals per call, merged ones included
	MinSize int     // M_min: the bank keeps at least this many heuristics
	Alike   float64 // two heuristics whose first choices agree in a larger share of states are merged; 0: none are
	Young   []int   // heuristics that stay, since the router has not been trained with them yet
	Twins   bool    // only merges near-duplicates
}

// Removal is one heuristic taken out of the bank.
type Removal struct {
	Heuristic int     // index into the bank that was passed to Drop
	Loss      float64 // validation loss after the removal
	Twin      int     // the heuristic that it was merged with, -1 if it was dropped for its cost
	Alike     float64 // share of states in which it has the twin's first choice
}

// Drop merges near-duplicates and then runs Alg. 3 on the validation states: greedy leave-one-out. It returns the kept
// indices in their order, and the removals in the order in which they were made.
//
// Of the two most similar programs, Drop removes the one whose removal gives the lower loss, if they agree in more than
// Alike; then it compares the others again. Such a removal may cost more than ε. Leave-one-out removes the heuristic
// with the smallest cost, then computes all costs again. Each of its removals raises the loss by at most ε, so they
// raise it by at most D_max·ε. On a tie the later heuristic is removed: of two equal programs the older stays.
func Drop(mx *Mixture, limits DropLimits) (kept []int, removed []Removal) {
	kept = mx.All()
	alike := mx.alike(limits.Alike)
	for len(removed) < limits.Max && len(kept) > max(limits.MinSize, 1) {
		loss, without := mx.LeaveOneOut(kept)
		r, ok := merge(kept, without, alike, limits)
		if !ok && !limits.Twins {
			r, ok = cheapest(kept, without, loss, limits)
		}
		if !ok {
			break
		}
		i := slices.Index(kept, r.Heuristic)
		r.Loss = without[i]
		removed = append(removed, r)
		kept = slices.Delete(kept, i, i+1)
	}
	return kept, removed
}

// cheapest returns the removal that costs least, unless it costs more than ε. without is aligned with kept.
func cheapest(kept []int, without []float64, loss float64, limits DropLimits) (Removal, bool) {
	best := -1
	for i, L := range without {
		if !slices.Contains(limits.Young, kept[i]) && (best < 0 || L <= without[best]) {
			best = i
		}
	}
	if best < 0 || !(without[best]-loss <= limits.Epsilon) { // nor where the loss is no number
		return Removal{}, false
	}
	return Removal{Heuristic: kept[best], Twin: -1}, true
}

// merge returns the removal of one of the two heuristics that agree most, if any two agree more than the limit. alike
// is [M][M].
func merge(kept []int, without []float64, alike [][]float64, limits DropLimits) (r Removal, found bool) {
	for i, a := range kept {
		for j, b := range kept[:i] {
			young := slices.Contains(limits.Young, a) || slices.Contains(limits.Young, b)
			if alike == nil || young || alike[a][b] <= max(limits.Alike, r.Alike) {
				continue
			}
			r, found = Removal{Heuristic: a, Twin: b, Alike: alike[a][b]}, true
			if without[j] < without[i] {
				r.Heuristic, r.Twin = b, a
			}
		}
	}
	return r, found
}

// alike returns the share of states in which any two heuristics have the same first choice, [M][M]; nil if limit is 0.
func (mx *Mixture) alike(limit float64) [][]float64 {
	if limit <= 0 {
		return nil
	}
	M := len(mx.V)
	first, same := make([][]int32, M), make([][]float64, M)
	for a, V := range mx.V {
		first[a], same[a] = agreement.FirstChoices(mx.Offset, V), make([]float64, M)
		for b := range a {
			same[a][b] = agreement.Alike(first[a], first[b])
			same[b][a] = same[a][b]
		}
	}
	return same
}

package evidence

import (
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
)

// read computes the features of states of a shard, in increasing order, and calls visit with those of each, [K,F]
// row-major. f is valid during the call.
func read(set *features.Set, sh *rollout.Shard, states []int32, visit func(s int32, f []float32)) error {
	r, F := rollout.NewFeatureReader(set), len(set.Node)
	var f []float32
	z := make([]float32, len(set.State))
	for _, s := range states {
		n := len(sh.State(int(s)).Candidates) * F
		f = slices.Grow(f[:0], n)[:n]
		if err := r.Read(sh, int(s), f, z); err != nil {
			return fmt.Errorf("evidence: %w", err)
		}
		visit(s, f)
	}
	return nil
}

// flat is the spread below which a feature counts as the same for all candidates.
const flat = 1e-6

// spread is the standard deviation of n values with a sum of squared differences from their mean, 0 if it is flat.
func spread(squares float64, n int) float64 {
	if s := math.Sqrt(squares / float64(max(n, 1))); s > flat {
		return s
	}
	return 0
}

package evaluate

import (
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// reconstruct is random re-construct (Luo et al. 2023, section 4.3) for any policy: a greedy solution first, and then
// t rounds, each of which cuts a random part out of the best solution and lets the policy construct it anew, as a
// smaller instance. The part keeps its coordinates. The problem defines the part: see routing.Definition.Cut.
func reconstruct(in *routing.Instance, start, t int, rng *rand.Rand) plan {
	problem := problems.Must(in.Problem)
	return func(k int, best *incumbent) (round, bool) {
		switch {
		case k == 0:
			return round{in, []routing.Run{{Start: start}}, routing.Whole}, true
		case k > t:
			return round{}, false
		}
		part := problem.Cut(in, best.actions, rng)
		return round{part.Instance, []routing.Run{part.Run}, part.Join}, true
	}
}

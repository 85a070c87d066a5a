package grown_route

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const reach = 1.6 // of the distance from the depot that a detour may cost

// Score drafts the rest of the route: customer after customer joins where it adds the least detour for its distance
// from the depot, as long as it fits. Crossings are mended, and customers come in the order of the draft; the depot
// follows the last.
func Score(s *cvrp.State, score []float32) {
	path := s.GrowRoute(reach)
	s.Uncross(path, 10)
	s.ScoreAlong(path, score)
}

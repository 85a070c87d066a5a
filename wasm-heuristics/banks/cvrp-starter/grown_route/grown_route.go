package grown_route

import (
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score drafts the rest of the route: customer after customer joins where it adds the least detour for its distance from the depot, as
// long as it fits. Crossings are mended, and customers come in the order of the draft; the depot follows the last. A whole route
// is driven clockwise.
func Score(s *cvrp.State, score []float32) {
	path := s.GrowRoute(1.6)
	s.Uncross(path, 10)
	if n := len(path); s.Current == cvrp.Depot && n > 0 && s.Angle(path[0]) < s.Angle(path[n-1]) {
		slices.Reverse(path)
	}
	s.ScoreAlong(path, score)
}

package h09_adaptive_sweep

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score sweeps around the depot, clockwise or counter-clockwise, whichever way the next customer that fits turns up
// sooner. It takes near customers that save much, those within the next stretch of the sweep first. It goes by way of
// the depot when room is short or the sweep has found nobody; the next route takes up the sweep, and the first begins
// beside a wide gap.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	const full, stretch = 2 * math.Pi, 0.6
	left, right := float32(full), float32(full) // to the first customer counter-clockwise and clockwise
	for _, c := range s.Fitting() {
		left, right = min(left, s.Rotation(c)), min(right, full-s.Rotation(c))
	}
	price := float32(0.7)
	if s.Remaining < 0.15 || min(left, right) > stretch {
		price = 0.1
	}
	for k, c := range s.Candidates {
		if s.AtDepot() {
			clockwise, counter := s.Gaps(c)
			score[k] = -here[c] + 0.2*max(clockwise, counter)
			continue
		}
		swept := s.Rotation(c)
		if right < left {
			swept = full - swept
		}
		if s.ViaDepot(k) {
			score[k] = -here[s.Depot] - 0.2*swept - price
			continue
		}
		score[k] = -here[c] + 0.3*s.WaySaving(k)
		if swept < stretch {
			score[k] += 0.1
		}
	}
}

package h09_adaptive_sweep

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear       = 0.7  // against going by way of the depot
	littleRoom = 0.15 // the room that is little
	dearTight  = 0.1  // against going by way of the depot, with little room or nobody in the stretch
	gap        = 0.2  // of the wider gap beside a first customer, in radians
	sweptVia   = 0.2  // against the angle swept, by way of the depot
	saving     = 0.3  // of what driving on saves
	inside     = 0.1  // bonus of a customer in the next stretch
	stretch    = 0.6  // the angle that is the next stretch
)

// Score sweeps around the depot, clockwise or counter-clockwise, whichever way the next customer that fits turns up
// sooner. It takes near customers that save much, those within the next stretch of the sweep first. It goes by way of
// the depot when room is short or the sweep has found nobody; the next route takes up the sweep, and the first begins
// beside a wide gap.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	const full = 2 * math.Pi
	left, right := float32(full), float32(full) // to the first customer counter-clockwise and clockwise
	for _, c := range s.Fitting() {
		left, right = min(left, s.Rotation(c)), min(right, full-s.Rotation(c))
	}
	price := float32(dear)
	if s.Remaining < littleRoom || min(left, right) > stretch {
		price = dearTight
	}
	for k, c := range s.Candidates {
		if s.AtDepot() {
			clockwise, counter := s.Gaps(c)
			score[k] = -here[c] + gap*max(clockwise, counter)
			continue
		}
		swept := s.Rotation(c)
		if right < left {
			swept = full - swept
		}
		if s.ViaDepot(k) {
			score[k] = -here[s.Depot] - sweptVia*swept - price
			continue
		}
		score[k] = -here[c] + saving*s.WaySaving(k)
		if swept < stretch {
			score[k] += inside
		}
	}
}

package cvrp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// TestWalks compares walks with their definition: each serves the nearest customer that fits, until none does.
func TestWalks(t *testing.T) {
	const capacity = 20 // as in each
	each(t, func(t *testing.T, s *cvrp.State, demand []int32, room int32) {
		u := float64(s.Unit())
		D := func(i, j cvrp.Node) float64 { return float64(s.Dist(i, j)) }
		for k, from := range s.Candidates {
			for _, steps := range []int{0, 1, 2, 4, 8, 20} {
				left, at, length, out := slices.Clone(s.Waiting), from, 0.0, 0.0
				before := room
				if from == cvrp.Depot {
					before = capacity
				}
				now := before - demand[from]
				left = slices.DeleteFunc(left, func(c cvrp.Node) bool { return c == from })
				for range min(steps, 8) {
					next := -1
					for i, c := range left {
						if demand[c] <= now && (next < 0 || D(at, c) < D(at, left[next])) {
							next = i
						}
					}
					if next < 0 {
						break
					}
					c := left[next]
					length, out, now, at = length+D(at, c), out+D(0, c), now-demand[c], c
					left = slices.Delete(left, next, next+1)
				}
				for what, v := range map[string][2]float64{
					"WalkLength": {float64(s.WalkLength(k, steps)), length / u},
					"WalkHome":   {float64(s.WalkHome(k, steps)), D(at, 0) / u},
					"WalkLoad":   {float64(s.WalkLoad(k, steps)), float64(before-now) / capacity},
					"WalkSaving": {float64(s.WalkSaving(k, steps)), (2*out + D(from, 0) - length - D(at, 0)) / u},
				} {
					if want := max(-20, min(20, v[1])); math.Abs(v[0]-want) > 1e-3 {
						t.Errorf("%s(%d, %d) = %v, want %v", what, k, steps, v[0], want)
					}
				}
			}
		}
	})
}

package banks_test

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// at is where a node lies.
type at struct{ x, y float32 }

// The nodes of a scene that are no candidates: a tour begins at node 0, where the depot of routes is, and stands at
// node 1, which is the first customer of its route.
const begin, here = 0, 1

// tour returns how a program scores the nodes from 2 to 1+K, by node. Nodes behind them are visited.
func tour(program string, K int, nodes ...at) []float32 {
	x, y := make([]float32, len(nodes)), make([]float32, len(nodes))
	for i, p := range nodes {
		x[i], y[i] = p.x, p.y
	}
	s := tsp.NewState(x, y)
	var candidates []tsp.Node
	for c := range K {
		candidates = append(candidates, tsp.Node(2+c))
	}
	s.Set(len(nodes)-K, begin, here, candidates)
	scores := make([]float32, K)
	native[program](s, scores)
	return append([]float32{0, 0}, scores...)
}

// stop is a waiting customer.
type stop struct {
	at
	demand int32
}

// route returns how a program scores the depot and the customers from node 2 on, by node; 0 for one that does not fit.
// The depot lies at (0.5, 0), the vehicle stands at (0.5, 0.4).
func route(program string, room, capacity int32, waiting ...stop) []float32 {
	x, y, demand := []float32{0.5, 0.5}, []float32{0, 0.4}, []int32{0, 1}
	candidates, all := []cvrp.Node{cvrp.Depot}, []cvrp.Node(nil)
	for _, w := range waiting {
		c := cvrp.Node(len(x))
		x, y, demand, all = append(x, w.x), append(y, w.y), append(demand, w.demand), append(all, c)
		if w.demand <= room {
			candidates = append(candidates, c)
		}
	}
	s := cvrp.NewState(x, y, demand, capacity)
	s.Set(here, here, room, candidates, all)
	scores, out := make([]float32, len(candidates)), make([]float32, len(x))
	nativeCVRP[program](s, scores)
	for k, c := range candidates {
		out[c] = scores[k]
	}
	return out
}

// twins are two customers that lie alike to depot and vehicle, and differ in their demands alone.
func twins(a, b int32) []stop { return []stop{{at{0.4, 0.5}, a}, {at{0.6, 0.5}, b}} }

// alone is a single customer of demand 1.
func alone(x, y float32) stop { return stop{at{x, y}, 1} }

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 }

// TestGallerySentences: what the sentences of these programs say shows in their scores. In an earlier version of each
// it did not.
func TestGallerySentences(t *testing.T) {
	// smooth says whether the depot gains in a smooth step while the room shrinks from a share of the capacity to none:
	// at first slowly, then faster.
	smooth := func(program string, share float32) bool {
		depot := func(short float32) float32 {
			return route(program, int32(1000*share*(1-short)), 1000, twins(1, 1)...)[cvrp.Depot]
		}
		first, second := depot(0.25)-depot(0), depot(0.5)-depot(0.25)
		return first > 0 && second > 1.5*first
	}
	// fills says whether of twins the one gains that takes more of the room, as much in a vehicle of four times the
	// capacity.
	fills := func(program string) bool {
		gain := func(capacity int32) float32 {
			s := route(program, 25, capacity, twins(10, 20)...)
			return s[3] - s[2]
		}
		return gain(100) > 0 && near(gain(100), gain(400))
	}
	for _, tt := range []struct {
		program, says string
		holds         func(program string) bool
	}{
		{"h04_outward_sector", "of twins the one gains that fills the room better", func(program string) bool {
			s := route(program, 30, 100, twins(10, 20)...)
			return s[3] > s[2]
		}},
		{"h04_outward_sector", "outwards while there is room", func(program string) bool {
			gain := func(room int32) float32 {
				s := route(program, room, 100, alone(0.5, 0.5), alone(0.5, 0.3))
				return s[2] - s[3]
			}
			return gain(90) > gain(20)+0.01
		}},
		{"h04_outward_sector", "the depot gains where what fits lies in other sectors", func(program string) bool {
			return route(program, 30, 100, alone(0.9, 0.1))[cvrp.Depot] >
				route(program, 30, 100, alone(0.5, 0.6))[cvrp.Depot]
		}},
		{"h07_frontier", "those that fill the room", fills},
		{"h14_nearest_fitting", "of two equals the one that fills the room better", fills},
		{"h01_nearest_seed_anchor", "nearness falls steeply, and far customers hardly differ",
			func(program string) bool {
				s := route(program, 90, 100, alone(0.55, 0.4), alone(0.7, 0.4), alone(0.85, 0.4), alone(1, 0.4))
				return s[2]-s[3] > 2*(s[4]-s[5])
			}},
		{"h06_near_in_first_sector", "the depot gains as the nearest that fits gets farther",
			func(program string) bool {
				return route(program, 50, 100, alone(0.9, 0.4))[cvrp.Depot] >
					route(program, 50, 100, alone(0.6, 0.4))[cvrp.Depot]
			}},
		{"h20_forward_window_ladder", "the depot gains in a smooth step", func(program string) bool {
			return smooth(program, 0.4)
		}},
		{"h22_smooth_load_gates", "the depot gains in a smooth step", func(program string) bool {
			return smooth(program, 0.7)
		}},
		{"h23_two_step_cost", "at the end the winner stands out, of twins too", func(program string) bool {
			s := route(program, 30, 100, stop{at{0.45, 0.1}, 10}, stop{at{0.55, 0.1}, 10})
			return s[2]-s[3] > 0.1
		}},
		{"h23_two_step_cost", "with two that fit the way home counts more than with three", func(program string) bool {
			far := at{0.9, 0.9}
			three := route(program, 30, 100, append(twins(10, 10), stop{far, 10})...)
			two := route(program, 30, 100, append(twins(10, 10), stop{far, 31})...)
			return three[3] > two[3]+0.1 // node 3 does not win: its twin comes before it
		}},
		{"h28_pairs_and_gaps", "with little room an exact fit is more than a near one", func(program string) bool {
			lead := func(a, b int32) float32 {
				s := route(program, 100, 1000, twins(a, b)...)
				return s[2] - s[3]
			}
			return lead(100, 99) > 10*lead(99, 98)
		}},
		{"h02_splice", "what a city costs to splice in, the way home as much as the way there",
			func(program string) bool {
				// Two cities on an ellipse about here and the start, and one between them that both go on to.
				s := tour(program, 3, at{0, 0}, at{1, 0}, at{0.5, 0.8660254}, at{1.5, 0}, at{1, 0.4330127})
				return near(s[2], s[3])
			}},
		{"h03_outward_closure", "the fewer remain, the less the city nearest to the start is held back",
			func(program string) bool {
				// The first of two mirror images counts as the nearest.
				pairs := []at{
					{0.5, 0.3}, {0.5, -0.3}, {0.8, 0.3}, {0.8, -0.3}, {1.2, 0.3}, {1.2, -0.3}, {1.4, 0.2}, {1.4, -0.2},
				}
				held := func(K int) float32 {
					s := tour(program, K, append([]at{{0, 0}, {1, 0}}, pairs[:K]...)...)
					return s[3] - s[2]
				}
				return held(2) > 0 && held(2) < 0.8*held(8)
			}},
		{"h05_count_lookahead", "it goes by the number of cities left, however many are visited",
			func(program string) bool {
				nodes := []at{{0.1, 0.2}, {0.4, 0.3}, {0.5, 0.3}, {0.3, 0.6}, {0.8, 0.1}, {0.45, 0.35}, {0.9, 0.9}}
				return slices.EqualFunc(
					tour(program, 5, nodes...), tour(program, 5, append(nodes, make([]at, 33)...)...), near,
				)
			}},
		{"h06_cheap_onward", "the bonus for being far from the start lasts to the end", func(program string) bool {
			farther := tour(program, 1, at{0, 0}, at{1, 0}, at{2, 0})[2]
			nearer := tour(program, 1, at{0, 0}, at{1, 0}, at{1, 1})[2]
			return nearer-farther < 0.9*(2-math.Sqrt2) // less than the way home alone
		}},
	} {
		if !tt.holds(tt.program) {
			t.Errorf("%s: it does not hold that %s", tt.program, tt.says)
		}
	}
}

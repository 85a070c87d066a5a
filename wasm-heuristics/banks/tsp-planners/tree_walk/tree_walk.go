package tree_walk

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	apart  = 0.2  // against a city that is not joined to here
	near   = 0.3  // against the way to a city that is joined to here
	toHome = 0.2  // against the branch that leads to the start
	branch = 0.05 // against the length of any other branch
)

// Score follows the shortest tree that joins here, the remaining cities and the start. The tour leaves along a branch
// of the tree: side branches are cleared, the smallest first, before the branch that leads to the start. Cities not
// joined to here come by distance.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	const far = math.MaxFloat32
	k := s.K()
	city := append(append(make([]tsp.Node, 0, k+1), s.Candidates...), s.First)
	parent, link, order := make([]int, k+1), make([]float32, k+1), make([]int, 0, k+1)
	in := make([]bool, k+1)
	for i, c := range city {
		parent[i], link[i] = -1, here[c]
	}
	if s.First == s.Current {
		link[k] = far
	}
	for range city {
		next := -1
		for i := range city {
			if !in[i] && (next < 0 || link[i] < link[next]) {
				next = i
			}
		}
		in[next] = true
		order = append(order, next)
		row := s.Row(city[next])
		for i, c := range city {
			if d := row[c]; !in[i] && d < link[i] {
				parent[i], link[i] = next, d
			}
		}
	}
	size := make([]float32, k+1)
	home := make([]bool, k+1)
	home[k] = true
	for i := k; i >= 0; i-- {
		v := order[i]
		size[v] += link[v]
		if p := parent[v]; p >= 0 {
			size[p] += size[v]
			home[p] = home[p] || home[v]
		}
	}
	for i, c := range s.Candidates {
		score[i] = -here[c] - apart
		if parent[i] < 0 {
			score[i] = -near * here[c]
			if home[i] {
				score[i] -= toHome
			} else {
				score[i] -= branch * size[i]
			}
		}
	}
}

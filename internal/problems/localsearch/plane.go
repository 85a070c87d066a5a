// Package localsearch holds what the local searches of several problems share: the nodes with their nearest neighbours,
// and the list of nodes whose surroundings are still to be searched.
package localsearch

import (
	"math"

	"github.com/epb-nco/epb/internal/routing"
)

const (
	// LongestPath is the longest path of nodes that Or-opt moves (Or 1976).
	LongestPath = 3
	// MinGain is the least improvement that counts. A smaller one may be rounding, and search could run in circles.
	MinGain = 1e-10
)

// Plane holds nodes of an instance in the Euclidean plane, in float64.
type Plane struct {
	// Near is the list of each node's nearest others in increasing distance, ties to the lower index.
	Near [][]int32
	x, y []float64
}

// NewPlane returns the given nodes of inst, numbered anew from 0, with neighbour lists of k nodes. If depot is set,
// node 0 has a list but is on no list.
func NewPlane(inst *routing.Instance, nodes []int32, k int, depot bool) *Plane {
	n := len(nodes)
	p := &Plane{x: make([]float64, n), y: make([]float64, n), Near: make([][]int32, n)}
	for i, v := range nodes {
		x, y := inst.XY(int(v))
		p.x[i], p.y[i] = float64(x), float64(y)
	}
	first := 0
	if depot {
		first = 1
	}
	k = max(0, min(k, n-1-first))
	lists, dist := make([]int32, 0, n*(k+1)), make([]float64, k+1)
	for i := range n {
		list := lists[len(lists):]
		for j := first; j < n; j++ {
			d := p.Dist(int32(i), int32(j))
			if j == i || len(list) == k && (k == 0 || d >= dist[k-1]) {
				continue
			}
			if len(list) < k {
				list = append(list, 0)
			}
			at := len(list) - 1
			for ; at > 0 && dist[at-1] > d; at-- {
				list[at], dist[at] = list[at-1], dist[at-1]
			}
			list[at], dist[at] = int32(j), d
		}
		lists = lists[:len(lists)+len(list)]
		p.Near[i] = list
	}
	return p
}

// Dist returns the distance between nodes i and j.
func (p *Plane) Dist(i, j int32) float64 {
	dx, dy := p.x[i]-p.x[j], p.y[i]-p.y[j]
	return math.Sqrt(dx*dx + dy*dy)
}

// WorkList is a queue of nodes whose surroundings have changed, each at most once: the don't-look bits of local search.
type WorkList struct {
	nodes  []int32
	queued []bool
}

// NewWorkList returns an empty list for n nodes.
func NewWorkList(n int) WorkList { return WorkList{queued: make([]bool, n)} }

// Push appends node v unless it is already in the list.
func (w *WorkList) Push(v int32) {
	if !w.queued[v] {
		w.queued[v] = true
		w.nodes = append(w.nodes, v)
	}
}

// Drain hands the nodes to visit, first in first out, until none is left; visit may push.
func (w *WorkList) Drain(visit func(v int32)) {
	for at := 0; at < len(w.nodes); at++ {
		v := w.nodes[at]
		w.queued[v] = false
		visit(v)
	}
	w.nodes = w.nodes[:0]
}

// EveryNode returns 0 .. n-1.
func EveryNode(n int) []int32 {
	nodes := make([]int32, n)
	for i := range nodes {
		nodes[i] = int32(i)
	}
	return nodes
}

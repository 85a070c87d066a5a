package routing

import "math"

// plane holds the nodes of an instance for local search: float64 coordinates and near, the list of each node's nearest
// others in increasing distance, ties to the lower index.
type plane struct {
	x, y []float64
	near [][]int32
}

// newPlane returns the plane of the given nodes of inst with neighbour lists of k nodes. Node 0 has a list but is on none of them
// if depot is set.
func newPlane(inst *Instance, nodes []int32, k int, depot bool) *plane {
	n := len(nodes)
	p := &plane{x: make([]float64, n), y: make([]float64, n), near: make([][]int32, n)}
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
			d := p.dist(int32(i), int32(j))
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
		p.near[i] = list
	}
	return p
}

func (p *plane) dist(i, j int32) float64 {
	dx, dy := p.x[i]-p.x[j], p.y[i]-p.y[j]
	return math.Sqrt(dx*dx + dy*dy)
}

// workList is a queue of nodes whose surroundings have changed, each at most once: the don't-look bits of local search.
type workList struct {
	nodes  []int32
	queued []bool
}

func (w *workList) push(v int32) {
	if !w.queued[v] {
		w.queued[v] = true
		w.nodes = append(w.nodes, v)
	}
}

// drain hands the nodes to visit, first in first out, until none is left; visit may push.
func (w *workList) drain(visit func(v int32)) {
	for at := 0; at < len(w.nodes); at++ {
		v := w.nodes[at]
		w.queued[v] = false
		visit(v)
	}
	w.nodes = w.nodes[:0]
}

// everyNode returns 0 .. n-1.
func everyNode(n int) []int32 {
	nodes := make([]int32, n)
	for i := range nodes {
		nodes[i] = int32(i)
	}
	return nodes
}

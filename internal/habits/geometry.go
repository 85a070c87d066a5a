package habits

import (
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// cross is twice the signed area of the triangle a, b, c: positive if c is to the left of the line from a to b.
func cross(in *routing.Instance, a, b, c int32) float64 {
	ax, ay := in.XY(int(a))
	bx, by := in.XY(int(b))
	cx, cy := in.XY(int(c))
	return (float64(bx)-float64(ax))*(float64(cy)-float64(ay)) - (float64(by)-float64(ay))*(float64(cx)-float64(ax))
}

// signedArea is the area that a closed walk encloses: positive if it runs counterclockwise.
func signedArea(in *routing.Instance, walk []int32) float64 {
	var twice float64
	for t, a := range walk {
		ax, ay := in.XY(int(a))
		bx, by := in.XY(int(walk[(t+1)%len(walk)]))
		twice += float64(ax)*float64(by) - float64(bx)*float64(ay)
	}
	return twice / 2
}

// hull returns the corners of the convex hull of all nodes, counterclockwise from the leftmost one (of several the
// lowest). Nodes on an edge between two corners, and all but the first of several at one place, are no corners.
func hull(in *routing.Instance) []int32 {
	order := make([]int32, in.N())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		ax, ay := in.XY(int(a))
		bx, by := in.XY(int(b))
		switch {
		case ax < bx || ax == bx && ay < by:
			return -1
		case ax == bx && ay == by:
			return 0
		}
		return 1
	})
	order = slices.CompactFunc(order, func(a, b int32) bool {
		ax, ay := in.XY(int(a))
		bx, by := in.XY(int(b))
		return ax == bx && ay == by
	})
	// Andrew's monotone chain: the lower chain from left to right, then the upper one back.
	chain := func(nodes []int32) []int32 {
		var c []int32
		for _, p := range nodes {
			for len(c) >= 2 && cross(in, c[len(c)-2], c[len(c)-1], p) <= 0 {
				c = c[:len(c)-1]
			}
			c = append(c, p)
		}
		return c[:len(c)-1]
	}
	lower := chain(order)
	slices.Reverse(order)
	return append(lower, chain(order)...)
}

// inHullOrder reports whether a closed walk meets the corners of the hull in their order around it, either way round.
// Every optimal TSP tour does.
func inHullOrder(walk, hull []int32) bool {
	at := make(map[int32]int, len(hull))
	for i, corner := range hull {
		at[corner] = i
	}
	var met []int
	for _, a := range walk {
		if i, ok := at[a]; ok {
			met = append(met, i)
		}
	}
	if len(met) < 3 {
		return true
	}
	step := (met[1] - met[0] + len(hull)) % len(hull)
	if step != 1 && step != len(hull)-1 {
		return false
	}
	for k := range met {
		if (met[(k+1)%len(met)]-met[k]+len(hull))%len(hull) != step {
			return false
		}
	}
	return true
}

// crossings counts the pairs of edges of one walk that cross in a point inside both.
func crossings(in *routing.Instance, walk []int32) int {
	n, count := len(walk), 0
	for i := range n {
		a, b := walk[i], walk[(i+1)%n]
		for j := i + 2; j < n; j++ {
			c, d := walk[j], walk[(j+1)%n]
			if cross(in, a, b, c)*cross(in, a, b, d) < 0 && cross(in, c, d, a)*cross(in, c, d, b) < 0 {
				count++
			}
		}
	}
	return count
}

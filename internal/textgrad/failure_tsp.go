package textgrad

import (
	"math"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// geometry measures the candidates of one TSP state.
type geometry struct {
	cand                     []Point
	current, start, centroid Point
	spread                   float64
}

func newGeometry(in *routing.Instance, st rollout.State, _ []int32) measure {
	g := geometry{current: place(in, st.Current), start: place(in, st.First)}
	for _, c := range st.Candidates {
		g.cand = append(g.cand, place(in, int(c)))
	}
	g.centroid, g.spread = centre(g.cand)
	return g
}

func (g geometry) describe(f *Failure) {
	f.Current, f.Start, f.Centroid, f.Spread = g.current, g.start, g.centroid, g.spread
}

func (g geometry) choice(k int) Choice {
	p := g.cand[k]
	c := Choice{Pos: p, Distance: g.way(k), ToStart: p.dist(g.start), ToCentroid: p.dist(g.centroid)}
	c.Closing = c.Distance + c.ToStart
	c.TwoStep = c.Closing
	if len(g.cand) > 1 {
		c.Isolation, c.TwoStep = math.Inf(1), math.Inf(1)
		for l, q := range g.cand {
			if l != k {
				c.Isolation = min(c.Isolation, p.dist(q))
				c.TwoStep = min(c.TwoStep, c.Distance+p.dist(q)+q.dist(g.start))
			}
		}
	}
	c.Completion = c.Distance + g.greedyChain(k)
	return c
}

// greedyChain returns the length of the way from candidate k to its nearest neighbour, and so on through all
// candidates, and then to the start. The SDK's function of that name stops after some steps, and computes in float32.
func (g geometry) greedyChain(k int) float64 {
	visited := make([]bool, len(g.cand))
	length := 0.0
	for {
		visited[k] = true
		next := -1
		for l, q := range g.cand {
			if !visited[l] && (next < 0 || q.dist(g.cand[k]) < g.cand[next].dist(g.cand[k])) {
				next = l
			}
		}
		if next < 0 {
			return length + g.cand[k].dist(g.start)
		}
		length += g.cand[k].dist(g.cand[next])
		k = next
	}
}

// way is the distance from the current city to candidate k.
func (g geometry) way(k int) float64 { return g.cand[k].dist(g.current) }

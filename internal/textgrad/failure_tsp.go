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
	visited                  Cloud
}

func newGeometry(in *routing.Instance, st rollout.State, done []int32) measure {
	g := geometry{current: place(in, st.Current), start: place(in, st.Anchor)}
	for _, c := range st.Candidates {
		g.cand = append(g.cand, place(in, int(c)))
	}
	g.centroid = centre(g.cand)
	visited := make([]Point, len(done))
	for i, a := range done {
		visited[i] = place(in, int(a))
	}
	g.visited = Cloud{len(done), centre(visited)}
	return g
}

func (g geometry) describe(f *Failure) {
	f.Current, f.Start, f.Visited = g.current, g.start, g.visited
}

func (g geometry) choice(k int) Choice {
	p := g.cand[k]
	c := Choice{Pos: p, Distance: g.way(k), ToStart: p.dist(g.start), ToCentroid: p.dist(g.centroid)}
	c.TwoStep = c.Distance + c.ToStart
	if len(g.cand) > 1 {
		c.Isolation, c.TwoStep = math.Inf(1), math.Inf(1)
		for l, q := range g.cand {
			if l != k {
				c.Isolation = min(c.Isolation, p.dist(q))
				c.TwoStep = min(c.TwoStep, c.Distance+p.dist(q)+q.dist(g.start))
			}
		}
	}
	return c
}

// way is the distance from the current city to candidate k.
func (g geometry) way(k int) float64 { return g.cand[k].dist(g.current) }

package features

import (
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// tspMeasures reads the features of the TSP's full view.
type tspMeasures struct {
	s     *tsp.State
	node  []nodeFeature[tsp.State]
	state []stateFeature[tsp.State]
}

func (m *tspMeasures) read(at Decision, f, z []float32) {
	m.s.Set(int(at.Step), tsp.Node(at.First), tsp.Node(at.Current), at.Candidates)
	fill(m.s, len(at.Candidates), m.node, m.state, f, z)
}

func tspSet() *Set {
	node, state := tspNode(), tspState()
	return newSet(node, state, func(inst *routing.Instance) measures {
		n := inst.N()
		x, y := make([]float32, n), make([]float32, n)
		for i := range n {
			x[i], y[i] = inst.XY(i)
		}
		return &tspMeasures{tsp.NewState(x, y), node, state}
	})
}

type city = nodeFeature[tsp.State]

// tspNode lists the features of a candidate.
func tspNode() []city {
	cities := []city{
		{Feature{"distance", "s.Distance(k)", "its distance"}, (*tsp.State).Distance},
		{Feature{"distance_squared", "s.DistanceSquared(k)", "the square of its distance"}, (*tsp.State).DistanceSquared},
		{Feature{"to_start", "s.ToStart(k)", "its distance to the start"}, (*tsp.State).ToStart},
		{Feature{"isolation", "s.Isolation(k)", "how isolated it is"}, (*tsp.State).Isolation},
		{Feature{"regret", "s.Regret(k)", "how much farther its second-nearest other is than its nearest"},
			(*tsp.State).Regret},
		{Feature{"to_centroid", "s.ToCentroid(k)", "its distance to the centroid"}, (*tsp.State).ToCentroid},
		{Feature{"towards_start", "s.TowardsStart(k)", "how far it lies towards the start"}, (*tsp.State).TowardsStart},
		{Feature{"towards_centroid", "s.TowardsCentroid(k)", "how far it lies towards the centroid"},
			(*tsp.State).TowardsCentroid},
	}
	return append(cities, late(cities, "distance", "to_start", "isolation", "towards_start", "to_centroid")...)
}

// late returns the features of these names times progress.
func late(cities []city, names ...string) []city {
	var out []city
	for _, name := range names {
		for _, c := range cities {
			if c.Name == name {
				of := c.of
				out = append(out, city{
					Feature{c.Name + "_late", "s.Progress() * " + c.Call, c.Says + ", late in the tour"},
					func(s *tsp.State, k int) float32 { return s.Progress() * of(s, k) },
				})
			}
		}
	}
	return out
}

// tspState lists the features of a decision state.
func tspState() []stateFeature[tsp.State] {
	return []stateFeature[tsp.State]{
		{Feature{"progress", "s.Progress()", "how much of the tour is done"}, (*tsp.State).Progress},
		{Feature{"few_left", "1 / float32(s.K())", "how few cities are left"},
			func(s *tsp.State) float32 { return 1 / float32(s.K()) }},
		{Feature{"nearest_distance", "s.Distance(k1)", "the distance of the nearest city"},
			func(s *tsp.State) float32 { k1, _ := s.Nearest(); return s.Distance(k1) }},
		{Feature{"nearest_isolation", "s.Isolation(k1)", "how isolated the nearest city is"},
			func(s *tsp.State) float32 { k1, _ := s.Nearest(); return s.Isolation(k1) }},
		{Feature{"second_distance", "s.Distance(k2)", "the distance of the second-nearest city"},
			func(s *tsp.State) float32 { _, k2 := s.Nearest(); return s.Distance(k2) }},
	}
}

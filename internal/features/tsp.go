package features

import (
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// tspMeasures reads the features of the TSP's full view.
type tspMeasures struct {
	s     *tsp.State
	node  []tspNode
	state []tspState
}

type (
	tspNode  = nodeFeature[tsp.State]
	tspState = stateFeature[tsp.State]
)

func (m *tspMeasures) read(at Decision, f, z []float32) {
	m.s.Set(int(at.Step), tsp.Node(at.First), tsp.Node(at.Current), at.Candidates)
	k1, k2 := m.s.Nearest()
	fill(m.s, k1, k2, len(at.Candidates), m.node, m.state, f, z)
}

func tspSet(ahead bool) *Set {
	late := weight[tsp.State]{
		suffix: "late", call: "s.Progress() * ", says: ", late in the tour", ends: " (the later, the more)",
		of: (*tsp.State).Progress,
	}
	node, state := tspNodes(), tspStates()
	node = append(node, late.times(node, tspLate)...)
	if ahead {
		walks := tspWalks()
		node = append(node, walks...)
		node = append(node, late.times(walks, tspWalksLate)...)
	}
	return newSet(node, state, func(inst *routing.Instance) measures {
		return &tspMeasures{tsp.NewState(places(inst)), node, state}
	})
}

// tspLate are the features of a candidate that also count times progress.
var tspLate = []string{
	"distance", "to_start", "isolation", "two_step", "towards_start", "to_centroid", "skip", "outlying", "cut",
}

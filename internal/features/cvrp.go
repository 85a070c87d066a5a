package features

import (
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// cvrpMeasures reads the features of the CVRP's full view.
type cvrpMeasures struct {
	s     *cvrp.State
	node  []cvrpNode
	state []cvrpState
}

type (
	cvrpNode  = nodeFeature[cvrp.State]
	cvrpState = stateFeature[cvrp.State]
)

func (m *cvrpMeasures) read(at Decision, f, z []float32) {
	m.s.Set(cvrp.Node(at.First), cvrp.Node(at.Current), at.Remaining, at.Candidates, at.Waiting)
	k1, k2 := m.s.Nearest()
	fill(m.s, k1, k2, len(at.Candidates), m.node, m.state, f, z)
}

func cvrpSet(ahead bool) *Set {
	late := weight[cvrp.State]{
		suffix: "late", call: "s.Progress() * ", says: ", late", ends: " (the later, the more)",
		of: (*cvrp.State).Progress,
	}
	full := weight[cvrp.State]{
		suffix: "full", call: "(1 - s.Remaining) * ", says: ", with a full vehicle",
		ends: " (the fuller the vehicle, the more)",
		of:   func(s *cvrp.State) float32 { return 1 - s.Remaining },
	}
	customer, state := cvrpCustomers(), cvrpStates()
	node := append(customer, cvrpHome()...)
	node = append(node, late.times(customer, cvrpLate)...)
	node = append(node, full.times(customer, cvrpFull)...)
	if ahead {
		node = append(node, cvrpWalks()...)
	}
	return newSet(node, state, func(inst *routing.Instance) measures {
		x, y := places(inst)
		return &cvrpMeasures{cvrp.NewState(x, y, inst.Demand, inst.Capacity), node, state}
	})
}

// cvrpLate are the features of a candidate that also count times progress, cvrpFull those that also count times the
// load of the vehicle.
var (
	cvrpLate = []string{"distance", "to_depot", "isolation", "saving", "skip", "load", "to_centroid"}
	cvrpFull = []string{"distance", "to_depot", "home_detour", "saving", "load", "fill"}
)

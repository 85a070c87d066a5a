package h25_sparse_slices

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp         = 0.7  // against going home
	giveUpShortage = 0.5  // for going home, by how little room is left
	scarce         = 0.2  // the room that is scarce
	stepAim        = 0.4  // the distance of a first customer from the depot that is aimed at
	sector         = 0.2  // against the demand that waits in its sector, of a first customer
	width          = 0.3  // the width of a sector, in radians
	muchRoom       = 0.5  // the room that is much
	outward        = 0.2  // of the step away from the depot, with much room
	sectorRoomy    = 0.05 // against the demand that waits in its sector, with much room
	outwardElse    = 0.3  // against the step away from the depot, with less room
	crowd          = 0.01 // of its company, with less room
	radius         = 0.2  // how near company is
)

// Score begins a route in a thin slice at a moderate distance, pivots through near customers, and finishes inward
// where customers cluster. With little room it returns early.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp + giveUpShortage*s.Below(scarce)
		case s.Current == cvrp.Depot:
			off := here[c] - stepAim
			score[k] = -max(off, -off) - sector*s.SectorDemand(c, width)
		case s.Remaining > muchRoom:
			score[k] = -here[c] + outward*s.Outward(s.Current, c) - sectorRoomy*s.SectorDemand(c, width)
		default:
			score[k] = -here[c] - outwardElse*s.Outward(s.Current, c) + crowd*s.Crowd(c, radius)
		}
	}
}

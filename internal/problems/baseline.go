package problems

import (
	"math"

	"github.com/epb-nco/epb/internal/routing"
)

// NearestNeighbour is the policy that always visits the nearest candidate, and the depot when no other node is one. Its
// own start on a tour is node 0.
type NearestNeighbour struct{}

// Name implements routing.Policy.
func (NearestNeighbour) Name() string { return "nearest-neighbour" }

// Decoder implements routing.Policy.
func (NearestNeighbour) Decoder() (routing.Decoder, error) { return nearestNeighbour{}, nil }

type nearestNeighbour struct{}

func (nearestNeighbour) Close() error { return nil }

func (nearestNeighbour) Decode(inst *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	p, err := Of(inst.Problem)
	if err != nil {
		return nil, err
	}
	n, depot := inst.N(), p.Traits().Depot
	trs := make([]routing.Trajectory, len(runs))
	var cand []uint16
	for r, run := range runs {
		if err := run.Validate(p, inst); err != nil {
			return nil, err
		}
		s := p.NewState(inst, false)
		if run.Record {
			trs[r].Probs = make([]float32, 0, n*n) // a row for each node; returns to a depot add more
		}
		for t := 0; !s.Done(); t++ {
			given := t == 0 && (run.Start != routing.OwnStart || !depot)
			a := int32(max(run.Start, 0))
			if !given {
				cand = s.Candidates(cand[:0])
				a = int32(cand[nearest(p, inst, int(s.Row().Current), cand)])
			}
			if run.Record {
				trs[r].Probs = append(trs[r].Probs, make([]float32, n)...)
				if !given {
					trs[r].Probs[t*n+int(a)] = 1
				}
			}
			if t < len(run.Force) {
				a = run.Force[t]
			}
			if err := s.Step(a); err != nil {
				return nil, err
			}
		}
		trs[r].Actions, trs[r].Cost = s.Actions(), s.Cost()
	}
	return trs, nil
}

// Nearest returns the index of the candidate closest to a node, ties to the lowest. The depot is taken only if it is
// the only candidate; candidate N+c lies as far as the way to node c by the depot. It panics on an unknown problem.
func Nearest(in *routing.Instance, current int, cand []uint16) int {
	return nearest(Must(in.Problem), in, current, cand)
}

func nearest(p routing.Definition, in *routing.Instance, current int, cand []uint16) int {
	best, bestDist, depot := 0, math.Inf(1), p.Traits().Depot
	for k, c := range cand {
		if c == 0 && depot {
			continue
		}
		if d := way(p, in, current, c); d < bestDist {
			best, bestDist = k, d
		}
	}
	return best
}

// way returns the length of the way to a candidate.
func way(p routing.Definition, in *routing.Instance, current int, c uint16) float64 {
	node, via := routing.Via(int(c), in.N())
	if via {
		return p.Dist(in, current, 0) + p.Dist(in, 0, node)
	}
	return p.Dist(in, current, node)
}

// DistanceRank returns the place of candidate k among all by distance from a node: 1 is the nearest, by the rules of
// Nearest. Candidates that are equally far have the same rank; the depot has the last.
func DistanceRank(in *routing.Instance, current int, cand []uint16, k int) int {
	p := Must(in.Problem)
	if cand[k] == 0 && p.Traits().Depot {
		return len(cand)
	}
	rank, own := 1, way(p, in, current, cand[k])
	for _, c := range cand {
		if (c != 0 || !p.Traits().Depot) && way(p, in, current, c) < own {
			rank++
		}
	}
	return rank
}

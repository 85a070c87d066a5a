package runtime

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// Score scores states of the instance last set; the scores of state t go to out[Offset[t]:Offset[t+1]].
// A *Fault's State is an index in 0 … T-1.
func (g *Guest) Score(s *States, out []float32) error {
	T := s.Len()
	cvrp := g.layout.kind.problem == routing.CVRP
	if len(s.Current) != T || len(s.Step) != T || len(s.Offset) != T+1 || cvrp && (len(s.Remaining) != T || len(s.WaitingOffset) != T+1) {
		panic(fmt.Sprintf("runtime: %d first, %d current, %d step, %d offsets, %d remaining, %d waiting offsets",
			T, len(s.Current), len(s.Step), len(s.Offset), len(s.Remaining), len(s.WaitingOffset)))
	}
	if g.n == 0 || g.spent {
		return g.fault(ABI, -1, "the guest has no instance, or trapped before and is spent")
	}
	most := int(g.layout.maxCandidates)
	for a := 0; a < T; {
		b := a
		for b < T && b-a < int(g.layout.maxStates) && s.Offset[b+1]-s.Offset[a] <= most && (!cvrp || s.WaitingOffset[b+1]-s.WaitingOffset[a] <= most) {
			b++
		}
		if err := g.scoreBatch(s, a, b, cvrp, out); err != nil {
			return err
		}
		a = b
	}
	return nil
}

// scoreBatch is Score for states a … b-1, which fit the guest's buffers.
func (g *Guest) scoreBatch(s *States, a, b int, cvrp bool, out []float32) error {
	mem := g.memory.Data()
	heads := view[uint32](mem, g.layout.heads, headWords*(b-a))
	points := uint64(0)
	for t := a; t < b; t++ {
		k, w, remaining := s.Offset[t+1]-s.Offset[t], 0, int32(0)
		if cvrp {
			w, remaining = s.WaitingOffset[t+1]-s.WaitingOffset[t], s.Remaining[t]
		}
		if k < 1 || k > 2*g.n || w < 0 || w > g.n || uint32(s.First[t]) >= uint32(g.n) || uint32(s.Current[t]) >= uint32(g.n) {
			panic(fmt.Sprintf("runtime: state %d: first %d, current %d, %d candidates and %d waiting of %d nodes", t, s.First[t], s.Current[t], k, w, g.n))
		}
		h := heads[headWords*(t-a):][:headWords]
		h[0], h[1], h[2], h[3], h[4], h[5] = uint32(s.First[t]), uint32(s.Current[t]), uint32(s.Step[t]), uint32(k), uint32(remaining), uint32(w)
		size := uint64(max(k, w))
		points += pointsPerFuel * (budget + perPair*size*size)
	}
	cand := s.Candidates[s.Offset[a]:s.Offset[b]]
	copy(view[uint16](mem, g.layout.candidates, len(cand)), cand)
	var waiting []uint16
	if cvrp {
		waiting = s.Waiting[s.WaitingOffset[a]:s.WaitingOffset[b]]
		copy(view[uint16](mem, g.layout.waiting, len(waiting)), waiting)
	}
	g.setPoints(points)
	result, err := g.score(int32(b-a), int64(budget), int64(perPair))
	if err != nil {
		return g.trapped(err, a)
	}
	if result != int32(0) {
		return g.fault(ABI, -1, "epb_score returned %v", result)
	}
	mem = g.memory.Data()
	if err := g.inputsIntact(mem, a, cand, waiting); err != nil {
		return err
	}
	scores := out[s.Offset[a]:s.Offset[b]]
	copy(scores, view[float32](mem, g.layout.scores, len(cand)))
	for i, v := range scores {
		if math.Float32bits(v)&0x7f800000 != 0x7f800000 {
			continue
		}
		i += s.Offset[a]
		t := a
		for s.Offset[t+1] <= i {
			t++
		}
		return g.fault(NonFinite, t, "the score of candidate %d of %d is %v: guard divisions, logarithms and roots", i-s.Offset[t], s.Offset[t+1]-s.Offset[t], v)
	}
	return nil
}

// inputsIntact sees that the program left the instance and the states' lists as they were.
func (g *Guest) inputsIntact(mem []byte, base int, cand, waiting []uint16) error {
	x, y, demand, dist := g.instanceBytes(mem)
	var what string
	switch {
	case !bytes.Equal(x, g.shown.x):
		what = "X"
	case !bytes.Equal(y, g.shown.y):
		what = "Y"
	case !bytes.Equal(demand, g.shown.demand):
		what = "Demand"
	case !bytes.Equal(dist, g.shown.dist):
		what = "a Row of distances"
	case !slices.Equal(view[uint16](mem, g.layout.candidates, len(cand)), cand):
		what = "Candidates"
	case !slices.Equal(view[uint16](mem, g.layout.waiting, len(waiting)), waiting):
		what = "Waiting"
	default:
		return nil
	}
	g.spent = true
	return g.fault(Inputs, base, "the program writes to %s: copy the slice first (in this state or one after it)", what)
}

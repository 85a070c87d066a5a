package textgrad_test

import (
	"math"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/textgrad"
)

// pair is a tour of five nodes on a line with two decisions, and what two programs score there: the first one the
// nearest first, the second one the farthest. The teacher takes the nearest at first and the farthest then.
func pair(W []float32) textgrad.Seen {
	sh := &rollout.Shard{
		Problem: routing.TSP, N: 5, Coords: dense.Of([]float32{0, 0, 0.1, 0, 0.2, 0, 0.3, 0, 0.4, 0}, 1, 5, 2),
		InstanceOf: []int32{0}, Actions: []int32{0, 1, 4, 3, 2},
		Traj: []int32{0, 0}, Step: []int32{1, 2}, Offset: []int64{0, 4, 7},
		Candidates: []uint16{1, 2, 3, 4, 2, 3, 4}, Probs: dense.Vector([]float32{0.9, 0.1, 0, 0, 0, 0.1, 0.9}),
	}
	near := dense.Vector([]float32{4, 3, 2, 1, 3, 2, 1})
	far := dense.Vector([]float32{1, 2, 3, 4, 1, 2, 3})
	return textgrad.Seen{
		Agreements: agreement.OfAll(sh, []*tensor.Dense{near, far}, dense.Vector([]float64{1, 1})),
		W:          dense.Of(W, 2, 2),
	}
}

func TestRecordOfANiche(t *testing.T) {
	seen := []textgrad.Seen{pair([]float32{0.8, 0.2, 0.4, 0.6}), pair([]float32{0.7, 0.3, 0.9, 0.1})}
	r, niche := textgrad.NewRecord(seen, 0)
	if len(niche[0]) != 1 || niche[0][0] != 0 || len(niche[1]) != 2 {
		t.Errorf("niche %v: the program leads in state 0, and in both states of the second shard", niche)
	}
	if r.States != 4 || !r.Trusted || r.Niche != (textgrad.Tally{States: 3, Right: 2}) ||
		math.Abs(r.Weight-0.7) > 1e-6 || math.Abs(r.NicheWeight-0.8) > 1e-6 {
		t.Errorf("record %+v", r)
	}
	// The first state is after one node of five, the second after two.
	if r.Stages[1] != (textgrad.Tally{States: 2, Right: 2}) || r.Stages[2] != (textgrad.Tally{States: 1}) {
		t.Errorf("stages %+v", r.Stages)
	}
	if r.Ranks[0] != (textgrad.Tally{States: 2, Right: 2}) || r.Ranks[2] != (textgrad.Tally{States: 1}) {
		t.Errorf("by the rank of the teacher's pick %+v: it is the nearest twice, and third once", r.Ranks)
	}
	if len(r.Right) != 2 || r.Right[0].Rank != 1 {
		t.Errorf("%d states must stay right", len(r.Right))
	}
}

// A program that leads nowhere is judged on all states that count.
func TestRecordWithoutANiche(t *testing.T) {
	r, niche := textgrad.NewRecord([]textgrad.Seen{pair([]float32{0.8, 0.2, 0, 0})}, 1)
	if r.Trusted || r.States != 1 || len(niche[0]) != 1 || r.Niche != (textgrad.Tally{States: 1}) ||
		math.Abs(r.NicheWeight-0.2) > 1e-6 {
		t.Errorf("record %+v, states %v: state 1 has no weights and does not count", r, niche)
	}
}

func TestEffect(t *testing.T) {
	seen := pair([]float32{1, 0, 1, 0})
	var e textgrad.Effect
	if got := e.String(); got != "" {
		t.Errorf("the effect on no state is %q", got)
	}
	e.Add(seen.Shard, seen.Each[0], seen.Each[1])
	if e.Won != 1 || e.Lost != 1 {
		t.Errorf("won %d, lost %d: the edit is right in the second state, not in the first", e.Won, e.Lost)
	}
	const want = "right in 50.0 % of 2 validation states and is in 50.0 % " +
		"(by fifths of the way, 100.0 → 0.0, 0.0 → 100.0)"
	if got := e.String(); !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
}

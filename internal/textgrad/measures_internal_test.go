package textgrad

import (
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
)

// TestEveryProblemIsMeasured: a failure can be described in every problem, on its first hard case.
func TestEveryProblemIsMeasured(t *testing.T) {
	for _, p := range problems.All() {
		hard := p.Hard()[0]
		newMeasure := measures[p.Name()]
		if newMeasure == nil {
			t.Errorf("measures has no entry for %s", p.Name())
			continue
		}
		st := rollout.State{Candidates: []uint16{1}, Probs: []float32{1}, Remaining: int(hard.Instance.Capacity)}
		m := newMeasure(&hard.Instance, st, nil)
		var f Failure
		if m.describe(&f); f.Start != place(&hard.Instance, 0) || m.choice(0).Pos != place(&hard.Instance, 1) {
			t.Errorf("%s: the start of %+v, and the place of %+v", p.Name(), f, m.choice(0))
		}
		if m.way(0) != m.choice(0).Distance {
			t.Errorf("%s: the way to a candidate is %v, its distance %v", p.Name(), m.way(0), m.choice(0).Distance)
		}
	}
}

package agreement_test

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

// TestFitScale: a program that is right with certainty, wrong or flat in all states has no scale.
func TestFitScale(t *testing.T) {
	sh := &rollout.Shard{
		N: 3, Traj: []int32{0}, Step: []int32{1}, Offset: []int64{0, 2}, Candidates: []uint16{1, 2},
		Probs: dense.Vector([]float32{0.9, 0.1}), InstanceOf: []int32{0}, Actions: []int32{0, 1, 2},
	}
	for _, c := range []struct {
		scores []float32
		want   bool
	}{
		{[]float32{2, 1}, true}, {[]float32{2e-3, 1e-3}, true}, {[]float32{50, 0}, true},
		{[]float32{1, 2}, false}, {[]float32{0, 0}, false}, {[]float32{1, 1}, false}, {[]float32{0.3, 0.3}, false},
		{[]float32{1e-5, 0}, false}, {[]float32{1e5, 0}, false},
	} {
		if tauH, got := agreement.FitScale(sh, dense.Vector(c.scores), nil); got != c.want {
			t.Errorf("scores %v fit at %v and have a scale: %v, want %v", c.scores, tauH, got, c.want)
		}
	}
}

// If scores are the teacher's log-probabilities times 3, τ_h is 3. On the states where they are times 5, it is 5.
func TestFitTauHFindsTheScale(t *testing.T) {
	sh := &rollout.Shard{
		Problem: "tsp", N: 4, InstanceOf: []int32{0}, Actions: []int32{0, 1, 2, 3},
		Coords: dense.Of(make([]float32, 8), 1, 4, 2),
		Traj:   []int32{0, 0}, Step: []int32{1, 2}, Offset: []int64{0, 3, 5},
		Candidates: []uint16{1, 2, 3, 2, 3}, Probs: dense.Vector([]float32{0.7, 0.2, 0.1, 0.4, 0.6}),
	}
	scores := make([]float32, len(sh.Candidates))
	for i, p := range dense.Open[float32](sh.Probs) {
		scores[i] = float32(3 * math.Log(float64(p)))
	}
	if tau := agreement.FitTauH(sh, dense.Vector(scores), nil); math.Abs(tau/3-1) > 0.01 {
		t.Errorf("τ_h = %v, want 3", tau)
	}
	for i := sh.Offset[1]; i < sh.Offset[2]; i++ {
		scores[i] *= 5. / 3
	}
	for s, want := range map[int32]float64{0: 3, 1: 5} {
		if tau := agreement.FitTauH(sh, dense.Vector(scores), []int32{s}); math.Abs(tau/want-1) > 0.01 {
			t.Errorf("state %d: τ_h = %v, want %v", s, tau, want)
		}
	}
}

// The caller's slice keeps what lies behind its end.
func TestFitScaleLeavesTheCallersSlice(t *testing.T) {
	mine := []int32{7, 8}
	agreement.FitScale(twoStates(), dense.Vector([]float32{2, 1, 0, 1, 1}), mine[:0])
	if mine[0] != 7 || mine[1] != 8 {
		t.Errorf("the caller's states are %v, want [7 8]", mine)
	}
}

// A learned τ_h that leaves its range comes back to the nearer end of it.
func TestClampTauH(t *testing.T) {
	for tauH, want := range map[float64]float64{
		1e-9: agreement.MinTauH, 0.5: 0.5, 1e9: agreement.MaxTauH, math.Inf(1): agreement.MaxTauH,
	} {
		if got := agreement.ClampTauH(tauH); got != want {
			t.Errorf("τ_h %v becomes %v, want %v", tauH, got, want)
		}
	}
}

package agreement_test

import (
	"math"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

// twoStates returns a shard of two states with 3 and 2 candidates.
func twoStates() *rollout.Shard {
	return &rollout.Shard{
		Problem: "tsp", N: 4,
		Coords:     dense.Of([]float32{0, 0, 1, 0, 1, 1, 0, 1}, 1, 4, 2),
		InstanceOf: []int32{0}, Actions: []int32{0, 1, 2, 3},
		Traj: []int32{0, 0}, Step: []int32{1, 2}, Offset: []int64{0, 3, 5},
		Candidates: []uint16{1, 2, 3, 2, 3},
		Probs:      dense.Vector([]float32{0.5, 0.25, 0.25, 0, 1}),
	}
}

func TestOf(t *testing.T) {
	sh := twoStates()
	scores := dense.Vector([]float32{2, 1, 0, 1, 1}) // state 1 is a tie: argmax is the lower node, not the teacher's
	tauH := 2.0

	Vm := dense.Must[float32]("V", agreement.Distribution(sh, scores, tauH), 5)
	z := math.Exp(1) + math.Exp(0.5) + 1
	want := []float64{math.Exp(1) / z, math.Exp(0.5) / z, 1 / z, 0.5, 0.5}
	for i := range want {
		if math.Abs(float64(Vm[i])-want[i]) > 1e-6 {
			t.Errorf("V_m[%d] = %v, want %v", i, Vm[i], want[i])
		}
	}

	v := agreement.Of(sh, scores, tauH)
	kl0 := 0.5*math.Log(0.5/want[0]) + 0.25*math.Log(0.25/want[1]) + 0.25*math.Log(0.25/want[2])
	for s, kl := range []float64{kl0, math.Log(2)} {
		if math.Abs(float64(v.KL[s])-kl) > 1e-6 {
			t.Errorf("KL of state %d = %v, want %v", s, v.KL[s], kl)
		}
	}
	if !v.Hits.Has(0) || v.Hits.Has(1) {
		t.Errorf("hits = %b, want state 0 alone", v.Hits)
	}
}

func TestOfSurvivesHugeScores(t *testing.T) {
	v := agreement.Of(twoStates(), dense.Vector([]float32{-3e38, 3e38, 0, 1e30, -1e30}), 0.01)
	for s, kl := range v.KL {
		if math.IsNaN(float64(kl)) || kl <= 0 {
			t.Errorf("KL of state %d = %v, want a large positive number", s, kl)
		}
	}
}

// TestLargestScores: at the limits of scores and τ_h, all figures about a program are finite numbers, as JSON requires.
func TestLargestScores(t *testing.T) {
	const most = 1e30 // runtime.MaxScore
	for _, tauH := range []float64{agreement.MinTauH, agreement.MaxTauH} {
		scores := dense.Vector([]float32{-most, most, 0, most, -most})
		v := agreement.Of(twoStates(), scores, tauH)
		for s, kl := range v.KL {
			if x := float64(kl); math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("τ_h %v: KL of state %d = %v", tauH, s, kl)
			}
		}
		for i, p := range dense.Must[float32]("V", agreement.Distribution(twoStates(), scores, tauH), 5) {
			if !(p >= 0 && p <= 1) {
				t.Errorf("τ_h %v: V_m[%d] = %v", tauH, i, p)
			}
		}
	}
	for _, tauH := range []float64{1e-300, 1e-40, 0, -1, math.NaN(), math.Inf(1), 1e7} {
		if agreement.ValidTauH(tauH) {
			t.Errorf("τ_h %v is valid", tauH)
		}
	}
}

func TestSharpnessOf(t *testing.T) {
	got := agreement.SharpnessOf(twoStates())
	if want := (agreement.Sharpness{Top1: 0.75, Top2: 0.125}); got != want {
		t.Errorf("SharpnessOf = %+v, want %+v", got, want)
	}
	if got.Rest() != 0.125 {
		t.Errorf("Rest = %v, want 0.125", got.Rest())
	}
}

func TestStateSet(t *testing.T) {
	x, y := agreement.NewStateSet(130), agreement.NewStateSet(130)
	x.Put(0)
	x.Put(129)
	y.Put(129)
	y.Put(64)
	if x.Gain(y) != 1 || y.Gain(x) != 1 {
		t.Errorf("gains %d and %d, want 1 and 1", x.Gain(y), y.Gain(x))
	}
	x.Union(y)
	if x.Len() != 3 || !x.Has(64) || x.Has(63) {
		t.Errorf("union holds %d states, want 0, 64 and 129", x.Len())
	}
}

func TestOfAllIsOfEach(t *testing.T) {
	sh := twoStates()
	scores := []*tensor.Dense{dense.Vector([]float32{2, 1, 0, 1, 1}), dense.Vector([]float32{0, 1, 2, 0, 1})}
	tauH := []float64{2, 0.5}
	all := agreement.OfAll(sh, scores, dense.Vector(tauH))
	for m := range scores {
		one := agreement.Of(sh, scores[m], tauH[m])
		if !slices.Equal(all.Hits()[m], one.Hits) || !slices.Equal(all.KL()[m], one.KL) {
			t.Errorf("heuristic %d: %+v, alone %+v", m, all.Each[m], one)
		}
		if Vm := agreement.DistributionAt(sh, scores[m], tauH[m], 1); !slices.Equal(all.DistributionAt(m, 1), Vm) {
			t.Errorf("heuristic %d: V_m %v, alone %v", m, all.DistributionAt(m, 1), Vm)
		}
	}
}

// The loss takes no probability for less than the floor: what a student rules out costs 27.6 nats, not infinity.
func TestKLHasAFloor(t *testing.T) {
	for _, c := range []struct {
		piT, piS []float32
		want     float64
	}{
		{[]float32{1, 0}, []float32{0, 1}, -math.Log(agreement.Floor)},
		{[]float32{0.5, 0.5}, []float32{0.25, 0.75}, 0.5*math.Log(2) + 0.5*math.Log(2./3)},
		{[]float32{0, 1}, []float32{0.75, 0.25}, math.Log(4)},
	} {
		if got := agreement.KL(c.piT, c.piS); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("KL(%v‖%v) = %v, want %v", c.piT, c.piS, got, c.want)
		}
	}
}

// Dividing by the sum gives the distribution of Eq. 2 with its τ_h, also where both are one slice.
func TestDividedIsSoftmax(t *testing.T) {
	c, want := []float32{3, 1, 2}, make([]float32, 3)
	agreement.Softmax(want, c, 0.5)
	agreement.Divided(c, c, 0.5)
	for k, v := range c {
		if math.Abs(float64(v-want[k])) > 1e-6 {
			t.Errorf("divided %v, want %v", c, want)
			break
		}
	}
}

// Some of many states are spread over all of them. Of fewer states than asked for, all are taken.
func TestEven(t *testing.T) {
	all := []int32{0, 10, 20, 30, 40, 50}
	for n, want := range map[int][]int32{3: {0, 20, 40}, 4: {0, 10, 30, 40}, 9: all} {
		if got := agreement.Even(all, n); !slices.Equal(got, want) {
			t.Errorf("%d of %v are %v, want %v", n, all, got, want)
		}
	}
}

// The set with the first state that the other lacks comes before it. Of equal sets none does.
func TestBefore(t *testing.T) {
	set := func(states ...int) agreement.StateSet {
		x := agreement.NewStateSet(130)
		for _, s := range states {
			x.Put(s)
		}
		return x
	}
	for _, c := range []struct {
		x, y agreement.StateSet
		want bool
	}{
		{set(3), set(70), true}, {set(70), set(3), false}, {set(64, 70), set(64, 71), true},
		{set(5, 70), set(5), true}, {set(5), set(5, 70), false}, {set(5, 70), set(5, 70), false},
	} {
		if got := c.x.Before(c.y); got != c.want {
			t.Errorf("%b before %b: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

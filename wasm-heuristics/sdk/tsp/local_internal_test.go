package tsp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNumbers compares the functions that stand in for those of math with them.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	near := func(what string, got float32, want, tolerance float64) {
		t.Helper()
		if !(math.Abs(float64(got)-want) <= tolerance) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	for range 10000 {
		x, y := rng.Float32()-0.5, rng.Float32()-0.5
		angle := math.Atan2(float64(y), float64(x)) / (2 * math.Pi)
		if angle < 0 {
			angle++
		}
		near("turn", turn(x, y), angle, 2e-6)
		near("sine", sine(4*x), math.Sin(2*math.Pi*float64(4*x)), 5e-6)
		v := float32(math.Exp(20 * float64(x)))
		near("logarithm", logarithm(v), math.Log(float64(v)), 2e-6)
		near("less", less(v, size(y)), map[bool]float64{true: 1}[v < size(y)], 0)
		near("positive", positive(x), float64(max(0, x)), 0)
		near("sign", sign(x), math.Copysign(1, float64(x)), 0)
	}
	zero := float32(0)
	for _, v := range []float32{zero, -zero, zero * -1} {
		near("sign of 0", sign(v), 0, 0)
		near("positive of 0", positive(v), 0, 0)
	}
	for i, v := range [][2]float32{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}} {
		near("turn of an eighth", turn(v[0], v[1]), float64(i)/8, 2e-6)
	}
	near("turn of nothing", turn(0, zero*-1), 0, 0)
}

// TestRadii: a radius may be any number, and as many as a program likes.
func TestRadii(t *testing.T) {
	s := NewState([]float32{0, 1, 0.5, 0.5}, []float32{0, 0, 0.5, 0.5})
	s.Set(1, 0, 0, []Node{1, 2, 3})
	inf := float32(math.Inf(1))
	for _, r := range []float32{0, -1, 1e-30, 1e30, inf, -inf, float32(math.NaN())} {
		for _, v := range []float32{s.Crowd(1, r), s.Tip(1, r), s.RightHere(1, r), s.VisitedCrowd(1, r), s.CrowdHere(r)} {
			if !(size(v) <= most) {
				t.Errorf("radius %v: a measure is %v", r, v)
			}
		}
	}
	for r := range 20 {
		want := 2 * fade(0.5/(s.Unit()*s.Unit()), fading(float32(r))) // both others of city 1 are √½ away
		for range 2 {
			if got := s.Crowd(0, float32(r)); size(got-want) > 1e-5 {
				t.Errorf("radius %d: Crowd is %v, want %v", r, got, want)
			}
		}
	}
}

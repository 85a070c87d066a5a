package teacher

import (
	"math"
	"testing"
)

func TestTanh(t *testing.T) {
	for x := -12.0; x <= 12; x += 1.0 / 1024 {
		got, want := float64(tanh(float32(x))), math.Tanh(float64(float32(x)))
		if math.Abs(got-want) > 3e-7*math.Max(math.Abs(want), 1e-3) {
			t.Errorf("tanh(%v) = %v, want %v", x, got, want)
		}
	}
}

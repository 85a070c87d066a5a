package certify

import (
	"slices"
	"testing"
)

// A router may be so sure that all other weights are 0. Without its leader the others then share equally.
func TestDropLeader(t *testing.T) {
	for _, c := range []struct{ w, want []float32 }{
		{[]float32{0.25, 0.5, 0.25}, []float32{0.25, 0, 0.25}},
		{[]float32{0, 1, 0}, []float32{0.5, 0, 0.5}},
		{[]float32{1, 0}, []float32{0, 1}},
	} {
		w := slices.Clone(c.w)
		if dropLeader(w); !slices.Equal(w, c.want) {
			t.Errorf("%v without its leader: %v, want %v", c.w, w, c.want)
		}
	}
}

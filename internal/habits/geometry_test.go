package habits

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/routing"
)

// square holds the corners of the unit square, counterclockwise from the origin, and its middle.
func square() *routing.Instance {
	return &routing.Instance{Problem: routing.TSP, Coords: []float32{0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5}}
}

func TestSignedArea(t *testing.T) {
	for _, tt := range []struct {
		name string
		walk []int32
		want float64
	}{
		{"counterclockwise", []int32{0, 1, 2, 3}, 1},
		{"clockwise", []int32{3, 2, 1, 0}, -1},
		{"with a dent to the middle", []int32{0, 1, 2, 3, 4}, 0.75},
		{"there and back", []int32{0, 2}, 0},
	} {
		if got := signedArea(square(), tt.walk); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestHull(t *testing.T) {
	if got := hull(square()); !slices.Equal(got, []int32{0, 1, 2, 3}) {
		t.Errorf("the square's hull is %v", got)
	}
	// A node on an edge, and a second one at a corner, are no corners.
	in := &routing.Instance{Coords: []float32{0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0, 1, 1}}
	if got := hull(in); !slices.Equal(got, []int32{0, 1, 2, 3}) {
		t.Errorf("with a node on an edge and a twin of a corner the hull is %v", got)
	}
}

// A corner of the hull is a node with all others on one side of some line through it: no node lies outside of the hull.
func TestHullHoldsAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		in := &routing.Instance{Coords: make([]float32, 2*(3+r.IntN(30)))}
		for i := range in.Coords {
			in.Coords[i] = r.Float32()
		}
		h := hull(in)
		for k := range h {
			for i := range in.N() {
				if cross(in, h[k], h[(k+1)%len(h)], int32(i)) < 0 {
					t.Fatalf("node %d is outside of the hull %v", i, h)
				}
			}
		}
	}
}

func TestHullOrder(t *testing.T) {
	for _, tt := range []struct {
		name string
		walk []int32
		want bool
	}{
		{"around", []int32{0, 1, 2, 3, 4}, true},
		{"the other way round", []int32{2, 1, 4, 0, 3}, true},
		{"from another corner", []int32{3, 0, 1, 4, 2}, true},
		{"across", []int32{0, 2, 1, 3, 4}, false},
		{"across later", []int32{0, 1, 3, 2, 4}, false},
	} {
		if got := inHullOrder(tt.walk, hull(square())); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestCrossings(t *testing.T) {
	for _, tt := range []struct {
		walk []int32
		want int
	}{
		{[]int32{0, 1, 2, 3}, 0},
		{[]int32{0, 2, 1, 3}, 1},
		{[]int32{0, 4, 1, 2, 3}, 0}, // edges that share a node do not cross
		{[]int32{0, 2, 3, 4, 1}, 0}, // an end on another edge is no crossing
	} {
		if got := crossings(square(), tt.walk); got != tt.want {
			t.Errorf("%v: %d crossings, want %d", tt.walk, got, tt.want)
		}
	}
}

// A tour without crossings meets the hull in order; the converse does not hold.
func TestUncrossedToursFollowTheHull(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	uncrossed := 0
	for range 2000 {
		in := &routing.Instance{Coords: make([]float32, 2*6)}
		for i := range in.Coords {
			in.Coords[i] = r.Float32()
		}
		walk := []int32{0, 1, 2, 3, 4, 5}
		r.Shuffle(len(walk), func(i, j int) { walk[i], walk[j] = walk[j], walk[i] })
		if crossings(in, walk) > 0 {
			continue
		}
		uncrossed++
		if !inHullOrder(walk, hull(in)) {
			t.Fatalf("tour %v of %v has no crossing and is not in hull order", walk, in.Coords)
		}
	}
	if uncrossed < 50 {
		t.Fatalf("only %d tours without crossings: the test shows too little", uncrossed)
	}
}

package activities

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// Agreement is measured on the held-out faults alone.
func TestAgreeIsHeldOut(t *testing.T) {
	fx := newFixture(t)
	near, far := fx.scoring("near", byNear, leaning(0.7)), fx.scoring("far", byFar, leaning(0.7))
	right, traps := fx.scoring("right", byRule, leaning(0.7)), fx.scoring("traps", trapsOnC, leaning(0.7))
	// Held out are B and C of the first shard and A and B of the second.
	f := fx.put(faultSet{Shards: []workflows.Shard{fx.kinds("ABAC"), fx.kinds("AABB")},
		Refine: [][]int32{{0, 2}, {0, 2}}, HeldOut: [][]int32{{1, 3}, {1, 3}}})
	out := perform(fx, fx.Agree, workflows.AgreeInput{Faults: f,
		Items: []store.Ref{fx.put(near), fx.put(far), fx.put(right), fx.put(traps)}})
	if want := []float64{0.25, 0.75, 1, 0}; !slices.Equal(out.Top1, want) {
		t.Errorf("agreement %v, want %v", out.Top1, want)
	}
	fx.ruled(near, "+improved by an edit, agreement on held-out faults 0.2500 → 0.7500", "+0.2500 → 1.0000")
	fx.ruled(far, "+0.2500 → 0.7500")
	fx.ruled(right, "+0.2500 → 1.0000")
	fx.ruled(traps, "-0.2500 → 0.0000")
}

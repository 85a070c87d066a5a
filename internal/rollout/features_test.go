package rollout

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// TestFeatureReader: a reader that goes to and fro, between states and between shards, reads what a new reader does.
func TestFeatureReader(t *testing.T) {
	nearest := problems.NearestNeighbour{}
	for name, shards := range map[string][2]*Shard{
		"tours":  {record(t, 8, 3, 2), record(t, 9, 2, 1)},
		"routes": {recordCVRP(t, nearest, 9, 3, 2), recordCVRP(t, nearest, 7, 2, 1)},
	} {
		set, ok := features.Of(shards[0].Problem, routing.Full, sdk.ClassLocal)
		if !ok {
			t.Fatalf("%s have no features", name)
		}
		read := func(r *FeatureReader, sh *Shard, s int) []float32 {
			f := make([]float32, int(sh.Offset[s+1]-sh.Offset[s])*len(set.Node))
			z := make([]float32, len(set.State))
			if err := r.Read(sh, s, f, z); err != nil {
				t.Fatal(err)
			}
			return append(f, z...)
		}
		reader := NewFeatureReader(set)
		check := func(sh *Shard, s int) {
			t.Helper()
			if got, want := read(reader, sh, s), read(NewFeatureReader(set), sh, s); !slices.Equal(got, want) {
				t.Errorf("%s, state %d: %v, want %v", name, s, got, want)
			}
		}
		for _, sh := range shards {
			for s := range sh.States() {
				check(sh, s)
			}
			for s := range sh.States() {
				check(sh, sh.States()-1-s)
			}
		}
		for s := range min(shards[0].States(), shards[1].States()) {
			check(shards[0], s)
			check(shards[1], s)
		}
	}
}

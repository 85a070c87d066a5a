package memory

import (
	"math"
	"runtime/debug"
	"testing"
)

// A worker's heap is bounded with room for what it keeps, and the bound changes nothing of what it keeps.
func TestBoundWorker(t *testing.T) {
	before := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(before)
	has, ok := total()
	if !ok {
		t.Skip("the system does not say how much memory it has")
	}
	cache := ForCache()
	BoundWorker()
	limit := debug.SetMemoryLimit(-1)
	if limit >= has || limit <= cache+ForFeatures(cache) {
		t.Errorf("a limit of %d MiB, of %d MiB of which %d MiB are kept", limit>>20, has>>20,
			(cache+ForFeatures(cache))>>20)
	}
	if again := ForCache(); again != cache {
		t.Errorf("a cache of %d bytes with the limit, %d without", again, cache)
	}
	debug.SetMemoryLimit(3 << 30) // as GOMEMLIMIT sets it
	BoundWorker()
	if limit := debug.SetMemoryLimit(-1); limit != 3<<30 {
		t.Errorf("a limit of %d MiB, want the user's 3072", limit>>20)
	}
}

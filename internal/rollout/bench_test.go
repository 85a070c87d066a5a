package rollout_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata/percore"
)

// BenchmarkRead measures reading a shard from its bytes, uncompressed, on one core.
func BenchmarkRead(b *testing.B) {
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, tsp.Generate(50, 200, 1),
		routing.SingleRun, nil)
	if err != nil {
		b.Fatal(err)
	}
	data, err := sh.Encode()
	if err != nil {
		b.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b.ReportAllocs()
	start := percore.Time(b)
	for b.Loop() {
		if _, err := rollout.Unmarshal(data); err != nil {
			b.Fatal(err)
		}
	}
	percore.Report(b, start, float64(b.N*len(data))/1e6, "MB")
}

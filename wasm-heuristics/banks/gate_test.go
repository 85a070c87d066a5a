package banks_test

import (
	"testing"

	"golang.org/x/sync/errgroup"

	sandbox "github.com/epb-nco/epb/wasm-heuristics/runtime"

	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// BenchmarkGate puts a hundred programs of the gallery through the gate with nothing compiled before: check, compile,
// load, smoke test.
func BenchmarkGate(b *testing.B) {
	tc := compiletest.Toolchain(b)
	tc.Cache = ""
	programs := embedded(b, "tsp", "subtsp", "cvrp", "subcvrp")[:100]
	for b.Loop() {
		var gate errgroup.Group
		for _, h := range programs {
			gate.Go(func() error {
				m, err := sandbox.Admit(b.Context(), tc, h.Name, h.Source)
				if err == nil {
					m.Close()
				}
				return err
			})
		}
		if err := gate.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

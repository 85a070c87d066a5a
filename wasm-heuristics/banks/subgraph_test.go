package banks_test

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// onSubgraph lets a program that sees the subgraph alone stand beside those that see the whole instance.
func onSubgraph(score func(*subtsp.State, []float32)) func(*tsp.State, []float32) {
	var all *tsp.State
	var window *subtsp.State
	return func(s *tsp.State, out []float32) {
		if s != all {
			all, window = s, subtsp.NewState(s)
		}
		window.Set(s.First, s.Current, s.Candidates)
		score(window, out)
	}
}

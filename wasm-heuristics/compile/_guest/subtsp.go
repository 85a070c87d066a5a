//go:build tinygo

// Guest of the TSP's subgraph view.
package main

import (
	"github.com/epb-nco/epb/guest/abi"
	heuristic "github.com/epb-nco/epb/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

var (
	state *subtsp.State
	fresh subtsp.State // as the instance left it: what a program does to its State does not outlast the decision
)

func init() { abi.Serve(abi.TSP, instance, score) }

func instance(x, y []float32, _ []int32, _ int32) []float32 {
	all := tsp.NewState(x, y)
	state = subtsp.NewState(all)
	fresh = *state
	return all.Row(0)
}

func score(h *abi.Head, candidates, _ []uint16, score []float32) {
	*state = fresh
	state.Set(tsp.Node(h.First), tsp.Node(h.Current), candidates)
	heuristic.Score(state, score)
}

func main() {}

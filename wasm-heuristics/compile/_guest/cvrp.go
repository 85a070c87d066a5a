//go:build tinygo

// Guest of the CVRP's full view.
package main

import (
	"github.com/epb-nco/epb/guest/abi"
	heuristic "github.com/epb-nco/epb/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

var (
	state *cvrp.State
	fresh cvrp.State // as the instance left it: what a program does to its State does not outlast the decision
)

func init() { abi.Serve(abi.CVRP, instance, score) }

func instance(x, y []float32, demand []int32, capacity int32) []float32 {
	state = cvrp.NewState(x, y, demand, capacity)
	fresh = *state
	return state.Row(0)
}

func score(h *abi.Head, candidates, waiting []uint16, score []float32) {
	*state = fresh
	state.Set(cvrp.Node(h.First), cvrp.Node(h.Current), int32(h.Remaining), candidates, waiting)
	heuristic.Score(state, score)
}

func main() {}

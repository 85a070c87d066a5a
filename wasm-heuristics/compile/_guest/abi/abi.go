//go:build tinygo

// Package abi is the guest's side of the ABI that ../../doc.go describes: the exports, the buffers shared with the
// host and the loop over states. A main package per SDK says how that SDK takes an instance and a state.
package abi

import (
	"math"
	"unsafe"

	"github.com/epb-nco/epb/guest/arena"
	"github.com/epb-nco/epb/guest/fuel"
	"github.com/epb-nco/epb/guest/stop"
	"github.com/epb-nco/epb/guest/weights"
)

const (
	version       = 3
	maxNodes      = 1024
	maxStates     = 1024
	maxCandidates = 64 * maxNodes
	maxScores     = 2 * maxCandidates // room for 33 variants of a state with the most candidates
	maxVariants   = 33                // 32 weights, each changed once, and the weights as they are
	maxWeights    = 32
)

// The kinds of decision an SDK may be written for.
const (
	TSP       = 1
	CVRP      = 2
	CVRPByWay = 3 // candidates from N on go by way of the depot
)

// Head is the fixed part of a state.
type Head struct {
	First, Current uint32
	Step           uint32
	K              uint32 // candidates
	Remaining      uint32 // CVRP: room in the vehicle, in demand units
	W              uint32 // CVRP: waiting customers
}

// shared is what the host writes and reads. It lies where the arena leaves room: as a variable of ours, every build
// would carry its zeros.
//
//go:extern __heap_base
var shared struct {
	coords  [2 * maxNodes]float32 // x of all nodes, then y of all nodes, stride maxNodes
	demand  [maxNodes]int32
	head    [maxStates]Head
	cand    [maxCandidates]uint16 // ragged, all states' candidates
	waiting [maxCandidates]uint16 // ragged, all states' waiting customers
	score   [maxScores]float32    // of the first variant for all states, then of the next
	weight  [maxVariants * maxWeights]float64
}

const _ = arena.Shared - unsafe.Sizeof(shared) // does not compile where the room is too small

var (
	table [17]uint32
	at    uint32 // state being scored

	kind     uint32
	instance func(x, y []float32, demand []int32, capacity int32) []float32
	decide   func(h *Head, candidates, waiting []uint16)
	scorer   func(score []float32)
)

// Serve registers an SDK: the kind of decision it is written for, a function that builds an instance's state and
// returns the distance matrix, one that sets the state to a decision, and one that scores the decision.
func Serve(
	k uint32, inst func(x, y []float32, demand []int32, capacity int32) []float32,
	set func(h *Head, candidates, waiting []uint16), score func(score []float32),
) {
	kind, instance, decide, scorer = k, inst, set, score
}

//go:wasmexport epb_table
func epbTable() uint32 {
	arena.Ready()
	table = [17]uint32{
		version, kind, maxNodes, maxStates, maxCandidates,
		address(unsafe.Pointer(&shared.coords)), address(unsafe.Pointer(&shared.demand)),
		address(unsafe.Pointer(&shared.head)), address(unsafe.Pointer(&shared.cand)),
		address(unsafe.Pointer(&shared.waiting)), address(unsafe.Pointer(&shared.score)),
		address(unsafe.Pointer(&stop.Reason)), address(unsafe.Pointer(&at)),
		weights.Count, address(unsafe.Pointer(&shared.weight)), maxVariants, maxScores,
	}
	return address(unsafe.Pointer(&table))
}

//go:wasmexport epb_instance
func epbInstance(n, capacity uint32) uint32 {
	if n < 1 || n > maxNodes {
		return 0
	}
	arena.Clear()
	fuel.Left = math.MaxInt64
	x, y := shared.coords[:n:n], shared.coords[maxNodes:maxNodes+n:maxNodes+n]
	dist := instance(x, y, shared.demand[:n:n], int32(capacity))
	arena.Keep()
	return address(unsafe.Pointer(&dist[0]))
}

//go:wasmexport epb_score
func epbScore(t, variants uint32, budget, perPair int64) uint32 {
	if t > maxStates || variants < 1 || variants > maxVariants {
		return 1
	}
	all := uint32(0) // candidates of all states
	for i := range t {
		k := shared.head[i].K
		if k < 1 || k > maxCandidates-all {
			return 1
		}
		all += k
	}
	if variants*all > maxScores {
		return 1
	}
	a, v := uint32(0), uint32(0)
	for i := range t {
		h := &shared.head[i]
		if h.W > maxCandidates-v {
			return 1
		}
		b, w := a+h.K, v+h.W
		at = i
		size := int64(max(h.K, h.W))
		units := budget + perPair*size*size
		for j := range variants {
			fuel.Left = units
			if j == 0 || arena.Used() > roomForVariants {
				arena.Reset()
				decide(h, shared.cand[a:b:b], shared.waiting[v:w:w])
			}
			weights.Set(shared.weight[j*weights.Count : (j+1)*weights.Count])
			score := shared.score[j*all+a : j*all+b : j*all+b]
			clear(score)
			scorer(score)
		}
		a, v = b, w
	}
	return 0
}

// roomForVariants is how much of the arena the variants of a state may take together before the state is set again, in
// bytes. Until then what the SDK keeps in the State serves the next variant, too. It is a small part of the arena, so
// that each variant has as much memory as a state scored once.
const roomForVariants = 1 << 20

func address(p unsafe.Pointer) uint32 { return uint32(uintptr(p)) }

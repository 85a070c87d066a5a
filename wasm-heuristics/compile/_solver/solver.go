//go:build tinygo

// Package solver lets a student solve instances: the decoder and the named router (Eq. 1-5) around its programs. What
// it computes has the bits of packages student and evaluate. The exports are documented in ../solver.go.
package solver

import (
	"math"
	"unsafe"

	"github.com/epb-nco/epb/guest/arena"
	"github.com/epb-nco/epb/guest/weights"
)

const (
	version     = 1
	maxNodes    = 1024
	maxPrograms = 64
)

// The problems as epb_table numbers them: tours of cities, and routes from a depot.
const (
	tours  = 1
	routes = 2
)

// The results of epb_begin, and of epb_step where it is no node.
const (
	ready    = 0
	done     = -1
	badSize  = -2 // too few nodes, or too many
	badStart = -3 // no such node, or a depot
	badLoad  = -4 // a demand is negative or does not fit into a vehicle
	badPlace = -5 // a coordinate is not finite, or all nodes lie in one place; a distance is not valid
	needsXY  = -6 // distances are not enough for this student
)

// Student is what is particular to one student. A build makes it.
type Student struct {
	Depot   bool        // node 0 is a depot, and all others have demands
	Hard    bool        // the leader alone decides
	Weights [][]float64 // of each program
	Scale   []float32   // [M] 1/τ_h

	Inverse      []float32 // [F] what a feature of a candidate is multiplied by
	Mean, Spread []float32 // [Z]
	Products     []float32 // [1+Z,F+1]
	Bias         []float32 // [1+Z,M]

	Start Start // of a tour that nobody says the start of

	Names string // of the programs, with a line break between two
	Needs string // what needs coordinates, in words; "" if distances are enough

	Instance func(x, y []float32, demand []int32, capacity int32)
	Decide   func(step int, first, current uint16, remaining int32, candidates, waiting []uint16)
	Score    func(m int, score []float32)
	Measure  func(K int, f, z []float32) // f is [K,F], z [Z]
	Row      func(i uint16) []float32    // the State's own distances of a node
}

// Start is a rule for the first node of a tour, as startrule.Form.
type Start struct {
	Kind string
	X, Y float64
}

var of *Student

// Serve registers the student.
func Serve(s *Student) { of = s }

// confidence is student.ConfidenceScale.
const confidence = 3

// shared is what the host writes and reads. It lies where the arena leaves room.
//
//go:extern __heap_base
var shared struct {
	coords     [2 * maxNodes]float64 // x of all nodes, then y of all nodes, stride maxNodes
	demand     [maxNodes]int32
	actions    [2 * maxNodes]uint32
	candidates [maxNodes]uint16 // of the last decision
	waiting    [maxNodes]uint16
	weights    [maxPrograms]float32            // w_m of the last decision
	mixture    [maxNodes]float32               // what decided it
	proposals  [maxPrograms * maxNodes]float32 // V_m of the last decision, [M,K]

	table [16]uint32
}

const _ = arena.Shared - unsafe.Sizeof(shared) // does not compile where the room is too small

// The solution under way.
var (
	n, left            int
	capacity, room     int32
	first, current     uint16
	acted              int
	visited            [maxNodes]bool
	f, z, q, u, scores []float32
	K                  int // candidates of the last decision; 0 where there was none to take
)

// problem returns the number of the problem.
func problem() uint32 {
	if of.Depot {
		return routes
	}
	return tours
}

// leastNodes is the smallest number of nodes of an instance, as routing.Traits has it.
func leastNodes() uint32 {
	if of.Depot {
		return 2
	}
	return 3
}

//go:wasmexport epb_table
func epbTable() uint32 {
	arena.Ready()
	shared.table = [16]uint32{
		version, problem(), maxNodes, uint32(len(of.Scale)),
		address(unsafe.Pointer(&shared.coords)), address(unsafe.Pointer(&shared.demand)),
		address(unsafe.Pointer(&shared.actions)), address(unsafe.Pointer(&shared.candidates)),
		address(unsafe.Pointer(&shared.weights)), address(unsafe.Pointer(&shared.mixture)),
		address(unsafe.Pointer(&shared.proposals)),
	}
	shared.table[11], shared.table[12] = address(unsafe.Pointer(unsafe.StringData(of.Needs))), uint32(len(of.Needs))
	shared.table[13], shared.table[14] = address(unsafe.Pointer(unsafe.StringData(of.Names))), uint32(len(of.Names))
	shared.table[15] = leastNodes()
	return address(unsafe.Pointer(&shared.table))
}

// fit scales the coordinates to the unit square as package instances does, if they are to be scaled. It then hands the
// instance to the State and lets the start rule name a node. It returns false where the places are not valid.
func fit(scale uint32) bool {
	var lo, hi [2]float64
	for axis := range 2 {
		places := shared.coords[axis*maxNodes:][:n]
		lo[axis], hi[axis] = places[0], places[0]
		for _, v := range places {
			if v-v != 0 {
				return false
			}
			lo[axis], hi[axis] = min(lo[axis], v), max(hi[axis], v)
		}
	}
	span := max(hi[0]-lo[0], hi[1]-lo[1])
	if span == 0 {
		return false
	}
	spread := min(lo[0], lo[1]) >= 0 && max(hi[0], hi[1]) <= 1 && span >= 0.25 // over the unit square
	if scale == 0 || spread {
		lo, span = [2]float64{}, 1
	}
	x, y := make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = float32((shared.coords[i]-lo[0])/span), float32((shared.coords[maxNodes+i]-lo[1])/span)
	}
	of.Instance(x, y, shared.demand[:n:n], capacity)
	node = begin(x, y)
	return true
}

var node int // that the start rule names

//go:wasmexport epb_begin
func epbBegin(nodes, load uint32, start int32, scale uint32) int32 {
	status := open(nodes, load, start, scale)
	if status != ready {
		n, left = 0, 0 // no solution is under way
	}
	return status
}

// open begins a solution. After an error what is under way has no meaning.
func open(nodes, load uint32, start int32, scale uint32) int32 {
	n, capacity = int(nodes), int32(load)
	if nodes < leastNodes() || nodes > maxNodes {
		return badSize
	}
	left, acted, K, first, current, room = n, 0, 0, 0, 0, capacity
	clear(visited[:])
	least := int32(0)
	if of.Depot {
		least = 1
		left--
		for _, d := range shared.demand[1:n] {
			if d < 0 || d > capacity {
				return badLoad
			}
		}
		shared.demand[0] = 0
	}
	if start >= int32(n) || start >= 0 && start < least {
		return badStart
	}
	arena.Clear()
	F, Z := len(of.Inverse), len(of.Mean)
	f, z = make([]float32, n*F), make([]float32, 1+Z)
	q, u, scores = make([]float32, F+1), make([]float32, n), make([]float32, n)
	switch {
	case scale == byDistances && of.Needs != "":
		return needsXY
	case scale == byDistances:
		nowhere := make([]float32, n)
		of.Instance(nowhere, nowhere, shared.demand[:n:n], capacity)
		node = 0
	case !fit(scale):
		return badPlace
	}
	arena.Keep()
	if start < 0 && !of.Depot {
		start = int32(node)
	}
	if start >= 0 {
		take(uint16(start))
	}
	return ready
}

// byDistances is the scale of an instance that has distances in place of coordinates.
const byDistances = 2

//go:wasmexport epb_distances
func epbDistances() uint32 { return address(unsafe.Pointer(&of.Row(0)[0])) }

// meanDistance is the mean distance of two points in the unit square. Distances without a square are scaled to it.
const meanDistance = 0.521405433

//go:wasmexport epb_measured
func epbMeasured() int32 {
	sum := 0.0
	for i := range n {
		row := of.Row(uint16(i))
		for j, d := range row {
			if !(d >= 0 && d <= math.MaxFloat32) || d != of.Row(uint16(j))[i] || i == j && d != 0 {
				n, left = 0, 0
				return badPlace
			}
			sum += float64(d)
		}
	}
	if sum == 0 {
		n, left = 0, 0
		return badPlace
	}
	scale := meanDistance * float64(n*(n-1)) / sum
	for i := range n {
		row := of.Row(uint16(i))
		for j, d := range row {
			row[j] = float32(float64(d) * scale)
		}
	}
	return ready
}

// take goes to a node.
func take(to uint16) {
	shared.actions[acted] = uint32(to)
	acted++
	current = to
	if of.Depot && to == 0 {
		room, first = capacity, 0
		return
	}
	if !of.Depot && acted == 1 || of.Depot && first == 0 {
		first = to
	}
	visited[to] = true
	left--
	if of.Depot {
		room -= shared.demand[to]
	}
}

// epbStep takes the next decision. The start of a tour, or a first customer that was given, is no decision: open has
// taken it.
//
//go:wasmexport epb_step
func epbStep() int32 {
	K = 0
	if n == 0 || left == 0 && (!of.Depot || current == 0) {
		return done
	}
	cand, wait := shared.candidates[:0], shared.waiting[:0]
	for j := range n {
		switch {
		case of.Depot && j == 0:
			if current != 0 {
				cand = append(cand, 0)
			}
			continue
		case visited[j]:
			continue
		case !of.Depot || shared.demand[j] <= room:
			cand = append(cand, uint16(j))
		}
		wait = append(wait, uint16(j))
	}
	to := cand[0]
	if len(cand) > 1 {
		K = len(cand)
		to = cand[decide(cand, wait)]
	}
	take(to)
	return int32(to)
}

// decide returns which of the candidates the student takes.
func decide(cand, wait []uint16) int {
	M, F := len(of.Scale), len(of.Inverse)
	set := func() { arena.Reset(); of.Decide(acted, first, current, room, cand, wait) }
	set()
	f, u, score := f[:K*F], u[:K], scores[:K]
	for m := range M {
		if arena.Used() > roomForPrograms {
			set()
		}
		weights.Set(of.Weights[m])
		clear(score)
		of.Score(m, score)
		softmax(proposal(m), score, of.Scale[m])
	}
	of.Measure(K, f, z[1:])
	for at := 0; at < len(f); at += F {
		for j, s := range of.Inverse {
			f[at+j] *= s
		}
	}
	z[0] = 1
	for j, mean := range of.Mean {
		z[1+j] = (z[1+j] - mean) / of.Spread[j]
	}
	affine(q, z, of.Products)
	for k := range u {
		u[k] = dot(q[:F], f[k*F:][:F])
	}
	w := shared.weights[:M]
	affine(w, z, of.Bias)
	for m := range w {
		Vm := proposal(m)
		w[m] += dot(Vm, u) + float32(q[F]*float32(confidence*Vm[argmax(Vm)]))
	}
	softmax(w, w, 1)
	mix := shared.mixture[:K]
	clear(mix)
	if of.Hard {
		copy(mix, proposal(argmax(w)))
	} else {
		for m, share := range w {
			axpy(mix, share, proposal(m))
		}
	}
	return argmax(mix)
}

// roomForPrograms is how much of the arena the programs and what the SDK keeps in the State take together before the
// state is set again, in bytes. The rest is left for one program.
const roomForPrograms = arena.Cap / 2

func proposal(m int) []float32 { return shared.proposals[m*K : (m+1)*K] }

//go:wasmexport epb_candidates
func epbCandidates() uint32 { return uint32(K) }

//go:wasmexport epb_solve
func epbSolve() uint32 {
	for epbStep() >= 0 {
	}
	return uint32(acted)
}

func address(p unsafe.Pointer) uint32 { return uint32(uintptr(p)) }

// Package solver runs an exported solver: a WebAssembly module made by epb export student. It needs nothing else of
// EPB. To use a solver from a Go program, copy this file; its one dependency is github.com/tetratelabs/wazero.
package solver

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Solver is a loaded solver. It is not safe for concurrent use; load one for each goroutine.
type Solver struct {
	Problem              string   // "tsp" or "cvrp"
	LeastNodes, MaxNodes int      // of an instance, a depot counted
	Programs             []string // [M] names

	// Needs says what of the student needs coordinates, such as "the router (by PlaceX)". Where it is empty, an
	// instance may have distances in their place.
	Needs string

	runtime                           wazero.Runtime
	memory                            api.Memory
	coords, demand, actions           uint32 // addresses
	candidates, weights, mix, propose uint32
	begin, step, count, solve         api.Function
	distances, measured               api.Function
	first                             int  // node that Begin took
	took                              bool // whether it took one
	stack                             [4]uint64
}

// Instance is what a solver solves. A CVRP's depot is node 0.
type Instance struct {
	X, Y     []float64 // [N]
	Demand   []int32   // [N] of a CVRP; the depot's is not read. A TSP has none
	Capacity int32     // of a vehicle
	// Unit says that the coordinates lie in the unit square and stay as they are. Otherwise they are brought there by
	// the larger of their ranges, unless they lie in it and fill a quarter of its side or more.
	Unit bool
	// Distances [N,N], symmetric, in any unit, stand in place of X and Y where Solver.Needs is empty.
	Distances []float32
}

// Decision is one step of a solution.
type Decision struct {
	Node int // that was taken

	// Where there was a choice, else empty:
	Candidates []int
	Weights    []float32   // [M] w_m, how far each program was trusted; the largest is the leader's
	Proposals  [][]float32 // [M][K] V_m, what each program would do
	Mixture    []float32   // [K] what decided: its largest value, ties to the first
}

// New loads a solver.
func New(ctx context.Context, wasm []byte) (*Solver, error) {
	s := &Solver{runtime: wazero.NewRuntime(ctx)}
	if err := s.load(ctx, wasm); err != nil {
		s.Close()
		return nil, fmt.Errorf("load solver.wasm: %w", err)
	}
	return s, nil
}

func (s *Solver) load(ctx context.Context, wasm []byte) error {
	m, err := s.runtime.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		return err
	}
	if s.memory = m.ExportedMemory("memory"); s.memory == nil {
		return fmt.Errorf("it has no memory: want a file of epb export student")
	}
	var describe api.Function
	for name, f := range map[string]*api.Function{
		"epb_begin": &s.begin, "epb_step": &s.step, "epb_candidates": &s.count, "epb_solve": &s.solve,
		"epb_distances": &s.distances, "epb_measured": &s.measured, "epb_table": &describe,
	} {
		if *f = m.ExportedFunction(name); *f == nil {
			return fmt.Errorf("there is no %s: want a file of epb export student", name)
		}
	}
	if err := describe.CallWithStack(ctx, s.stack[:]); err != nil {
		return err
	}
	raw, err := s.read(uint32(s.stack[0]), 16*4)
	if err != nil {
		return err
	}
	var t [16]uint32
	for i := range t {
		t[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	if t[0] != 1 {
		return fmt.Errorf("version %d, want 1", t[0])
	}
	var ok bool
	if s.Problem, ok = map[uint32]string{1: "tsp", 2: "cvrp"}[t[1]]; !ok {
		return fmt.Errorf("problem %d, want 1 or 2", t[1])
	}
	s.LeastNodes, s.MaxNodes = int(t[15]), int(t[2])
	s.coords, s.demand, s.actions, s.candidates, s.weights, s.mix, s.propose = t[4], t[5], t[6], t[7], t[8], t[9], t[10]
	needs, err := s.read(t[11], uint64(t[12]))
	if err != nil {
		return err
	}
	names, err := s.read(t[13], uint64(t[14]))
	if err != nil {
		return err
	}
	s.Needs, s.Programs = string(needs), strings.Split(string(names), "\n")
	return nil
}

// read returns n bytes of the module's memory. To write to them is to write there.
func (s *Solver) read(at uint32, n uint64) ([]byte, error) {
	if n <= math.MaxUint32 {
		if raw, ok := s.memory.Read(at, uint32(n)); ok {
			return raw, nil
		}
	}
	return nil, fmt.Errorf("the solver's memory has no %d bytes at %d", n, at)
}

// Close frees the solver.
func (s *Solver) Close() error { return s.runtime.Close(context.Background()) }

// OwnStart lets the student choose where it begins.
const OwnStart = -1

// Begin begins a solution of an instance, from a node or OwnStart.
func (s *Solver) Begin(ctx context.Context, in Instance, start int) error {
	s.took = false
	if err := s.put(ctx, in, start); err != nil {
		return err
	}
	if s.Problem == "cvrp" && start == OwnStart {
		return nil
	}
	raw, err := s.read(s.actions, 4)
	if err != nil {
		return err
	}
	s.first, s.took = int(binary.LittleEndian.Uint32(raw)), true
	return nil
}

// First returns the node that Begin has taken, and Step leaves out: where a tour starts, or a first customer that was
// given. ok is false where there is none: the first customer is the student's own first step, or no solution was begun.
func (s *Solver) First() (node int, ok bool) { return s.first, s.took }

// put hands an instance over and lets the module begin.
func (s *Solver) put(ctx context.Context, in Instance, start int) error {
	if in.Distances != nil {
		return s.putDistances(ctx, in, start)
	}
	n := len(in.X)
	if len(in.Y) != n {
		return fmt.Errorf("%d x and %d y: want as many", n, len(in.Y))
	}
	if n < s.LeastNodes || n > s.MaxNodes {
		return fmt.Errorf("%d nodes: want %d to %d", n, s.LeastNodes, s.MaxNodes)
	}
	if err := s.putDemand(in.Demand, n); err != nil {
		return err
	}
	mem, err := s.read(s.coords, 16*uint64(s.MaxNodes))
	if err != nil {
		return err
	}
	for i := range n {
		binary.LittleEndian.PutUint64(mem[8*i:], math.Float64bits(in.X[i]))
		binary.LittleEndian.PutUint64(mem[8*(s.MaxNodes+i):], math.Float64bits(in.Y[i]))
	}
	scale := uint64(1)
	if in.Unit {
		scale = 0
	}
	return s.call(ctx, n, in.Capacity, start, scale)
}

// putDemand hands over the demands of an instance of n nodes.
func (s *Solver) putDemand(demand []int32, n int) error {
	switch {
	case s.Problem == "tsp" && len(demand) > 0:
		return fmt.Errorf("%d demands: a tsp has none", len(demand))
	case s.Problem == "cvrp" && len(demand) != n:
		return fmt.Errorf("%d demands of %d nodes", len(demand), n)
	}
	mem, err := s.read(s.demand, 4*uint64(len(demand)))
	if err != nil {
		return err
	}
	for i, d := range demand {
		binary.LittleEndian.PutUint32(mem[4*i:], uint32(d))
	}
	return nil
}

// putDistances is put of an instance without coordinates.
func (s *Solver) putDistances(ctx context.Context, in Instance, start int) error {
	if s.Needs != "" {
		return fmt.Errorf("distances are not enough: %s needs coordinates", s.Needs)
	}
	n := int(math.Sqrt(float64(len(in.Distances))))
	if n < s.LeastNodes || n > s.MaxNodes || n*n != len(in.Distances) {
		return fmt.Errorf("%d distances: want N·N of %d to %d nodes", len(in.Distances), s.LeastNodes, s.MaxNodes)
	}
	if err := s.putDemand(in.Demand, n); err != nil {
		return err
	}
	if err := s.call(ctx, n, in.Capacity, start, 2); err != nil {
		return err
	}
	if err := s.distances.CallWithStack(ctx, s.stack[:]); err != nil {
		return err
	}
	mem, err := s.read(uint32(s.stack[0]), 4*uint64(len(in.Distances)))
	if err != nil {
		return err
	}
	for i, d := range in.Distances {
		binary.LittleEndian.PutUint32(mem[4*i:], math.Float32bits(d))
	}
	if err := s.measured.CallWithStack(ctx, s.stack[:]); err != nil {
		return err
	}
	if int32(s.stack[0]) != 0 {
		return fmt.Errorf("distances must be finite, symmetric, not negative, 0 from a node to itself, and not all 0")
	}
	return nil
}

// call begins a solution.
func (s *Solver) call(ctx context.Context, n int, capacity int32, start int, scale uint64) error {
	if s.Problem == "cvrp" && capacity < 1 {
		return fmt.Errorf("capacity %d: want a whole number above 0", capacity)
	}
	if start != OwnStart && (start < 0 || start >= n) {
		return fmt.Errorf("no solution can begin at node %d", start)
	}
	s.stack = [4]uint64{uint64(n), uint64(uint32(capacity)), uint64(uint32(int32(start))), scale}
	if err := s.begin.CallWithStack(ctx, s.stack[:]); err != nil {
		return err
	}
	switch int32(s.stack[0]) {
	case 0:
		return nil
	case -3:
		return fmt.Errorf("no solution can begin at node %d", start)
	case -4:
		return fmt.Errorf("every customer must demand 0 to %d", capacity)
	case -5:
		return fmt.Errorf("coordinates must be finite, and not all in one place")
	}
	return fmt.Errorf("%d nodes: want %d to %d", n, s.LeastNodes, s.MaxNodes)
}

// Solve solves an instance. It returns the nodes of a tour, or customers and 0 for each return to the depot.
func (s *Solver) Solve(ctx context.Context, in Instance, start int) ([]int, error) {
	if err := s.Begin(ctx, in, start); err != nil {
		return nil, err
	}
	if err := s.solve.CallWithStack(ctx, s.stack[:]); err != nil {
		return nil, err
	}
	raw, err := s.read(s.actions, 4*uint64(uint32(s.stack[0])))
	if err != nil {
		return nil, err
	}
	actions := make([]int, len(raw)/4)
	for i := range actions {
		actions[i] = int(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return actions, nil
}

// Step takes the next decision of the solution that Begin began. ok is false when it is complete. The start of a tour,
// or a first customer that was given, is no decision: First returns it.
func (s *Solver) Step(ctx context.Context) (d Decision, ok bool, err error) {
	if err := s.step.CallWithStack(ctx, s.stack[:]); err != nil {
		return d, false, err
	}
	if int32(s.stack[0]) < 0 {
		return d, false, nil
	}
	d.Node = int(int32(s.stack[0]))
	if err := s.count.CallWithStack(ctx, s.stack[:]); err != nil {
		return d, false, err
	}
	K := uint32(s.stack[0])
	if K == 0 {
		return d, true, nil
	}
	if d, err = s.decision(d.Node, uint64(K)); err != nil {
		return Decision{}, false, err
	}
	return d, true, nil
}

// decision reads what the last step decided on: K candidates.
func (s *Solver) decision(node int, K uint64) (Decision, error) {
	d, M := Decision{Node: node}, uint64(len(s.Programs))
	raw, err := s.read(s.candidates, 2*K)
	if err != nil {
		return d, err
	}
	for k := range K {
		d.Candidates = append(d.Candidates, int(binary.LittleEndian.Uint16(raw[2*k:])))
	}
	if d.Weights, err = s.floats(s.weights, M); err != nil {
		return d, err
	}
	if d.Mixture, err = s.floats(s.mix, K); err != nil {
		return d, err
	}
	all, err := s.floats(s.propose, M*K)
	if err != nil {
		return d, err
	}
	for m := range M {
		d.Proposals = append(d.Proposals, all[m*K:(m+1)*K:(m+1)*K])
	}
	return d, nil
}

func (s *Solver) floats(at uint32, n uint64) ([]float32, error) {
	raw, err := s.read(at, 4*n)
	if err != nil {
		return nil, err
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out, nil
}

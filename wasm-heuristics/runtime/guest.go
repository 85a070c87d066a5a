package runtime

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wasmerio/wasmer-go/wasmer"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Limits on the work of one state with K candidates: budget + perPair·K² units of fuel. In a metered module, each unit
// allows pointsPerFuel branches on average.
const (
	budget        = 1 << 20
	perPair       = 64
	pointsPerFuel = 64
)

// Guest is one running instance of a module. It is not safe for concurrent use; Close it after use.
type Guest struct {
	module      *Module
	instance    *wasmer.Instance
	memory      *wasmer.Memory
	setInstance wasmer.NativeFunction
	score       wasmer.NativeFunction
	layout      layout

	watch  watch
	locked [2]uint32 // begin and end of the instance's bytes, which the guest may only read; equal if there are none
	n      int
	spent  bool // the guest has trapped and cannot be used again
}

// layout is the guest's table: its limits and the addresses of its buffers.
type layout struct {
	kind                               kind
	maxNodes, maxStates, maxCandidates uint32
	coords, demand                     uint32
	heads, candidates, waiting, scores uint32
	reason, state                      uint32
	weightCount, weights               uint32
	maxVariants, maxScores             uint32
}

const (
	abiVersion = 3
	headWords  = 6
)

// kind is what a program decides.
type kind struct {
	problem  routing.Problem
	viaDepot bool // candidates from N on are customers by way of the depot
}

// kindOf returns the kind that has this number in the ABI, or the zero kind.
func kindOf(number uint32) kind {
	for _, p := range sdk.Packages {
		if p.Kind == number {
			return kind{p.Problem, p.ViaDepot}
		}
	}
	return kind{}
}

func (k kind) String() string {
	if k.viaDepot {
		return string(k.problem) + " by way of the depot"
	}
	return string(k.problem)
}

// NewGuest starts a guest. A module that was checked starts unless the machine has no room for its memory, so that an
// error about that is none of the program's.
func (m *Module) NewGuest() (*Guest, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	instance, err := wasmer.NewInstance(m.module, wasmer.NewImportObject())
	if err != nil {
		return nil, fmt.Errorf("instantiate %s: %w", cmp.Or(m.name, "a program"), err)
	}
	g := &Guest{module: m, instance: instance, watch: watch{every: look, grace: grace}}
	if err := g.open(); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// open finds the exports, runs the guest's initialisation and checks its table.
func (g *Guest) open() error {
	var err error
	if g.memory, err = g.instance.Exports.GetMemory("memory"); err != nil {
		return g.crash(ABI, -1, "no exported memory")
	}
	function := func(name string) wasmer.NativeFunction {
		f, ferr := g.instance.Exports.GetFunction(name)
		if ferr != nil && err == nil {
			err = g.crash(ABI, -1, "no exported function %s", name)
		}
		return f
	}
	initialize, table := function("_initialize"), function("epb_table")
	g.setInstance, g.score = function("epb_instance"), function("epb_score")
	if err != nil {
		return err
	}
	g.setPoints(budget)
	if _, err := initialize(); err != nil {
		return g.crash(ABI, -1, "_initialize: %v", err)
	}
	at, err := table()
	if err != nil {
		return g.crash(ABI, -1, "epb_table: %v", err)
	}
	return g.readTable(at)
}

// setPoints sets how many branches the next call may take.
func (g *Guest) setPoints(points uint64) {
	if g.module.metered {
		g.instance.SetRemainingPoints(points)
	}
}

// readTable reads the table and checks that every buffer is aligned and inside the guest's memory.
func (g *Guest) readTable(result any) error {
	const entries = 17
	mem := g.memory.Data()
	at, ok := result.(int32)
	if !ok || !inside(mem, uint32(at), 4, entries) {
		return g.crash(ABI, -1, "epb_table returned %v", result)
	}
	t := view[uint32](mem, uint32(at), entries)
	if t[0] != abiVersion {
		return g.crash(ABI, -1, "ABI version %d, want %d: compile the program again", t[0], abiVersion)
	}
	l := layout{kindOf(t[1]), t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11], t[12], t[13], t[14], t[15],
		t[16]}
	nodes, candidates, variants := uint64(l.maxNodes), uint64(l.maxCandidates), uint64(l.maxVariants)
	if l.kind.problem == "" || l.maxNodes < routing.MaxNodes || l.maxNodes > 1<<16 ||
		l.maxStates < 1 || candidates < 2*nodes || // as many as a state by way of the depot has
		!inside(mem, l.coords, 4, 2*nodes) || !inside(mem, l.demand, 4, nodes) ||
		!inside(mem, l.heads, 4, headWords*uint64(l.maxStates)) || !inside(mem, l.candidates, 2, candidates) ||
		!inside(mem, l.waiting, 2, candidates) || !inside(mem, l.scores, 4, uint64(l.maxScores)) ||
		l.weightCount > heuristic.MaxWeights || variants < uint64(l.weightCount)+1 || variants > 1<<16 ||
		!inside(mem, l.weights, 8, variants*uint64(l.weightCount)) || uint64(l.maxScores) < 2*variants*nodes ||
		!inside(mem, l.reason, 4, 1) || !inside(mem, l.state, 4, 1) {
		return g.crash(ABI, -1, "the guest's table %v does not fit its memory of %d bytes", t, len(mem))
	}
	g.layout = l
	return nil
}

// SetInstance gives the guest an instance of its program's problem. Score then takes states of this instance.
func (g *Guest) SetInstance(inst *routing.Instance) error {
	n := inst.N()
	if inst.Problem != g.layout.kind.problem {
		return fmt.Errorf("heuristic %s is written for %s, the instance is one of %s",
			g.module.name, g.layout.kind, inst.Problem)
	}
	if n < 1 || n > int(g.layout.maxNodes) {
		return fmt.Errorf("heuristic %s: instance of %d nodes, want 1 to %d", g.module.name, n, g.layout.maxNodes)
	}
	if g.spent {
		return g.crash(ABI, -1, "the guest trapped before and is spent")
	}
	if err := g.unlock(); err != nil {
		return err
	}
	mem := g.memory.Data()
	l := g.layout
	x, y := view[float32](mem, l.coords, n), view[float32](mem, l.coords+4*l.maxNodes, n)
	for i := range n {
		x[i], y[i] = inst.XY(i)
	}
	copy(view[int32](mem, l.demand, n), inst.Demand)
	g.n = 0
	g.setPoints(pointsPerFuel * (budget + perPair*uint64(n)*uint64(n)))
	result, err := g.setInstance(int32(n), inst.Capacity)
	if err != nil {
		return g.trapped(err, -1)
	}
	at, ok := result.(int32)
	if !ok || !inside(g.memory.Data(), uint32(at), 4, uint64(n)*uint64(n)) {
		return g.crash(ABI, -1, "epb_instance returned %v for %d nodes", result, n)
	}
	return g.lock(uint32(at), x, y)
}

// lock makes the bytes of the instance that programs see read-only: the distance matrix, and x and y, which must lie
// right before it. The SDK leaves a margin on both sides, so nothing else lies on the same pages.
func (g *Guest) lock(distAt uint32, x, y []float32) error {
	mem, n := g.memory.Data(), len(x)
	size := 4 * uint32(n)
	if distAt < 2*size || !slices.Equal(view[float32](mem, distAt-2*size, n), x) ||
		!slices.Equal(view[float32](mem, distAt-size, n), y) {
		return g.crash(ABI, -1, "the coordinates are not where the SDK puts them: compile the program again")
	}
	locked := [2]uint32{distAt - 2*size, distAt + uint32(n)*size}
	if err := readOnly(mem, locked[0], locked[1], false); err != nil {
		return fmt.Errorf("heuristic %s: keep the instance from being written to: %w", g.module.name, err)
	}
	g.n, g.locked = n, locked
	return nil
}

// unlock lets the guest write to the instance again.
func (g *Guest) unlock() error {
	if g.locked[0] == g.locked[1] {
		return nil
	}
	if err := readOnly(g.memory.Data(), g.locked[0], g.locked[1], true); err != nil {
		return fmt.Errorf("heuristic %s: give the guest its instance back: %w", g.module.name, err)
	}
	g.locked = [2]uint32{}
	return nil
}

// stateFrom returns the state that the guest scores or scored last: base and the index in the guest's memory.
func (g *Guest) stateFrom(base int) int {
	return base + int(view[uint32](g.memory.Data(), g.layout.state, 1)[0])
}

// trapped returns the crash of a guest that trapped. base is stateFrom's, and -1 means that the guest was in no state.
func (g *Guest) trapped(err error, base int) *Crash {
	g.spent = true
	state := -1
	if base >= 0 {
		state = g.stateFrom(base)
	}
	reason, line := compile.Reason(view[uint32](g.memory.Data(), g.layout.reason, 1)[0])
	switch {
	case reason == 1 || g.module.metered && g.instance.MeteringPointsExhausted():
		return g.crash(Fuel, state, "more work than a state may cost: "+
			"bound every loop by the number of candidates, and do O(K²) work at most")
	case reason == 2:
		return g.crash(Memory, state, "more memory than a state may take: allocate once, not in a loop")
	}
	crash := g.crash(Trap, state, "the program crashed (index out of range, nil, division by zero, panic, or calls "+
		"too deep)")
	if why := err.Error(); why != "unreachable" { // that says nothing more
		crash.Msg += ": " + why
	}
	crash.Line = line
	return crash
}

func (g *Guest) crash(kind Kind, state int, format string, args ...any) *Crash {
	return &Crash{Heuristic: g.module.name, Kind: kind, State: state, Msg: fmt.Sprintf(format, args...)}
}

// Close ends the guest.
func (g *Guest) Close() { g.instance.Close() }

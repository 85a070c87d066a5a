package runtime

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/wasmerio/wasmer-go/wasmer"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// maxPages is the largest allowed memory of a module, in pages of 64 KiB: 16 MiB.
const maxPages = 256

// maxWasm is the largest module Load accepts, in bytes.
const maxWasm = 1 << 20

// branches are the instructions that wasmer counts in a metered module: one point each, so every loop costs something.
var branches = map[wasmer.Opcode]uint32{wasmer.Br: 1, wasmer.BrIf: 1, wasmer.BrTable: 1}

// Module is a compiled heuristic with values for its weights. It is safe for concurrent use; Close it when no guest of
// it is left.
type Module struct {
	*code
	name    string
	weights []float64 // [W] as the guest gets them
	borrows bool      // the code is another module's to free
}

// code is the machine code of a module, which serves any values of its weights.
type code struct {
	wasm    []byte
	metered bool
	kind    kind
	count   int // W, the number of weights
	engine  *wasmer.Engine
	store   *wasmer.Store
	module  *wasmer.Module
	mu      sync.Mutex // guards instantiation
}

// Load checks that a WebAssembly module follows the ABI, in a metered guest, and compiles it to machine code. The
// module must have no import, one bounded memory, the exports, and a table with addresses in its memory. A module
// that exports compile.MeteredExport runs metered. The program runs with the given weights, in the order of its
// source; there must be as many as it has. The error is a *heuristic.Error of stage load.
func Load(name string, wasm []byte, weights []float32) (*Module, error) {
	m, err := load(name, wasm, true) // so that what runs when a guest starts is bounded, whoever wrote it
	if err == nil && !m.unbounded() {
		m.Close()
		m, err = load(name, wasm, false)
	}
	if err != nil {
		return nil, err
	}
	if m.weights, err = m.doubles(weights); err != nil {
		m.Close()
		return nil, loadError(err)
	}
	return m, nil
}

// With returns the module with other weights, [W] in the order of the program's source. Both share the machine code,
// which is freed when the module that Load returned is closed.
func (m *Module) With(weights []float32) (*Module, error) {
	values, err := m.doubles(weights)
	if err != nil {
		return nil, fmt.Errorf("heuristic %s: %w", m.name, err)
	}
	return &Module{code: m.code, name: m.name, weights: values, borrows: true}, nil
}

// doubles returns weights as the guest gets them. The guest reads a weight as float32 or as float64. In both types it
// is to be the number in the source, so the float64 is the decimal number with the fewest digits that is the float32.
func (m *Module) doubles(weights []float32) ([]float64, error) {
	if len(weights) != m.count {
		return nil, fmt.Errorf("the program has %d weights, %d values are given", m.count, len(weights))
	}
	values := make([]float64, len(weights))
	for i, w := range weights {
		if w-w != 0 {
			return nil, fmt.Errorf("weight %d of %d is %v: give a finite number", i, len(weights), w)
		}
		v, err := strconv.ParseFloat(strconv.FormatFloat(float64(w), 'g', -1, 32), 64)
		if err != nil || float32(v) != w {
			v = float64(w)
		}
		values[i] = v
	}
	return values, nil
}

// unbounded reports whether fuel does not bound the module's work.
func (m *Module) unbounded() bool {
	metered := func(e *wasmer.ExportType) bool { return e.Name() == compile.MeteredExport }
	return slices.ContainsFunc(m.module.Exports(), metered)
}

// load is Load with or without wasmer's metering. Metering counts every branch, also in libraries, but doubles the time
// of a state. So it is used in the smoke test, and for programs whose work fuel does not bound.
func load(name string, wasm []byte, metered bool) (*Module, error) {
	if len(wasm) > maxWasm {
		return nil, loadError(fmt.Errorf("the module has %d bytes, the limit is %d", len(wasm), maxWasm))
	}
	// Wasmer also accepts modules as text; EPB accepts only binary ones.
	if len(wasm) < 8 || string(wasm[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, loadError(fmt.Errorf("these %d bytes are no WebAssembly module", len(wasm)))
	}
	config := wasmer.NewConfig().UseCraneliftCompiler()
	if metered {
		// This configuration and engine must serve only this module; otherwise wasmer aborts the process.
		config.PushMeteringMiddleware(0, branches)
	}
	engine := wasmer.NewEngineWithConfig(config)
	store := wasmer.NewStore(engine)
	module, err := wasmer.NewModule(store, wasm)
	if err != nil {
		store.Close()
		return nil, loadError(err)
	}
	m := &Module{name: name, code: &code{wasm: wasm, metered: metered, engine: engine, store: store, module: module}}
	if err := m.check(); err != nil {
		m.Close()
		return nil, loadError(err)
	}
	return m, nil
}

func loadError(err error) error {
	return &heuristic.Error{Stage: heuristic.StageLoad, Msg: err.Error(), Err: err}
}

// check checks imports and memory before any code of the module runs. Then it checks the table of a first instance.
func (m *Module) check() error {
	if imports := m.module.Imports(); len(imports) > 0 {
		return fmt.Errorf("the module imports %s.%s: a heuristic imports nothing from its host",
			imports[0].Module(), imports[0].Name())
	}
	memories := 0
	for _, e := range m.module.Exports() {
		if e.Type().Kind() != wasmer.MEMORY {
			continue
		}
		memories++
		limits := e.Type().IntoMemoryType().Limits()
		if limits.Minimum() > maxPages || limits.Maximum() > maxPages {
			return fmt.Errorf("the module's memory of %d to %d pages is over the limit of %d",
				limits.Minimum(), limits.Maximum(), maxPages)
		}
	}
	if memories != 1 {
		return fmt.Errorf("the module exports %d memories, want 1", memories)
	}
	g, err := m.NewGuest()
	if err != nil {
		return err
	}
	m.kind, m.count = g.layout.kind, int(g.layout.weightCount)
	g.Close()
	return nil
}

// Close frees the module, unless it shares its code. Close its guests first, and those of modules that share its code.
func (m *Module) Close() {
	if m.borrows {
		return
	}
	m.module.Close()
	m.store.Close()
	runtime.KeepAlive(m.engine)
}

package runtime

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/wasmerio/wasmer-go/wasmer"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// maxPages is the largest allowed memory of a module, in pages of 64 KiB: 16 MiB.
const maxPages = 256

// maxWasm is the largest module Load accepts, in bytes.
const maxWasm = 1 << 20

// branches are the instructions that wasmer counts in a metered module: one point each, so every loop costs something.
var branches = map[wasmer.Opcode]uint32{wasmer.Br: 1, wasmer.BrIf: 1, wasmer.BrTable: 1}

// Module is a compiled heuristic. It is safe for concurrent use; Close it when no guest of it is left.
type Module struct {
	name    string
	wasm    []byte
	metered bool
	kind    kind
	engine  *wasmer.Engine
	store   *wasmer.Store
	module  *wasmer.Module
	mu      sync.Mutex // guards instantiation
}

// Load checks that a WebAssembly module follows the ABI, and compiles it to machine code. The module must have no
// import, one bounded memory, the exports, and a table with addresses in its memory. A module that exports
// compile.MeteredExport runs metered. The error is a *compile.Error of stage load.
func Load(name string, wasm []byte) (*Module, error) {
	m, err := load(name, wasm, false)
	if err != nil || !m.unbounded() {
		return m, err
	}
	m.Close()
	return load(name, wasm, true)
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
	m := &Module{name: name, wasm: wasm, metered: metered, engine: engine, store: store, module: module}
	if err := m.check(); err != nil {
		m.Close()
		return nil, loadError(err)
	}
	return m, nil
}

func loadError(err error) error {
	return &compile.Error{Stage: compile.StageLoad, Msg: err.Error(), Err: err}
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
	g, err := m.NewInstance()
	if err != nil {
		return err
	}
	m.kind = g.layout.kind
	g.Close()
	return nil
}

// Close frees the module. Close its guests first.
func (m *Module) Close() {
	m.module.Close()
	m.store.Close()
	runtime.KeepAlive(m.engine)
}

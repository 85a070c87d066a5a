// Package compile turns the source of a heuristic into WebAssembly: check, add fuel, build with TinyGo.
//
// Check reads the source, with the SDK and the signatures of the libraries (_library/). It refuses everything that is
// not a pure function of the state. It decides by types, not by spelling, and needs neither Go nor TinyGo.
//
// Build writes a workspace: the program, the SDK and the guest glue (_guest/, filled in by the guest.tmpl of the SDK
// package). It adds calls that take fuel to loops and functions (fuel.go), and TinyGo compiles the result. Neither
// Check nor Build moves a line, so every error names a line of the source as it was given.
//
// A program may import one SDK package and the libraries listed in check.go, and call what these declare. refuse.go
// lists the constructs that are refused by their form, meaning.go those that are refused by their types, and limits.go
// the largest sizes. A running program is limited by the fuel that fuel.go adds, with the amounts of runtime/guest.go.
// If fuel is not enough, metering and a watch end it; see package runtime.
//
// # ABI, version 2
//
// A module imports nothing and owns one memory with a fixed size. Besides its memory and _initialize, it exports:
//
//	epb_table() u32                         address of a table of u32, see below
//	epb_instance(n, capacity u32) u32       builds the instance; address of its distances [n,n] float32, 0: refused
//	epb_score(t u32, budget, pair i64) u32  scores t states, each with budget + pair·max(K,W)² units of fuel; 0: done
//	epb_metered()                           only where fuel does not bound the work: the host must meter the module
//
// The table holds version, kind, max nodes, max states and max candidates, then the addresses of the buffers coords,
// demands, heads, candidates, waiting, scores, reason and state.
//
// Before epb_instance, the host writes:
//
//   - coords, float32: x of all nodes, then y of all nodes, stride max nodes
//   - demands, int32, of a CVRP
//
// Before epb_score, it writes the following for all states in a row. All but heads are ragged:
//
//   - heads, [t] of six u32: first, current, step, K, remaining capacity, W
//   - candidates, uint16
//   - waiting, uint16: the customers of a CVRP that are not served yet
//
// Afterwards it reads scores, float32, ragged like the candidates. In a TSP, capacity, remaining capacity and W are 0.
//
// The kind is what the program decides: 1 TSP, 2 CVRP with the depot among the candidates, 3 CVRP with candidates N+c
// for customer c by way of the depot. The host passes the same data to programs that see the whole instance and to
// those that see a subgraph: the guest chooses what to show.
//
// All memory belongs to the guest. The host checks every address of the table once. After a trap the instance must not
// be used again. Then reason (1 fuel, 2 memory, 0 a fault of the program) says why it trapped, and state (index of the
// state being scored) says where.
//
// Package runtime runs modules; internal/bank keeps programs.
package compile

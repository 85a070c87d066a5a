// Package compile turns the source of a heuristic into WebAssembly: check, add fuel, build with TinyGo.
//
// Build reads the source with package heuristic, which refuses everything that is not a pure function of the state. It
// writes a workspace: the program, the SDK and the guest glue (_guest/, filled in by the guest.tmpl of the SDK
// package). It adds calls that take fuel to loops and functions (fuel.go), and TinyGo compiles the result. Where
// Build moves lines, it maps those of errors back, so every error names a line of the source as it was given.
//
// A running program is limited by the fuel that fuel.go adds, with the amounts of runtime/guest.go. If fuel is not
// enough, metering and a watch end it; see package runtime.
//
// # Weights
//
// In the workspace each use of a weight reads a block that the host writes; it has the type that Go gave the use,
// float32 or float64. The text that is compiled is heuristic.Checked.Structure, so that programs which differ in the
// values of weights and in comments alone are one module.
//
// The values that a program runs with are those of its source as float32. A use as float64 reads the number with the
// fewest digits that is this float32, so that 0.1 is 0.1 in both types. A constant expression with a weight in it, such
// as 1-lead, is computed at run time in its type; Go itself would compute it exactly and round once.
//
// # Students
//
// BuildStudent compiles the programs of a student with named features and their router (see heuristic.CheckRouter) to
// one module with the same ABI. Each is a package of the workspace, with fuel; a few lines of ours mix them.
//
// # ABI, version 3
//
// A module imports nothing and owns one memory with a fixed size. Besides its memory and _initialize, it exports:
//
//	epb_table() u32                         address of a table of u32, see below
//	epb_instance(n, capacity u32) u32       builds the instance; address of its distances [n,n] float32, 0: refused
//	epb_score(t, v u32, budget, pair i64) u32
//	                                        scores t states with v variants of the weights, each with
//	                                        budget + pair·max(K,W)² units of fuel; 0: done
//	epb_metered()                           only where fuel does not bound the work: the host must meter the module
//
// The table holds version, kind, max nodes, max states and max candidates, then the addresses of the buffers coords,
// demands, heads, candidates, waiting, scores, reason and state, then the number of weights, the address of the buffer
// weights, max variants and max scores.
//
// Before epb_instance, the host writes:
//
//   - coords, float32: x of all nodes, then y of all nodes, stride max nodes
//   - demands, int32, of a CVRP
//
// Before epb_score, it writes the following for all states in a row. All but heads and weights are ragged:
//
//   - heads, [t] of six u32: first, current, step, K, remaining capacity, W
//   - candidates, uint16
//   - waiting, uint16: the customers of a CVRP that are not served yet
//   - weights, [v, number of weights] float64
//
// Afterwards it reads scores, float32 [v, candidates of all states]. There is room for max scores; more variants or
// candidates go into another call. In a TSP, capacity, remaining capacity and W are 0.
//
// The guest sets its State to a decision once and scores all variants of it, so that what the SDK keeps in the State
// is computed once. What a variant allocates stays while there is room for it, else the State is set again. Nothing is
// carried from one decision to the next.
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

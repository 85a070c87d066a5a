// Package compile turns the source of a heuristic into WebAssembly: check, add fuel, build with TinyGo.
//
// Check reads the source, with the SDK and the signatures of the libraries (_library/), and refuses whatever could reach outside of a
// pure function of the state. It goes by what a name stands for, however it is spelt, and needs neither Go nor TinyGo. Build writes a
// workspace of the program, the SDK and the guest glue (_guest/), with fuel taken in loops and function calls (fuel.go), and has
// TinyGo compile it. Neither changes a line number, so every error names a line of the source as it was given.
//
// # ABI, version 2
//
// A module imports nothing, owns one memory whose size never changes, and exports besides its memory and _initialize:
//
//	epb_table() u32                         address of a table of u32: version, kind, max nodes, max states, max candidates,
//	                                        addresses of coords, demands, heads, candidates, waiting, scores, reason, state
//	epb_instance(n, capacity u32) u32       builds the instance; address of its distance matrix [n,n] float32, 0: refused
//	epb_score(t u32, budget, pair i64) u32  scores t states, each with budget + pair·max(K,W)² units of fuel; 0: done
//	epb_metered()                           only where fuel does not bound the work: the host must meter the module itself
//
// The host writes coords (x of all nodes, then y of all nodes, stride max nodes, float32) and for CVRP demands (int32) before
// epb_instance, and before epb_score heads ([t] of first, current, step, K, remaining capacity, W as u32), candidates and for CVRP the
// customers still waiting (both ragged, all states in a row, uint16). Afterwards it reads scores (ragged as the candidates,
// float32). A TSP's capacity, remaining capacity and W are 0. The kind says what the program decides: 1 TSP, 2 CVRP with the depot
// among the candidates, 3 CVRP with candidates N+c for customer c by way of the depot. Whether it sees the whole instance or a subgraph
// is the guest's business: the host tells both the same.
//
// All memory is the guest's; the host checks every address of the table once. After a trap the instance is spent: reason (1 fuel,
// 2 memory, 0 the program's own) and state (index of the state being scored) say why and where.
//
// # Not its concern
//
// Running a module (package runtime), and what a bank holds (internal/bank).
package compile

// Package runtime runs compiled heuristics (Eq. 2's c_m) under wasmer. It bounds their work and memory, and keeps them
// in a sandbox.
//
// A Module is compiled once and serves any number of Guests, one goroutine each. A guest gets an instance once and
// then scores batches of its states; ../compile describes the ABI. Scores are ragged, aligned with the candidates,
// and always within MaxScore.
//
// A program that fails gives a *Crash, an error that names heuristic, kind and state. A guest that trapped cannot be
// used again. Admit builds a program that traps once more, so that it notes its lines, and names the one that trapped.
// Three limits end a program that does not end by itself:
//
//   - Fuel, which compile put into the program, always.
//   - Wasmer's own metering of branches, in the smoke test and where fuel does not bound a program's work. Both count
//     work, not time, so the result is the same on any machine.
//   - A watch, for programs that found a way around the first two. It ends a guest whose state takes longer than its
//     fuel could last on a machine ten times slower, and a guest whose context is done. It takes the guest's memory
//     away, so that the next load or store traps, within about a second. Code that touches no memory, such as a long
//     formula in a loop, ends with its fuel. A crash of kind Time is final, although a clock decides it: a program that
//     outran its fuel once may do so again.
//
// What programs see of an instance lies on pages of memory that they can only read, so no program can leave a message
// for a later state there. A program that writes to the lists of candidates or waiting nodes crashes when its batch of
// states ends, and none of the batch's scores counts. Each state has a list of its own. Other slices that a State
// shows, such as demands and all of a subgraph, are copies: they are put back before each variant of the weights.
//
// The host reads the memory in place, so it must be little-endian, as WebAssembly is.
package runtime

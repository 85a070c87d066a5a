// Package runtime runs compiled heuristics (Eq. 2's c_m) under wasmer, bounded in work and memory and with no way out of the sandbox.
//
// A Module is compiled once and serves any number of Guests, one goroutine each. A guest gets an instance once and then scores
// batches of its states; ../compile describes the ABI. Scores are ragged, aligned with the candidates, and always finite.
//
// A program that goes wrong is no accident of the host: the error is a *Fault that names heuristic, kind and state, and the guest that
// trapped is spent. Two bounds hold: the units of fuel that compile put into the program, always, and wasmer's own metering of
// branches in the smoke test and wherever fuel does not bound a program's work. Both count work, not time, so a verdict repeats on any machine.
//
// A program that writes to the instance, or to the lists it chooses from, is found out when its batch of states ends, and nothing it scored
// there counts. What a later state of the batch has put back by then is not noticed; batches depend on the states alone, so that the
// scores still repeat.
//
// Memory is read in place, so the host must be little-endian, as WebAssembly is.
package runtime

// Package runtime runs compiled heuristics (Eq. 2's c_m) under wasmer, bounded in work and memory and with no way out of the sandbox.
//
// A Module is compiled once and serves any number of Guests, one goroutine each. A guest gets an instance once and then scores
// batches of its states; ../compile describes the ABI. Scores are ragged, aligned with the candidates, and always within MaxScore.
//
// A program that goes wrong is no accident of the host: the error is a *Crash that names heuristic, kind and state, and the guest that
// trapped is spent. Two bounds hold: the units of fuel that compile put into the program, always, and wasmer's own metering of
// branches in the smoke test and wherever fuel does not bound a program's work. Both count work, not time, so a verdict repeats on any machine.
//
// A third bound is the last resort, for programs that found a way around the first two: a watch ends a guest whose state takes longer
// than its fuel could last on a machine ten times slower, and one whose context is done. It takes the guest's memory away, so that
// the next load or store traps, within a second or so. Code that touches no memory, such as a long formula in a loop, ends with its
// fuel. A crash of kind Time is final, although it is told by a clock: what outran its fuel once is no program to be trusted again.
//
// What programs see of an instance lies on pages of memory that they can only read, so none can leave a message for a later state
// there. One that writes to the lists it chooses from is found out when its batch of states ends, and nothing it scored there counts; each
// state has a list of its own.
//
// Memory is read in place, so the host must be little-endian, as WebAssembly is.
package runtime

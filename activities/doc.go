// Package activities is the only place where computing packages meet the object store, the LLM and Temporal: each
// activity fetches objects, calls a pure function, puts the result and returns references with a few numbers.
//
// Every activity is a function of its input: run again after a crash, on any worker, it yields the same bytes. What
// it finds already in the store it does not compute again: rollouts, compiled programs, scores, LLM answers. A
// heuristic that does not compile, traps or overruns is a result; lost infrastructure is an error, which Temporal
// retries.
package activities

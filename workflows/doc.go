// Package workflows says what happens in a distillation, in which order, and what survives a crash: Distill is Alg. 1,
// TextGradRound one textual step of Block I, Add is Alg. 2, Rollout fans out over shards. Alg. 3 (Drop) works on cached scores
// and is one activity.
//
// Workflows decide; activities compute. Payloads are references into the object store, never data. Workflow code reads no
// clock, no environment and no map in iteration order, and replays every recorded history in testdata.
package workflows

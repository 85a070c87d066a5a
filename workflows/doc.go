// Package workflows says what happens in a distillation, in which order, and what survives a crash. Distill is Alg. 1,
// TextGradRound one textual step of Block I, and Add is Alg. 2. Rollout makes shards in parallel. Alg. 3 (Drop) works
// on cached scores and is one activity.
//
// Workflows decide and activities compute. What they exchange is references into the object store, never data.
// Workflow code reads no clock, no environment and no map in iteration order, and replays every recorded history in
// testdata.
//
// The files wire_*.go hold the handle of each activity beside what it takes and returns, by algorithm. A handle
// (Activity) is the only way to run an activity and to register one. The JSON of these types is recorded in
// testdata/wire.txt.
package workflows

// Package artifact stores and loads typed objects by their references: shards, banks, heuristics, teachers, students,
// programs and their scores.
//
// Objects that are read often stay in memory, decoded, up to a limit. The store keeps results for reuse: scores by
// program and shard, recorded shards by the task that they were recorded for. If a lost object can be made again, the
// package makes it again and stores it at its old key. Otherwise the error names the lost object, and the caller waits
// until it is back.
//
// The package does not depend on Temporal or the workflows: it takes references and returns values.
package artifact

// Package artifact is the object store with types: shards, banks, heuristics, teachers, students, programs and their
// scores go in and come out as what they are, by their references.
//
// What is read often stays in memory, decoded, within a limit. What can be found again is not made again: scores by
// program and shard, recorded shards by the task they were recorded for. What is lost and can be made again is made
// again and put in its place; the rest is named in the error, and whoever needs it waits for it.
//
// The package knows neither Temporal nor the workflows: it is given references and returns values.
package artifact

// Package dialogue asks the language models on behalf of one step of a run. It asks one question after another within a
// budget. If a reply cannot be read, or its program fails the checks, it asks again and shows the error. It files every
// reply in the run's journal.
//
// Answers are stored under their requests. When a step is tried again, the earlier questions therefore cost nothing,
// and only the one without an answer is asked.
package dialogue

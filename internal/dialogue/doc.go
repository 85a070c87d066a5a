// Package dialogue asks the language models on behalf of one step of a run: one question after another, within a
// budget, and again with what was wrong until a reply can be read or a program passes the checks. Every reply is filed
// in the run's journal, whatever it was good for.
//
// Answers are kept by their requests. A step that is tried again therefore goes through the same questions at no cost
// until it reaches the one that was not answered.
package dialogue

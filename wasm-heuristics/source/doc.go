// Package source reads Go files with their types: a program, the packages of the SDK, and the signatures of the
// libraries that a program may import (_library/). It tells who declares a name, what a call calls and what a statement
// sets, and it edits texts.
//
// It refuses nothing but what it cannot read; package heuristic says what a program may be.
package source

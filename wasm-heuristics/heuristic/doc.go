// Package heuristic reads the source of a heuristic and refuses everything that is not a pure function of the state.
//
// Check reads the source, with the SDK and the signatures of the libraries. It decides by types, not by spelling, and
// needs neither Go nor TinyGo. Every refusal is an Error that names the line and the remedy.
//
// A program may import one SDK package and the libraries of package source, and call what these declare. refuse.go
// lists the constructs that are refused by their form, meaning.go those that are refused by their types, and limits.go
// the largest sizes.
//
// # Weights
//
// A constant with a name and a floating-point value is a weight (see Weight): its value may change without compiling.
// Objects decide what a use is, not names. The text that is compiled, Checked.Structure, has neither values of weights
// nor comments, so that programs which differ in these alone are one module (see package compile). Package rewrite
// writes values into a source and takes terms out of it.
//
// # Routers
//
// The router of a student with named features is a source of its own: CheckRouter holds it to the same rules, but its
// function is Weights, which says how far each program is trusted.
package heuristic

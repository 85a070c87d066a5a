// Package player writes explanations as pages on which a reader steps through a solution: who led each step, with what
// probabilities, and why. A page needs no network. Without scripts it is a figure and a table of all steps.
//
// A page may hold the student as a WebAssembly module (package export). It then solves nodes that the reader drops,
// writes or draws, and steps through these solutions too. The parts of the script: instance.js reads files as package
// instances does, solve.js explains what the module does as package explain does, own.js is where the reader gives
// nodes, player.js shows steps. Tests compare instance.js and solve.js with the packages, by means of node.
package player

// Package player writes explanations as pages on which a reader steps through a solution: who led each step, with what
// probabilities, and why. A page needs no network. Without scripts it is a figure and a table of all steps.
package player

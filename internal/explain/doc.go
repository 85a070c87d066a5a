// Package explain says why a student constructed a solution: step by step what every program proposed, whom the router
// trusted and why, and what a teacher would have done instead.
//
// Explainer makes an Explanation of one instance. It is data for the table of epb explain, the player and --json.
// Nothing in it depends on a teacher, unless one is given.
package explain

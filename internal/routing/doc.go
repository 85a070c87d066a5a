// Package routing holds the problems: instances, construction states, feasible actions, costs that re-validate a
// finished tour, generators, the classic baselines and local search (paper, appendix B). File formats are in package
// instances.
//
// Units: coordinates live in the unit square, costs are Euclidean lengths in those units.
// An action is a node index. Nothing here knows a neural network, a heuristic program or a server.
package routing

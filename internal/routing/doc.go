// Package routing holds what all problems and policies share: instances, what a problem must define (Definition,
// State), what a policy is (Policy, Decoder, Run, Trajectory) and how many instances are solved on all cores. The
// problems themselves are in internal/problems, file formats in package instances.
//
// Units: coordinates live in the unit square, costs are lengths in those units. An action is a node index. This
// package does not depend on neural networks, heuristic programs or servers.
package routing

// Package readable puts a named router (package student) into words and into Go.
//
// Describe says in one plain sentence each what the router attends to:
//
//	Late in the tour, trust who proposes isolated cities.
//
// Source writes the router as a Go file that heuristic.CheckRouter accepts, with these sentences as comments beside the
// numbers. Together with the programs of the bank it is the whole student as code: see compile.BuildStudent.
package readable

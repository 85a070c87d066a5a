package solver

import _ "embed" // the source of this package is part of an export

// Source is solver.go, for Go programs that use a solver.
//
//go:embed solver.go
var Source string

// Package teachers holds the teacher that comes with EPB. README.md says how it was trained.
package teachers

import _ "embed"

// POMOTSP20 is the checkpoint of a POMO model for TSP with 20 nodes.
//
//go:embed pomo_tsp20.pt
var POMOTSP20 []byte

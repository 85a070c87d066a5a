package routing

import "slices"

// View names the part of a decision state that a policy or a program sees.
type View string

// The views.
const (
	Full     View = "full"     // all nodes, the visited ones too, and the step: AM and POMO
	Subgraph View = "subgraph" // the unvisited nodes, the first or the depot, and the current one: LEHD
)

// Views holds all views. Each shows all that the ones before it show.
var Views = []View{Subgraph, Full}

// Shows reports whether v shows all that other shows.
func (v View) Shows(other View) bool { return slices.Index(Views, v) >= slices.Index(Views, other) }

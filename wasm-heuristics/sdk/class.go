package sdk

import "slices"

// Class says how far ahead of the next step a program works, with the functions that it calls unfolded. Package compile
// finds it (see analysis.Class).
type Class string

// The classes.
const (
	// ClassLocal scores each candidate from the state and looks at most one step past it.
	ClassLocal Class = "local"
	// ClassLookahead walks on from a candidate for a bounded number of steps, or compares candidates three at a time.
	ClassLookahead Class = "lookahead"
	// ClassPlan drafts the rest of the solution.
	ClassPlan Class = "plan"
)

// Classes holds all of them, the one that works ahead least first.
var Classes = []Class{ClassLocal, ClassLookahead, ClassPlan}

// Above reports whether a class works farther ahead than another.
func (c Class) Above(other Class) bool {
	return slices.Index(Classes, c) > slices.Index(Classes, other)
}

// Allows reports whether a list of allowed classes holds a class. An empty list allows all.
func Allows(allowed []Class, c Class) bool { return len(allowed) == 0 || slices.Contains(allowed, c) }

// A Ruling is the class of an SDK function whose body does not tell it. All others have the class that package analysis
// finds in their bodies.
type Ruling struct {
	Class Class
	Why   string // a clause that says what the function does

	// Loops is how many loops over candidates a call stands for where the class of a program is decided: 0 for what is
	// computed once a state, 1 for what goes over the candidates once.
	Loops int
}

package sdk

import "slices"

// Category says what kind of rule a program is, by what it asks of its State (paper, figure "Phase-aware vs
// geometry-aware").
type Category string

// The categories. A program belongs to the first one of which a sign decides its scores, as part of a formula or of a
// condition (see Package.Signs, and analysis.Flows). Without any it belongs to Geometry, on which every program
// depends.
const (
	Phase     Category = "phase-aware"    // how far the tour, or the whole solution, has come: how much remains
	Lookahead Category = "lookahead"      // what would follow the next step: a step on, a chain, a whole path
	Capacity  Category = "capacity-aware" // the room left in the vehicle, and what fits into it
	Geometry  Category = "geometry-aware" // places, distances and angles alone
)

// Categories holds all of them in the order in which they are tried.
var Categories = []Category{Phase, Lookahead, Capacity, Geometry}

// CategoryOf returns the category of a rule that reads these signs.
func CategoryOf(reads func(sign string) bool) Category {
	for _, c := range Categories {
		if slices.ContainsFunc(c.Signs(), reads) {
			return c
		}
	}
	return Geometry
}

// Signs returns the fields and methods of all packages' States that make a program one of the category, each once.
// Geometry has none.
func (c Category) Signs() []string {
	var signs []string
	for _, p := range Packages {
		for _, sign := range p.Signs[c] {
			if !slices.Contains(signs, sign) {
				signs = append(signs, sign)
			}
		}
	}
	return signs
}

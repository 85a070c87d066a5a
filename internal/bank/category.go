package bank

import (
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// Category says what kind of rule a program is, by what it asks of its State (paper, figure "Phase-aware vs geometry-aware").
type Category string

// The categories. A program belongs to the first one of which it reads something, or else to Geometry: that is what every program reads.
const (
	Phase     Category = "phase-aware"    // how far the tour, or the whole solution, has come
	Lookahead Category = "lookahead"      // what would follow the next step: a step on, a chain, a whole path
	Capacity  Category = "capacity-aware" // the room left in the vehicle, and what fits into it
	Geometry  Category = "geometry-aware" // places, distances and angles alone
)

// Categories holds all of them in the order in which they are tried.
var Categories = []Category{Phase, Lookahead, Capacity, Geometry}

// signs are the fields and methods of the SDK packages' States that tell a category.
var signs = map[Category][]string{
	Phase:     {"Step", "Progress", "Phase"},
	Lookahead: {"FollowUp", "GreedyChain", "NearestPath", "InsertionPath", "PathLength", "NextFit", "GrowRoute", "RouteLength", "Uncross", "ScoreAlong"},
	Capacity:  {"Remaining", "Left", "Below", "Fill", "FitAfter"},
}

// Signs returns the fields and methods of a State that make a program one of the category; Geometry has none.
func (c Category) Signs() []string { return signs[c] }

// Category returns the program's category. What a program works out by itself, without asking its State, does not count. The error is
// that of compile.Check.
func (h Heuristic) Category() (Category, error) {
	c, err := compile.Check(h.Source)
	if err != nil {
		return "", err
	}
	reads := c.Reads()
	for _, category := range Categories {
		if slices.ContainsFunc(signs[category], func(sign string) bool { return slices.Contains(reads, sign) }) {
			return category, nil
		}
	}
	return Geometry, nil
}

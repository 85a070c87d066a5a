package standin

import (
	"fmt"
	"slices"
)

// tsp holds the rules for tours. Rules that add more to a bank of simple programs come first in the catalogue, as
// measured on recorded decisions of the attention model on 20 to 100 cities.
var tsp = &craft{
	sdk: "tsp", programs: programs("tsp"), compare: compareCities, causes: tourCauses, terms: tourTerms,
	usual: []string{"planned", "between", "rim", "alone", "outward", "ahead"},
	serves: map[string][]string{
		"closure":   {"planned", "last", "ahead"},
		"isolation": {"between", "alone"},
		"outward":   {"outward", "last"},
		"homeward":  {"planned", "home"},
		"rim":       {"rim"},
		"proximity": {"near"},
	},
	rules: map[string][]string{
		"closure":   {"council", "tree", "closure"},
		"isolation": {"relative", "council", "orphans", "gap"},
		"outward":   {"settled", "outward"},
		"homeward":  {"detour", "closure"},
		"rim":       {"rim", "heading"},
		"proximity": {"council", "orphans"},
	},
	catalogue: []strategy{
		{"tree", "The teacher's city leaves the cities that are cheapest to join up.",
			[]string{"joins the other cities, and the links"}, [][]float64{{1}, {2}, {1.5}}, nil},
		{"settled",
			"The teacher follows a plan for all remaining cities where the program takes the tempting next one.",
			[]string{"the mended plan visits first"}, [][]float64{{0.2, 4}, {0.08, 4}, {0.4, 6}}, nil},
		{"council", "The teacher's city is nearly as close as the program's and fits a plan for the rest.",
			[]string{"lets three signals vote"}, [][]float64{{0.4, 0.07}, {0.3, 0.12}, {0.6, 0.04}}, nil},
		{"relative", "The teacher's city would be dear to fit in later.",
			[]string{"is due when", "what it costs to come back"}, [][]float64{{0.7}, {0.9}, {0.5}}, nil},
		{"mended", "The teacher's city is not the cheapest step, " +
			"but the tour that follows from it is shorter when it is planned well.",
			[]string{"the shortest mended plan"}, [][]float64{{4, 3}, {6, 3}, {3, 4}}, nil},
		{"gap", "The teacher enters a pair or a string of cities at its end.",
			[]string{"one close partner", "one good neighbour"}, [][]float64{{0.5}, {1}, {0.25}}, nil},
		{"rim", "The teacher takes the outer city and leaves the middle for later.",
			[]string{"sweeps the rim", "urgency for outliers"}, [][]float64{{0.3}, {0.5}, {0.15}},
			func(_ failure, r row) float64 { return -r.distance + 0.3*r.toCentroid }},
		{"plan", "The teacher's city begins a plan for the rest.",
			[]string{"prefers the city the plan visits first", "plans the rest of the tour by farthest insertion"},
			[][]float64{{0.2, 0.06}, {0.08, 0.03}, {0.4, 0.1}}, nil},
		{"completion", "The teacher's city leaves a rest that is shorter to finish in nearest-neighbour order.",
			[]string{"done in nearest-neighbour order"}, [][]float64{{2}, {3}, {1.5}},
			nil},
		{"orphans", "The teacher clears a city that would be left behind alone.",
			[]string{"would be left behind"}, [][]float64{{2}, {1}, {0.6}},
			func(_ failure, r row) float64 { return -r.distance + 2*max(0, r.isolation-r.distance) }},
		{"heading", "The teacher goes around the remaining cities, the program into them.",
			[]string{"across the direction"}, [][]float64{{0.8}, {0.4}, {0.2}}, nil},
		{"both", "The teacher's city leaves the shorter rest by the better of two plans.",
			[]string{"the better of two plans"}, [][]float64{{5}, {3}, {4}}, nil},
		{"detour", "The teacher keeps to the way back to the start.",
			[]string{"lengthens the way"}, [][]float64{{2}, {1}, {0.5}},
			func(_ failure, r row) float64 { return -r.toStart - 3*r.distance }},
		{"insertion", "The teacher's city is not the cheapest step, " +
			"but the tour that follows from it is shorter when it is planned as a whole.",
			[]string{"planned by farthest insertion", "after each by farthest insertion"},
			[][]float64{{5}, {3}, {4}}, nil},
		{"regret", "The teacher takes a city that lies alone and would be a detour later.",
			[]string{"would be a detour later", "regret for postponing"}, [][]float64{{0.3, 0.2}, {0.5, 0.5}, {1, 1}},
			func(f failure, r row) float64 { return -r.distance + (0.3+0.2*f.progress)*r.isolation }},
		{"outward", "The teacher leaves the start's surroundings for the way back.",
			[]string{"far from the start"}, [][]float64{{0.3}, {0.15}, {0.6}},
			func(f failure, r row) float64 { return -r.distance + 0.3*(1-f.progress)*r.toStart }},
		{"closure", "Few cities are left, and the teacher's city lies better on the way back to the start.",
			[]string{"way back to the start", "towards closing the tour"}, [][]float64{{0.2}, {0.5}, {1}},
			func(_ failure, r row) float64 { return -r.twoStep }},
		{"chain", "The teacher looks a few cities ahead along a string of close ones.",
			[]string{"short nearest-neighbour walk"}, [][]float64{{8, 0.2}, {5, 0.1}, {3, 0.05}}, nil},
	},
}

// subtsp holds the rules for programs that see only the rest of a tour: those that need neither progress nor a plan.
var subtsp = &craft{
	sdk: "subtsp", programs: tsp.programs, compare: compareCities, terms: tourTerms,
	causes: slices.DeleteFunc(slices.Clone(tourCauses), func(c cause) bool {
		return c.name == "outward" || c.name == "homeward"
	}),
	usual: []string{"between", "rim", "closing", "walk"},
	serves: map[string][]string{
		"closure":   {"closing", "walk"},
		"isolation": {"between"},
		"rim":       {"rim"},
		"proximity": {"near"},
	},
	rules: map[string][]string{
		"closure":   {"tree", "closure", "detour"},
		"isolation": {"relative", "gap"},
		"rim":       {"rim", "heading"},
		"proximity": {"relative", "completion"},
	},
	catalogue: tsp.only("tree", "relative", "gap", "rim", "completion", "heading", "detour", "closure"),
}

// tourCauses are the causes of failures on tours. All sizes are lengths, so that the largest one can be chosen.
var tourCauses = []cause{
	{"closure", "the way back to the start",
		"count the next step and the way back to the start, more so late in the tour",
		func(f failure) float64 { return f.program1.twoStep - f.teacher1.twoStep }},
	{"isolation", "that the city lies alone",
		"reward candidates that lie alone, since skipping them means a detour later",
		func(f failure) float64 { return f.teacher1.isolation - f.program1.isolation }},
	{"outward", "that the city is far from the start",
		"prefer candidates far from the start while much of the tour is left",
		func(f failure) float64 { return (1 - f.progress) * 0.5 * (f.teacher1.toStart - f.program1.toStart) }},
	{"homeward", "that the city is on the way back", "prefer candidates near the start as the tour ends",
		func(f failure) float64 { return f.progress * 0.5 * (f.program1.toStart - f.teacher1.toStart) }},
	{"rim", "that the city lies at the rim of what is left",
		"prefer outer candidates, far from the centroid of what is left",
		func(f failure) float64 { return 0.5 * (f.teacher1.toCentroid - f.program1.toCentroid) }},
	{"proximity", "that the city is nearer", "give the distance of the step more weight",
		func(f failure) float64 { return f.program1.distance - f.teacher1.distance }},
}

// tourTerms are the terms for tours. Their weights served best beside the distance alone, on recorded decisions of the
// attention model.
var tourTerms = map[string]term{
	"planned": {"plannedBonus", "favours the first city of a plan for the rest, built by farthest insertion", 0.07,
		"plannedPath := s.InsertionPath(s.Current)\n", "if c == plannedPath[0] {\nscore[k] += plannedBonus\n}"},
	"between": {"betweenWeight", "favours cities that would be dear to fit in between their two neighbours later", 0.3,
		"", "d1, d2 := s.NearestTwo(k)\nscore[k] += betweenWeight * (d1 + d2)"},
	"alone": {"aloneWeight", "favours cities that lie alone", 0.4,
		"", "score[k] += aloneWeight * s.NearestOther(k)"},
	"rim": {"rimWeight", "favours cities at the rim of what is left", 0.25,
		"rimX, rimY := s.Centroid()\n", "score[k] += rimWeight * s.DistTo(c, rimX, rimY)"},
	"outward": {"outwardWeight", "favours cities far from the start while much of the tour is left", 0.2,
		"", "score[k] += outwardWeight * (1 - s.Progress()) * s.Dist(c, s.First)"},
	"last": {"lastWeight", "keeps the cities near the start for the end", 0.2,
		"", "score[k] += lastWeight * s.Progress() * s.Dist(c, s.First)"},
	"home": {"homeWeight", "favours cities near the start as the tour ends", 0.05,
		"", "score[k] -= homeWeight * s.Progress() * s.Dist(c, s.First)"},
	"ahead": {"aheadWeight",
		"counts the length of a nearest-neighbour walk of up to ten steps and back, more so late in the tour", 0.12,
		"", "score[k] -= aheadWeight * s.Progress() * s.GreedyChain(k, 10)"},
	"near": {"nearWeight", "gives the step itself more weight", 0.4,
		"", "score[k] -= nearWeight * s.Dist(s.Current, c)"},
	"closing": {"closingWeight", "counts the cheapest next step and the way back to the start from there", 0.15,
		"", "score[k] -= closingWeight * s.FollowUp(k, 1)"},
	"walk": {"walkWeight", "counts the length of a nearest-neighbour walk of up to ten steps and back", 0.05,
		"", "score[k] -= walkWeight * s.GreedyChain(k, 10)"},
}

// compareCities compares the cities that the program and the teacher choose.
func compareCities(f failure) string {
	return fmt.Sprintf("LOGIC: the code ranks a city at distance %.3f first and the teacher's, at %.3f, behind it\n"+
		"TEACHER: its city has isolation %.3f against %.3f, is %.3f against %.3f from the start, "+
		"and leads home by one more city in %.3f against %.3f",
		f.program1.distance, f.teacher1.distance, f.teacher1.isolation, f.program1.isolation,
		f.teacher1.toStart, f.program1.toStart, f.teacher1.twoStep, f.program1.twoStep)
}

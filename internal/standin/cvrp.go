package standin

import "fmt"

// cvrp holds the rules for routes. Rules that are closer to the attention model's decisions on CVRP-20, and add more to
// the starting bank there, come first in the catalogue.
var cvrp = &craft{
	sdk: "cvrp", programs: programs("cvrp"), compare: compareDestinations, causes: routeCauses, terms: routeTerms,
	usual: []string{"behind", "outer", "alone", "turn", "last", "saving", "planned", "fill"},
	serves: map[string][]string{
		"home":      {"return", "planned"},
		"on":        {"last", "stay", "alone"},
		"counter":   {"behind", "bearing"},
		"clockwise": {"behind", "against"},
		"saving":    {"saving", "planned"},
		"turn":      {"turn", "saving"},
		"isolation": {"alone"},
		"fill":      {"fill", "large"},
		"large":     {"large", "fill"},
		"small":     {"small", "behind"},
		"passing":   {"passing", "planned"},
		"outward":   {"outer", "saving"},
		"rim":       {"rim", "alone"},
		"proximity": {"near"},
	},
	rules: map[string][]string{
		"home":      {"voyage", "merged", "lastload"},
		"on":        {"lastload", "voyage", "merged"},
		"counter":   {"voyage", "merged", "clock"},
		"clockwise": {"voyage", "merged", "reach"},
		"saving":    {"clarke", "missed", "merged"},
		"turn":      {"sector", "clarke"},
		"isolation": {"voyage", "lonely"},
		"fill":      {"brim", "finish"},
		"large":     {"brim", "finish"},
		"small":     {"lonely", "clarke"},
		"passing":   {"passing", "drafted"},
		"outward":   {"voyage", "reach"},
		"rim":       {"lonely", "reach"},
		"proximity": {"closest", "onward", "company"},
	},
	catalogue: []strategy{
		{"voyage", "The teacher drives out and back without leaving strays behind.",
			[]string{"makes a voyage of every route"}, [][]float64{{1, 0.7}, {0.7, 0.5}, {1.3, 0.7}}, nil},
		{"merged", "The teacher's choice belongs to routes that fit together as a whole.",
			[]string{"merges routes by savings"}, [][]float64{{0.6, 0.1}, {0.4, 0.06}, {0.9, 0.15}}, nil},
		{"clarke", "The teacher drives on to where a trip of its own would be dear.",
			[]string{"what driving on saves over a trip of its own"}, [][]float64{{0.5, 0.5}, {0.3, 0.4}, {0.8, 0.4}},
			func(f failure, r row) float64 { return onRoad(f, r, -r.distance+0.5*r.saving, 0.5) }},
		{"onward", "The teacher looks a stop further.",
			[]string{"looks two stops ahead"}, [][]float64{{0.5, 0.8}, {0.3, 0.6}, {1, 1}}, nil},
		{"finish", "The teacher's customer leaves a route that delivers more on a shorter way.",
			[]string{"finishes the route in thought"}, [][]float64{{1, 1}, {2, 1}, {0.5, 2}}, nil},
		{"lonely", "The teacher fetches a customer that lies alone.",
			[]string{"fetches strays"}, [][]float64{{0.6, 0.5}, {0.4, 0.7}, {0.9, 0.4}},
			func(f failure, r row) float64 { return onRoad(f, r, -r.distance+0.6*r.isolation, 0.5) }},
		{"lastload", "The teacher knows whether it will come back.",
			[]string{"Score counts loads"}, [][]float64{{0.6, 0.4}, {0.4, 0.4}, {0.9, 0.2}}, nil},
		{"sector", "The teacher stays in one direction as seen from the depot.",
			[]string{"turns around the depot as little as possible"}, [][]float64{{0.1, 0.5}, {0.2, 0.6}, {0.05, 0.4}},
			func(f failure, r row) float64 { return onRoad(f, r, -r.distance-0.1*r.turn, 0.5) }},
		{"reach", "The teacher drives far out with a full load and works its way back.",
			[]string{"far out first"}, [][]float64{{0.4, 0.5}, {0.6, 0.4}, {0.2, 0.5}},
			func(f failure, r row) float64 { return onRoad(f, r, -r.distance+0.4*(2*f.remaining-1)*r.toStart, 0.5) }},
		{"drafted", "The teacher follows a plan for the rest of the route.",
			[]string{"drafts the rest of the route, customer by customer"},
			[][]float64{{0.2, 1.6}, {0.4, 2}, {0.1, 1.3}}, nil},
		{"clock", "The teacher begins its routes in one direction and goes round.",
			[]string{"like the hand of a clock"}, [][]float64{{0.3, 0.05}, {0.3, 0.1}, {0.3, 0.02}},
			func(f failure, r row) float64 {
				if f.home {
					return 0.3*r.bearing - 0.1*r.distance
				}
				return orHome(r, -r.distance+0.05*r.bearing, 0.5)
			}},
		{"company", "The teacher serves a cluster with one vehicle.",
			[]string{"likes company"}, [][]float64{{0.05, 0.5}, {0.02, 0.4}, {0.1, 0.5}}, nil},
		{"missed", "The teacher serves a customer that no other could take along as well.",
			[]string{"what is missed by not going there now"}, [][]float64{{0.3, 0.5}, {0.5, 0.7}, {0.15, 0.4}}, nil},
		{"passing", "The teacher takes along what lies on the way home.",
			[]string{"in passing what lies on the way home"}, [][]float64{{0.7, 0.5}, {0.4, 0.4}, {1, 0.7}},
			func(f failure, r row) float64 { return orHome(r, -r.distance-0.7*(1-f.remaining)*r.detour, 0.5) }},
		{"brim", "The teacher fills the vehicle.",
			[]string{"to the brim"}, [][]float64{{0.1, 0.1}, {0.2, 0.05}, {0.05, 0.3}},
			func(f failure, r row) float64 {
				fill := 0.0
				if r.room == 0 {
					fill = 0.1
				}
				return orHome(r, -r.distance+0.1*r.demand+fill, 0.6*f.remaining)
			}},
		{"closest", "The teacher takes the nearest customer that fits.",
			[]string{"nearest customer that still fits"}, [][]float64{{0.8}, {0.5}, {1.2}},
			func(f failure, r row) float64 { return orHome(r, -r.distance, 0.8*f.remaining) }},
	},
}

// orHome returns a customer's score, or minus the price of going home where the row is the depot.
func orHome(r row, score, price float64) float64 {
	if r.where == depot {
		return -price
	}
	return score
}

// onRoad is orHome for programs that begin routes by what no table shows. At the depot their scores are unknown.
func onRoad(f failure, r row, score, price float64) float64 {
	if f.home {
		return 0
	}
	return orHome(r, score, price)
}

// depot is the word for the depot in a table.
const depot = "depot"

// compareDestinations compares the destinations that the program and the teacher choose.
func compareDestinations(f failure) string {
	p, t := f.program1, f.teacher1
	return fmt.Sprintf("LOGIC: the code ranks a %s first, %.3f away, and the teacher's %s, %.3f away, behind it\n"+
		"TEACHER: its pick saves %.3f against %.3f, lies %.3f against %.3f from the nearest other customer, "+
		"turns %.3f against %.3f around the depot and leaves room for %.2f against %.2f loads",
		p.where, p.distance, t.where, t.distance,
		t.saving, p.saving, t.isolation, p.isolation, t.turn, p.turn, t.room, p.room)
}

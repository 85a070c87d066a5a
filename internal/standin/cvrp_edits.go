package standin

// routeCauses are the causes of failures on routes. All sizes are lengths, so that the largest one can be chosen.
// Whether to go home comes before where to go.
var routeCauses = []cause{
	{"on", "that the route is not over", "stay on the road longer: raise the price of going home",
		func(f failure) float64 { return surely(f.program1.home() && !f.teacher1.home()) }},
	{"home", "that it is time to go home", "go home sooner as the vehicle fills",
		func(f failure) float64 { return surely(f.teacher1.home() && !f.program1.home()) }},
	{"counter", "where routes begin", "begin routes at larger angles around the depot",
		func(f failure) float64 { return atHome(f, 0.3*(f.teacher1.bearing-f.program1.bearing)) }},
	{"clockwise", "where routes begin", "begin routes at smaller angles around the depot",
		func(f failure) float64 { return atHome(f, 0.3*(f.program1.bearing-f.teacher1.bearing)) }},
	{"small", "that the demand is small", "begin routes with customers of small demand",
		func(f failure) float64 { return atHome(f, 0.5*(f.program1.demand-f.teacher1.demand)) }},
	{"saving", "what driving on saves", "weigh what driving on saves over a trip of its own",
		func(f failure) float64 { return 0.5 * (f.teacher1.saving - f.program1.saving) }},
	{"turn", "that the customer lies in the route's direction",
		"keep to the direction of the route as seen from the depot",
		func(f failure) float64 { return 0.15 * (f.program1.turn - f.teacher1.turn) }},
	{"isolation", "that the customer lies alone", "fetch customers that lie alone while the vehicle is near",
		func(f failure) float64 { return f.teacher1.isolation - f.program1.isolation }},
	{"fill", "that the customer fills the vehicle exactly", "reward a customer that leaves no room at all",
		func(f failure) float64 {
			return 0.1 * surely(f.teacher1.room == 0 && f.program1.room > 0)
		}},
	{"large", "how large the demand is", "serve large demands while they fit",
		func(f failure) float64 { return 0.2 * (f.teacher1.demand - f.program1.demand) }},
	{"passing", "that the customer lies on the way home",
		"take along what lies on the way home, the more strictly the fuller the vehicle",
		func(f failure) float64 { return (1 - f.remaining) * 0.5 * (f.program1.detour - f.teacher1.detour) }},
	{"outward", "that the customer is far from the depot", "serve far customers while there is much room",
		func(f failure) float64 { return f.remaining * 0.5 * (f.teacher1.toStart - f.program1.toStart) }},
	{"rim", "that the customer lies at the rim of what is left",
		"prefer outer customers, far from the centroid of those who wait",
		func(f failure) float64 { return 0.3 * (f.teacher1.toCentroid - f.program1.toCentroid) }},
	{"proximity", "that the customer is nearer", "give the way there more weight",
		func(f failure) float64 { return f.program1.distance - f.teacher1.distance }},
}

// surely returns a size above any length if something is the case, and 0 otherwise.
func surely(so bool) float64 {
	if so {
		return 10
	}
	return 0
}

// atHome returns the size of a cause that counts only where a route begins, and 0 elsewhere.
func atHome(f failure, size float64) float64 {
	if !f.home {
		return 0
	}
	return size
}

// routeTerms are the terms for routes. Their weights served best beside the starting bank, on decisions of the
// attention model.
var routeTerms = map[string]term{
	"return": {"returnBonus", "goes home sooner as the vehicle fills", 0.15,
		"", "if c == cvrp.Depot {\nscore[k] += returnBonus * (1 - s.Remaining)\n}"},
	"stay": {"stayBonus", "stays on the road longer", 0.15,
		"", "if c == cvrp.Depot {\nscore[k] -= stayBonus\n}"},
	"last": {"lastPrice", "does not go home while the vehicle could carry all that waits", 0.5,
		"", "if c == cvrp.Depot && s.TotalWaiting() <= s.Remaining {\nscore[k] -= lastPrice\n}"},
	"behind": {"behindWeight", "begins routes with a small customer behind a wide gap", 0.2,
		"", "if s.Current == cvrp.Depot {\nahead, behind := s.Gaps(c)\n" +
			"score[k] += behindWeight * (behind - ahead - 2*s.Demand[c])\n}"},
	"bearing": {"bearingWeight", "begins routes at large angles around the depot", 0.2,
		"", "if s.Current == cvrp.Depot {\nscore[k] += bearingWeight * s.Angle(c)\n}"},
	"against": {"againstWeight", "begins routes at small angles around the depot", 0.2,
		"", "if s.Current == cvrp.Depot {\nscore[k] -= againstWeight * s.Angle(c)\n}"},
	"small": {"smallWeight", "begins routes with small demands", 0.5,
		"", "if s.Current == cvrp.Depot {\nscore[k] -= smallWeight * s.Demand[c]\n}"},
	"saving": {"savingWeight", "counts what driving on saves over a trip of its own", 0.3,
		"", "score[k] += savingWeight * s.Saving(s.Current, c)"},
	"turn": {"turnWeight", "keeps to the direction of the route as seen from the depot", 0.1,
		"", "score[k] -= turnWeight * s.Turn(s.Current, c)"},
	"alone": {"aloneWeight", "fetches customers that lie alone", 0.4,
		"", "if c != cvrp.Depot {\nscore[k] += aloneWeight * s.NearestOther(c)\n}"},
	"fill": {"fillBonus", "likes a customer that leaves no room at all", 0.1,
		"", "if c != cvrp.Depot && s.Left(c) == 0 {\nscore[k] += fillBonus\n}"},
	"large": {"largeWeight", "likes large demands", 0.1,
		"", "score[k] += largeWeight * s.Demand[c]"},
	"passing": {"passingWeight", "counts the detour on the way home, more so as the vehicle fills", 0.4,
		"", "score[k] -= passingWeight * (1 - s.Remaining) * s.Detour(s.Current, c, cvrp.Depot)"},
	"outer": {"outerWeight", "favours customers far from the depot while there is much room", 0.3,
		"", "score[k] += outerWeight * s.Remaining * s.Dist(c, cvrp.Depot)"},
	"rim": {"rimWeight", "favours customers at the rim of those who wait", 0.25,
		"rimX, rimY := s.Centroid()\n", "if c != cvrp.Depot {\nscore[k] += rimWeight * s.DistTo(c, rimX, rimY)\n}"},
	"planned": {"plannedBonus", "favours the first customer of a draft of the rest of the route", 0.1,
		"plannedPath := s.GrowRoute(1.6)\ns.Uncross(plannedPath, 5)\n",
		"if len(plannedPath) > 0 && c == plannedPath[0] {\nscore[k] += plannedBonus\n}"},
	"near": {"nearWeight", "gives the way there more weight", 0.4,
		"", "if c != cvrp.Depot {\nscore[k] -= nearWeight * s.Dist(s.Current, c)\n}"},
}

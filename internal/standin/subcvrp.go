package standin

// subcvrp holds the rules for programs that see only the customers left. Their vehicle drives to a customer straight or
// by way of the depot, which is no destination of its own.
var subcvrp = &craft{
	sdk: "subcvrp", programs: programs("subcvrp"), compare: compareDestinations, terms: restTerms,
	causes: routeCauses,
	usual:  []string{"outbound", "behind", "last", "saving", "alone", "passing", "turn", "outer", "fill"},
	serves: map[string][]string{
		"home":      {"outbound", "behind", "return"},
		"on":        {"last", "stay", "saving"},
		"counter":   {"behind", "outbound", "bearing"},
		"clockwise": {"behind", "outbound", "against"},
		"small":     {"behind", "small"},
		"saving":    {"saving"},
		"turn":      {"turn", "saving"},
		"isolation": {"alone"},
		"fill":      {"fill", "large"},
		"large":     {"large", "fill"},
		"passing":   {"passing", "return"},
		"outward":   {"outer", "saving"},
		"rim":       {"rim", "alone"},
		"proximity": {"near"},
	},
	rules: map[string][]string{
		"home":      {"homing", "packer", "thought"},
		"on":        {"loads", "saver", "thought"},
		"counter":   {"round", "heading"},
		"clockwise": {"round", "loads"},
		"small":     {"round", "stray"},
		"saving":    {"saver", "thought"},
		"turn":      {"heading", "saver"},
		"isolation": {"stray", "loads"},
		"fill":      {"packer", "thought"},
		"large":     {"packer", "crowd"},
		"passing":   {"homing", "saver"},
		"outward":   {"tide", "saver"},
		"rim":       {"stray", "tide"},
		"proximity": {"crowd", "loads"},
	},
	catalogue: []strategy{
		{"loads", "The teacher knows whether it will come back.",
			[]string{"knows the last load"}, [][]float64{{0.6, 0.4}, {0.4, 0.4}, {0.9, 0.2}}, nil},
		{"saver", "The teacher drives on to where a trip of its own would be dear.",
			[]string{"what is saved against a trip of its own"}, [][]float64{{0.5, 0.8}, {0.3, 0.6}, {0.8, 0.8}},
			func(f failure, r row) float64 { return orBack(r, -r.distance+0.5*r.saving, 0.8*f.remaining) }},
		{"thought", "The teacher's customer leaves a route that delivers more on a shorter way.",
			[]string{"drives the rest of the route in thought"}, [][]float64{{1, 1}, {2, 1}, {0.5, 2}}, nil},
		{"stray", "The teacher fetches a customer that lies alone.",
			[]string{"collects strays"}, [][]float64{{0.6, 0.4}, {0.4, 0.5}, {0.9, 0.3}},
			func(_ failure, r row) float64 {
				return orBack(r, -r.distance, 0.4) + 0.6*r.isolation
			}},
		{"homing", "The teacher takes along what lies on the way home.",
			[]string{"drives the fuller home the straighter"}, [][]float64{{0.7, 0.6}, {0.4, 0.5}, {1, 0.8}},
			func(f failure, r row) float64 {
				return orBack(r, -r.distance-0.7*(1-f.remaining)*r.detour, 0.6*f.remaining)
			}},
		{"heading", "The teacher stays in one direction as seen from the depot.",
			[]string{"keeps to one heading"}, [][]float64{{0.1, 0.4}, {0.2, 0.5}, {0.05, 0.3}},
			func(_ failure, r row) float64 { return orBack(r, -r.distance-0.1*r.turn, 0.4) }},
		{"tide", "The teacher drives far out with a full load and works its way back.",
			[]string{"out and in like the tide"}, [][]float64{{0.4, 0.4}, {0.6, 0.3}, {0.2, 0.4}},
			func(f failure, r row) float64 { return orBack(r, -r.distance+0.4*(2*f.remaining-1)*r.toStart, 0.4) }},
		{"packer", "The teacher fills the vehicle.",
			[]string{"packs the vehicle"}, [][]float64{{0.1, 0.7}, {0.2, 0.5}, {0.05, 0.9}},
			func(f failure, r row) float64 {
				return orBack(r, -r.distance+0.1*r.demand/max(r.demand+r.room, 0.01), 0.7*f.remaining)
			}},
		{"round", "The teacher begins its routes behind a gap and goes round.",
			[]string{"goes round the depot"}, [][]float64{{0.06, 0.4}, {0.1, 0.4}, {0.03, 0.6}}, nil},
		{"crowd", "The teacher serves a cluster with one vehicle.",
			[]string{"follows the crowd"}, [][]float64{{0.2, 0.4}, {0.1, 0.3}, {0.4, 0.4}}, nil},
	},
}

// orBack returns straight for a customer that the vehicle drives to straight. By way of the depot the score is minus
// the distance and the price.
func orBack(r row, straight, price float64) float64 {
	if r.home() {
		return -r.distance - price
	}
	return straight
}

// restTerms are routeTerms for vehicles that drive to a customer straight or by way of the depot. The weights that
// differ from those of routeTerms served best on decisions of the attention model, restated in that way.
var restTerms = map[string]term{
	"return": {"returnBonus", "goes by way of the depot sooner as the vehicle fills", 0.15,
		"", "if s.ViaDepot(k) {\nscore[k] += returnBonus * (1 - s.Remaining)\n}"},
	"stay": {"stayBonus", "stays on the road longer", 0.15,
		"", "if s.ViaDepot(k) {\nscore[k] -= stayBonus\n}"},
	"last": {"lastPrice", "does not go home while the vehicle could carry all that waits", 0.5,
		"", "if s.ViaDepot(k) && s.TotalWaiting() <= s.Remaining {\nscore[k] -= lastPrice\n}"},
	"outbound": {"outboundWeight", "counts the way out of the depot less than other ways", 0.4,
		"", "if s.Begins(k) {\nscore[k] += outboundWeight * s.Dist(s.Depot, c)\n}"},
	"behind": {"behindWeight", "begins routes with a small customer behind a wide gap", 0.04,
		"", "if s.AtDepot() {\nahead, behind := s.Gaps(c)\n" +
			"score[k] += behindWeight * (behind - ahead - 2*s.Demand[c])\n}"},
	"bearing": {"bearingWeight", "begins routes at large angles around the depot", 0.2,
		"", "if s.AtDepot() {\nscore[k] += bearingWeight * s.Angle(c)\n}"},
	"against": {"againstWeight", "begins routes at small angles around the depot", 0.2,
		"", "if s.AtDepot() {\nscore[k] -= againstWeight * s.Angle(c)\n}"},
	"small": {"smallWeight", "begins routes with small demands", 0.5,
		"", "if s.AtDepot() {\nscore[k] -= smallWeight * s.Demand[c]\n}"},
	"saving": {"savingWeight", "counts what driving on saves over a trip of its own", 0.3,
		"", "score[k] += savingWeight * s.WaySaving(k)"},
	"turn": {"turnWeight", "keeps to the direction of the route as seen from the depot", 0.1,
		"", "if !s.ViaDepot(k) {\nscore[k] -= turnWeight * s.Turn(s.Current, c)\n}"},
	"alone": {"aloneWeight", "fetches customers that lie alone", 0.4,
		"", "score[k] += aloneWeight * s.NearestOther(c)"},
	"fill": {"fillWeight", "likes customers that take up the room left", 0.1,
		"", "if !s.ViaDepot(k) {\nscore[k] += fillWeight * s.Fill(k)\n}"},
	"large": {"largeWeight", "likes large demands", 0.1,
		"", "score[k] += largeWeight * s.Demand[c]"},
	"passing": {"passingWeight", "counts the detour on the way home, more so as the vehicle fills", 0.4,
		"", "if !s.ViaDepot(k) {\nscore[k] -= passingWeight * (1 - s.Remaining) * s.Detour(s.Current, c, s.Depot)\n}"},
	"outer": {"outerWeight", "favours customers far from the depot while there is much room", 0.3,
		"", "score[k] += outerWeight * s.Remaining * s.Dist(c, s.Depot)"},
	"rim": {"rimWeight", "favours customers at the rim of those who wait", 0.25,
		"rimX, rimY := s.Centroid()\n", "score[k] += rimWeight * s.DistTo(c, rimX, rimY)"},
	"near": {"nearWeight", "gives the way there more weight", 0.4,
		"", "score[k] -= nearWeight * s.Way(k)"},
}

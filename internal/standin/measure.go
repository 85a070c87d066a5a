package standin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// measure is a local measure of a candidate: what a program can compute of it from the state.
type measure struct {
	name string // of nameOf, or a heading: "left_behind_right", "to start"
	code string // Go expression of s and k; "" where the prompt does not show it
	says string // in words: "what it costs if left for later"

	before string  // a statement that the code needs once a state
	inside string  // a statement that it needs for each candidate
	spread float64 // over the candidates of a state, as far as known; 0 counts as 1
}

// column is a column of the tables of failures, and the measure it shows.
type column struct {
	heading string
	measure measure
}

// The tables of failures show lengths in units of the square's side. The measures of a whole instance are in units of
// the typical spacing, and spread by about one. Those of a subgraph are lengths as in the tables.
const shortLength = 0.2

// way is the measure that every new program begins with: how far it is to a candidate, by the SDK's name.
var way = map[string]measure{
	"tsp":     {name: "near", code: "s.Distance(k)", says: "the way there", spread: 0.25},
	"cvrp":    {name: "near", code: "s.Distance(k)", says: "the way there", spread: 0.25},
	"subtsp":  {name: "near", code: "s.Dist(s.Current, s.Candidates[k])", says: "the way there", spread: 0.05},
	"subcvrp": {name: "near", code: "s.Way(k)", says: "the way there", spread: 0.05},
}

// columns are the tables' columns that say more than how far it is, by the SDK's name.
var columns = map[string][]column{
	"tsp": {
		{"isolation", measure{name: "isolation", code: "s.Isolation(k)", says: "its isolation"}},
		{"to start", measure{name: "to_start", code: "s.ToStart(k)", says: "its distance to the start"}},
		{"to centroid", measure{name: "to_centroid", code: "s.ToCentroid(k)", says: "its distance to the centroid"}},
		{"two-step", measure{name: "two_step", code: "s.TwoStep(k)", says: "the length of the step on from it"}},
	},
	"subtsp": {
		{"isolation", measure{
			name: "isolation", code: "alone", says: "its isolation", inside: "alone, _ := s.NearestTwo(k)",
			spread: shortLength,
		}},
		{"to start", measure{
			name: "to_start", code: "s.Dist(s.Candidates[k], s.First)", says: "its distance to where the tour ends",
			spread: shortLength,
		}},
		{"to centroid", measure{
			name: "to_centroid", code: "s.DistTo(s.Candidates[k], middleX, middleY)",
			says: "its distance to the centroid", before: "middleX, middleY := s.Centroid()", spread: shortLength,
		}},
		{"two-step", measure{
			name: "two_step", code: "s.FollowUp(k, 1)", says: "the length of the next step and of the way home",
			spread: shortLength,
		}},
	},
	"cvrp": {
		{"where", measure{name: "depot", code: "s.IsDepot(k)", says: "being the depot"}},
		{"demand", measure{name: "load", code: "s.Load(k)", says: "its demand"}},
		{"room after", measure{name: "room_after", code: "s.RoomAfter(k)", says: "the room left after it"}},
		{"to depot", measure{name: "to_depot", code: "s.ToDepot(k)", says: "its distance to the depot"}},
		{"saving", measure{
			name: "saving", code: "s.SavingHere(k)", says: "what driving on to it saves over a new route",
		}},
		{"detour", measure{name: "home_detour", code: "s.HomeDetour(k)", says: "the detour over it on the way home"}},
		{"isolation", measure{name: "isolation", code: "s.Isolation(k)", says: "its isolation"}},
		{"to centroid", measure{name: "to_centroid", code: "s.ToCentroid(k)", says: "its distance to the centroid"}},
	},
	"subcvrp": {
		{"demand", measure{
			name: "load", code: "s.Demand[s.Candidates[k]]", says: "its demand", spread: shortLength,
		}},
		{"room after", measure{
			name: "room_after", code: "s.Left(k)", says: "the room left after it", spread: shortLength,
		}},
		{"to depot", measure{
			name: "to_depot", code: "s.Dist(s.Candidates[k], s.Depot)", says: "its distance to the depot",
			spread: shortLength,
		}},
		{"saving", measure{
			name: "saving", code: "s.WaySaving(k)", says: "what driving on to it saves over a new route",
			spread: shortLength,
		}},
		{"detour", measure{
			name: "home_detour", code: "s.Detour(s.Current, s.Candidates[k], s.Depot)",
			says: "the detour over it on the way home", spread: shortLength,
		}},
		{"turn", measure{
			name: "turn", code: "s.Turn(s.Current, s.Candidates[k])",
			says: "the angle between it and the vehicle as seen from the depot",
		}},
		{"isolation", measure{
			name: "isolation", code: "s.NearestOther(s.Candidates[k])", says: "its isolation", spread: shortLength,
		}},
		{"to centroid", measure{
			name: "to_centroid", code: "s.DistTo(s.Candidates[k], middleX, middleY)",
			says: "its distance to the centroid", before: "middleX, middleY := s.Centroid()", spread: shortLength,
		}},
	},
}

// turning are the measures that follow a habit of going round, by the SDK's name.
var turning = map[string]measure{
	"tsp":  {name: "angle_step", code: "s.AngleStep(k)", says: "going counterclockwise"},
	"cvrp": {name: "sector_step", code: "s.SectorStep(k)", says: "going counterclockwise about the depot"},
}

// isWay reports whether a measure says how far it is to a candidate, in one form or another.
func (m measure) isWay() bool {
	switch strings.TrimSuffix(m.name, "_late") {
	case "near", "distance", "log_distance", "distance_squared", "distance_ratio", "is_nearest", "rank":
		return true
	}
	return false
}

// kin is what the names of measures have in common that belong together: their first word.
func (m measure) kin() string {
	if m.isWay() {
		return "distance"
	}
	word, _, _ := strings.Cut(m.name, "_")
	return word
}

// constant returns a name of a weight for the measure: left_behind_right becomes leftBehindRight.
func (m measure) constant() string {
	var b strings.Builder
	for i, word := range strings.FieldsFunc(m.name, func(r rune) bool { return r == '_' || r == ' ' || r == '-' }) {
		if i > 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	return b.String()
}

// isUsed reports whether a program computes the measure. Only the method's name is known of one whose code the prompt
// does not show.
func (m measure) isUsed(src string) bool {
	if m.code == "" {
		name := m.constant()
		return strings.Contains(src, "."+strings.ToUpper(name[:1])+strings.TrimRight(name[1:], "0123456789")+"(")
	}
	return strings.Contains(unspaced.Replace(src), unspaced.Replace(m.inside+m.code))
}

// unspaced takes out the space that gofmt may set or leave out.
var unspaced = strings.NewReplacer(" ", "", "\t", "", "\n", "")

// factor returns the code as a factor of a product.
func (m measure) factor() string {
	x, err := parser.ParseExpr(m.code)
	if err != nil {
		return m.code
	}
	if b, ok := x.(*ast.BinaryExpr); ok && (b.Op == token.ADD || b.Op == token.SUB) {
		return "(" + m.code + ")"
	}
	return m.code
}

var (
	aloneLine   = regexp.MustCompile(`(?m)^ *// s\.M\(k\), M one of: (.*)$`)
	withinLine  = regexp.MustCompile(`(?m)^ *// s\.M\(k, R\), M with radii R: (.*)$`)
	measureLine = regexp.MustCompile(`(?m)^ *// (s\.\w+\(k(?:, [0-9.]+)?\)): (.*)$`)
	methodCall  = regexp.MustCompile(`^s\.(\w+)(?:\((?:k, )?([0-9.]+)?k?\))?$`)
)

// parseMeasures returns the measures of a candidate that the rules of a prompt list: those in words, and then those by
// their names alone.
func parseMeasures(system string) []measure {
	var all []measure
	add := func(call, says string) {
		name := nameOf(call)
		if says == "" {
			says = strings.ReplaceAll(name, "_", " ")
		}
		if !slices.ContainsFunc(all, func(m measure) bool { return m.code == call }) {
			all = append(all, measure{name: name, code: call, says: says})
		}
	}
	for _, m := range measureLine.FindAllStringSubmatch(system, -1) {
		add(m[1], m[2])
	}
	for _, line := range aloneLine.FindAllStringSubmatch(system, -1) {
		for _, name := range strings.Split(line[1], ", ") {
			add("s."+name+"(k)", "")
		}
	}
	for _, line := range withinLine.FindAllStringSubmatch(system, -1) {
		for _, entry := range strings.Split(line[1], ", ") {
			name, radii, _ := strings.Cut(entry, " ")
			for _, r := range strings.Fields(radii) {
				add("s."+name+"(k, "+r+")", "")
			}
		}
	}
	return all
}

// shortForm matches the name of a measure in tables: its method, with a radius or without.
var shortForm = regexp.MustCompile(`^([A-Z]\w*)(?: ([0-9.]+))?$`)

// codeOf returns the code of the measure that a table names: "TipAlong 1.5" is s.TipAlong(k, 1.5). Other names are code
// already.
func codeOf(name string) string {
	m := shortForm.FindStringSubmatch(name)
	switch {
	case m == nil:
		return name
	case m[2] == "":
		return "s." + m[1] + "(k)"
	}
	return "s." + m[1] + "(k, " + m[2] + ")"
}

// nameOf returns the stand-in's name of the measure that a code computes: s.LeftHere(k, 2) is left_here_2. Of products
// the name says by what: s.Progress() * s.Skip(k) is skip_late. All that is about the depot has a name that begins with
// it, and so is kin.
func nameOf(code string) string {
	if of, ok := strings.CutPrefix(code, "s.Progress() * "); ok {
		return nameOf(of) + "_late"
	}
	if of, ok := strings.CutPrefix(code, "(1 - s.Remaining) * "); ok {
		return nameOf(of) + "_full"
	}
	if of, ok := strings.CutPrefix(code, "s.IsDepot(k) * "); ok {
		return "depot_" + nameOf(of)
	}
	m := methodCall.FindStringSubmatch(code)
	if m == nil {
		return code
	}
	var b strings.Builder
	for i, r := range strings.ReplaceAll(m[1], "IsDepot", "Depot") {
		if i > 0 && 'A' <= r && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	name := strings.ToLower(b.String())
	if radius, err := strconv.ParseFloat(m[2], 64); err == nil {
		name += "_" + strconv.Itoa(int(radius))
	}
	return name
}

// signal is a measure with the reason to count it: want says what it would win, in nats of the loss a state for a term
// that spreads by τ_h. It is positive if more of the measure is preferred, negative if less is.
type signal struct {
	measure
	want float64
}

// verb is what a candidate does by a measure.
func (s signal) verb() string {
	if s.want < 0 {
		return "loses"
	}
	return "gains"
}

// sentence says a term in the words of a description.
func (s signal) sentence() string { return "A candidate " + s.verb() + " by " + s.says + "." }

// value returns a first size for the weight of a term, in units of scores that are divided by tauH. It is a Newton step
// for a loss whose curvature is a fifth, at least a tenth of τ_h and at most τ_h for each spread of the measure.
func (s signal) value(tauH float64) float64 {
	spread := s.spread
	if spread == 0 {
		spread = 1
	}
	return min(max(5*math.Abs(s.want), 0.1), 1) * tauH / spread
}

// number prints a weight with two digits and a point or an exponent.
func number(x float64) string {
	text := strconv.FormatFloat(x, 'g', 2, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

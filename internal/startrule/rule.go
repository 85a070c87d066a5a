package startrule

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/routing"
)

// Rule is a start rule by name: a score per node, the highest of which starts the tour, ties to the
// lowest index. The name is a wire name: it is what JSON, reports and exported students hold.
type Rule string

// None means that there is no rule: the teacher's start is given.
const None Rule = ""

// entry is one program of the catalogue.
type entry struct {
	rule  Rule
	plain string // one sentence in plain words
	form  Form
}

// Form is a rule by the kind of its score and the numbers of it. An exported solver computes it anew
// (wasm-heuristics/compile/_solver).
type Form struct {
	Kind Kind
	X, Y float64
}

// Kind is a kind of score.
type Kind string

// The kinds of score.
const (
	Near      Kind = "near"      // minus the distance to (X, Y)
	Along     Kind = "along"     // X·x + Y·y
	Centroid  Kind = "centroid"  // X times the distance to the centroid of all nodes
	Isolation Kind = "isolation" // X times the distance to the nearest other node
	First     Kind = "first"     // minus the index
)

// catalogue in the order in which ties of Fit are settled: simplest first.
var catalogue = []entry{
	{"nearest-lower-left", "Start at the node nearest to the lower left corner of the unit square.", near(0, 0)},
	{"nearest-lower-right", "Start at the node nearest to the lower right corner of the unit square.", near(1, 0)},
	{"nearest-upper-left", "Start at the node nearest to the upper left corner of the unit square.", near(0, 1)},
	{"nearest-upper-right", "Start at the node nearest to the upper right corner of the unit square.", near(1, 1)},
	{"leftmost", "Start at the leftmost node.", along(-1, 0)},
	{"rightmost", "Start at the rightmost node.", along(1, 0)},
	{"lowest", "Start at the lowest node.", along(0, -1)},
	{"highest", "Start at the highest node.", along(0, 1)},
	{"furthest-lower-left", "Start at the node with the smallest x + y.", along(-1, -1)},
	{"furthest-lower-right", "Start at the node with the largest x - y.", along(1, -1)},
	{"furthest-upper-left", "Start at the node with the smallest x - y.", along(-1, 1)},
	{"furthest-upper-right", "Start at the node with the largest x + y.", along(1, 1)},
	{"nearest-left-edge-middle", "Start at the node nearest to the middle of the left edge of the unit square.",
		near(0, 0.5)},
	{"nearest-right-edge-middle", "Start at the node nearest to the middle of the right edge of the unit square.",
		near(1, 0.5)},
	{"nearest-lower-edge-middle", "Start at the node nearest to the middle of the lower edge of the unit square.",
		near(0.5, 0)},
	{"nearest-upper-edge-middle", "Start at the node nearest to the middle of the upper edge of the unit square.",
		near(0.5, 1)},
	{"farthest-from-centroid", "Start at the node farthest from the centroid of all nodes.",
		Form{Kind: Centroid, X: 1}},
	{"nearest-centroid", "Start at the node nearest to the centroid of all nodes.", Form{Kind: Centroid, X: -1}},
	{"most-isolated", "Start at the node whose nearest neighbour is farthest away.", Form{Kind: Isolation, X: 1}},
	{"most-crowded", "Start at the node whose nearest neighbour is closest.", Form{Kind: Isolation, X: -1}},
	{"first-listed", "Start at the node listed first.", Form{Kind: First}},
}

// Catalogue returns the names of the rules without parameters, the simplest first.
func Catalogue() []Rule {
	rules := make([]Rule, len(catalogue))
	for i, e := range catalogue {
		rules[i] = e.rule
	}
	return rules
}

// Start returns the node at which a tour of in begins. It panics on None and on an unknown name;
// names from outside pass UnmarshalText first.
func (r Rule) Start(in *routing.Instance) int {
	e, ok := find(r)
	if !ok {
		panic(fmt.Sprintf("startrule: no rule %q", string(r)))
	}
	score := e.form.score(in)
	best, bestScore := 0, math.Inf(-1)
	for i := range in.N() {
		if v := score(i); v > bestScore {
			best, bestScore = i, v
		}
	}
	return best
}

// Describe returns the rule in one plain sentence, also of None in a student of tours.
func (r Rule) Describe() string {
	if r == None {
		return "The student has no start rule: without a start, tours begin at the first node."
	}
	e, ok := find(r)
	if !ok {
		panic(fmt.Sprintf("startrule: no rule %q", string(r)))
	}
	return e.plain
}

// UnmarshalText accepts the empty name of None, the names of the catalogue, and nearest-to-X-Y with two decimals each.
func (r *Rule) UnmarshalText(text []byte) error {
	name := Rule(text)
	if _, ok := find(name); !ok && name != None {
		return fmt.Errorf("start rule %q is unknown, want nearest-to-X-Y or one of %v", string(name), Catalogue())
	}
	*r = name
	return nil
}

// placeFormat is the name of the rules with parameters: nearest to a place x, y of the unit square.
const placeFormat = "nearest-to-%.2f-%.2f"

// nearestPlace returns the rule that starts nearest to (x, y).
func nearestPlace(x, y float64) Rule { return Rule(fmt.Sprintf(placeFormat, x, y)) }

// find returns the program of a name.
func find(r Rule) (entry, bool) {
	for _, e := range catalogue {
		if e.rule == r {
			return e, true
		}
	}
	var x, y float64
	if _, err := fmt.Sscanf(string(r), "nearest-to-%f-%f", &x, &y); err != nil || nearestPlace(x, y) != r ||
		!inSquare(x) || !inSquare(y) {
		return entry{}, false
	}
	return entry{r, fmt.Sprintf("Start at the node nearest to the place x = %.2f, y = %.2f of the unit square.", x, y),
		near(x, y)}, true
}

func inSquare(v float64) bool { return v >= 0 && v <= 1 }

func near(x, y float64) Form    { return Form{Near, x, y} }
func along(dx, dy float64) Form { return Form{Along, dx, dy} }

// Form returns the rule as a Form, that of the first node for None.
func (r Rule) Form() Form {
	e, ok := find(r)
	if !ok {
		return Form{Kind: First}
	}
	return e.form
}

// score sees all coordinates of the instance once, so that it may gather what it needs, and returns the score per node.
// Squares stand for distances, which they order alike: a square has the same bits on every machine, and math.Hypot need
// not.
func (f Form) score(in *routing.Instance) func(i int) float64 {
	switch f.Kind {
	case Near:
		return func(i int) float64 { return -squaredTo(in, i, f.X, f.Y) }
	case Along:
		return func(i int) float64 {
			x, y := in.XY(i)
			return f.X*float64(x) + f.Y*float64(y)
		}
	case Centroid:
		var cx, cy float64
		for i := range in.N() {
			x, y := in.XY(i)
			cx += float64(x)
			cy += float64(y)
		}
		cx /= float64(in.N())
		cy /= float64(in.N())
		return func(i int) float64 { return f.X * squaredTo(in, i, cx, cy) }
	case Isolation:
		return func(i int) float64 {
			nearest := math.Inf(1)
			for j := range in.N() {
				if j != i {
					x, y := in.XY(j)
					nearest = min(nearest, squaredTo(in, i, float64(x), float64(y)))
				}
			}
			return f.X * nearest
		}
	}
	return func(i int) float64 { return -float64(i) }
}

// squaredTo returns the square of the distance from node i to a place.
func squaredTo(in *routing.Instance, i int, x, y float64) float64 {
	xi, yi := in.XY(i)
	dx, dy := float64(xi)-x, float64(yi)-y
	return float64(dx*dx) + float64(dy*dy)
}

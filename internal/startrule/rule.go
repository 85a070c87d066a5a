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

// entry is one program of the catalogue. score sees all coordinates of the instance once, so that it may
// gather what it needs (a centroid, nearest-neighbour distances), and returns the score per node.
type entry struct {
	rule  Rule
	plain string // one sentence in plain words
	score func(in *routing.Instance) func(i int) float64
}

// catalogue in the order in which ties of Fit are settled: simplest first.
var catalogue = []entry{
	{"nearest-lower-left", "Start at the node nearest to the lower left corner of the unit square.", nearestTo(0, 0)},
	{"nearest-lower-right", "Start at the node nearest to the lower right corner of the unit square.", nearestTo(1, 0)},
	{"nearest-upper-left", "Start at the node nearest to the upper left corner of the unit square.", nearestTo(0, 1)},
	{"nearest-upper-right", "Start at the node nearest to the upper right corner of the unit square.", nearestTo(1, 1)},
	{"leftmost", "Start at the leftmost node.", furthestAlong(-1, 0)},
	{"rightmost", "Start at the rightmost node.", furthestAlong(1, 0)},
	{"lowest", "Start at the lowest node.", furthestAlong(0, -1)},
	{"highest", "Start at the highest node.", furthestAlong(0, 1)},
	{"furthest-lower-left", "Start at the node with the smallest x + y.", furthestAlong(-1, -1)},
	{"furthest-lower-right", "Start at the node with the largest x - y.", furthestAlong(1, -1)},
	{"furthest-upper-left", "Start at the node with the smallest x - y.", furthestAlong(-1, 1)},
	{"furthest-upper-right", "Start at the node with the largest x + y.", furthestAlong(1, 1)},
	{"nearest-left-edge-middle", "Start at the node nearest to the middle of the left edge of the unit square.",
		nearestTo(0, 0.5)},
	{"nearest-right-edge-middle", "Start at the node nearest to the middle of the right edge of the unit square.",
		nearestTo(1, 0.5)},
	{"nearest-lower-edge-middle", "Start at the node nearest to the middle of the lower edge of the unit square.",
		nearestTo(0.5, 0)},
	{"nearest-upper-edge-middle", "Start at the node nearest to the middle of the upper edge of the unit square.",
		nearestTo(0.5, 1)},
	{"farthest-from-centroid", "Start at the node farthest from the centroid of all nodes.", fromCentroid(1)},
	{"nearest-centroid", "Start at the node nearest to the centroid of all nodes.", fromCentroid(-1)},
	{"most-isolated", "Start at the node whose nearest neighbour is farthest away.", isolation(1)},
	{"most-crowded", "Start at the node whose nearest neighbour is closest.", isolation(-1)},
	{"first-listed", "Start at the node listed first.", firstListed},
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
	score := e.score(in)
	best, bestScore := 0, math.Inf(-1)
	for i := range in.N() {
		if v := score(i); v > bestScore {
			best, bestScore = i, v
		}
	}
	return best
}

// Describe returns the rule in one plain sentence.
func (r Rule) Describe() string {
	if r == None {
		return "The start is given from outside; there is no start rule."
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
		nearestTo(x, y)}, true
}

func inSquare(v float64) bool { return v >= 0 && v <= 1 }

func nearestTo(x, y float64) func(*routing.Instance) func(int) float64 {
	return func(in *routing.Instance) func(int) float64 {
		return func(i int) float64 {
			xi, yi := in.XY(i)
			return -math.Hypot(float64(xi)-x, float64(yi)-y)
		}
	}
}

func furthestAlong(dx, dy float64) func(*routing.Instance) func(int) float64 {
	return func(in *routing.Instance) func(int) float64 {
		return func(i int) float64 {
			x, y := in.XY(i)
			return dx*float64(x) + dy*float64(y)
		}
	}
}

func fromCentroid(sign float64) func(*routing.Instance) func(int) float64 {
	return func(in *routing.Instance) func(int) float64 {
		var cx, cy float64
		for i := range in.N() {
			x, y := in.XY(i)
			cx += float64(x)
			cy += float64(y)
		}
		cx /= float64(in.N())
		cy /= float64(in.N())
		return func(i int) float64 {
			x, y := in.XY(i)
			return sign * math.Hypot(float64(x)-cx, float64(y)-cy)
		}
	}
}

func isolation(sign float64) func(*routing.Instance) func(int) float64 {
	return func(in *routing.Instance) func(int) float64 {
		return func(i int) float64 {
			nearest := math.Inf(1)
			for j := range in.N() {
				if j != i {
					nearest = min(nearest, in.Dist(i, j))
				}
			}
			return sign * nearest
		}
	}
}

func firstListed(*routing.Instance) func(int) float64 {
	return func(i int) float64 { return -float64(i) }
}

package features

import (
	"slices"
	"strings"
	"sync"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Set is the named features of one setting.
type Set struct {
	Node  []Feature // f(n) of a candidate, [F]
	State []Feature // z(s) of a decision state, [Z]

	open func(*routing.Instance) measures
}

// Feature is one measure of a candidate or of a decision state.
type Feature struct {
	Name string // short identifier, such as "left_behind_right" or "crowd_2"
	Call string // Go expression that a program writes, such as "s.LeftBehindRight(k)"; "" where there is none
	Says string // in words, as it stands in a sentence: "what leaving it costs on the right"

	// High and Low are short phrases for a high value and for a low one. Those of a candidate say which ones these are:
	// "isolated cities", "cities with a close neighbour". Those of a state say where one is: "late in the tour",
	// "early in the tour".
	High, Low string
}

// GoName returns the feature's name as a Go identifier: "tip_along_3" becomes "tipAlong3".
func (f Feature) GoName() string {
	parts := strings.Split(f.Name, "_")
	for i, p := range parts[1:] {
		parts[1+i] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}

// settings are the problems and views that have features, with those of class local and of lookahead.
var settings = []struct {
	problem      routing.Problem
	view         routing.View
	local, ahead func() *Set
}{
	{routing.TSP, routing.Full, once(tspSet, false), once(tspSet, true)},
	{routing.CVRP, routing.Full, once(cvrpSet, false), once(cvrpSet, true)},
}

func once(set func(ahead bool) *Set, ahead bool) func() *Set {
	return sync.OnceValue(func() *Set { return set(ahead) })
}

// Products returns how many products a router of these features has: one for each pair of a feature of the state or the
// constant 1, and a feature of a candidate or the confidence of a program.
func (set *Set) Products() int { return (1 + len(set.State)) * (len(set.Node) + 1) }

// Distance returns the index of the distance among the features of a candidate. Every program of a sketch keeps it.
func (set *Set) Distance() int {
	return slices.IndexFunc(set.Node, func(f Feature) bool { return f.Name == "distance" })
}

// MostKept is how many products a router of few may have: they are chosen among so many.
const MostKept = 2000

// Of returns the features of a problem with a view that are of a class or a lower one, and whether there are any: those
// of lookahead follow the local ones. There are none of plans. The set is shared, so callers must not change it.
func Of(problem routing.Problem, view routing.View, class sdk.Class) (*Set, bool) {
	for _, s := range settings {
		switch {
		case s.problem != problem || s.view != view:
			continue
		case class.Above(sdk.ClassLocal):
			return s.ahead(), true
		default:
			return s.local(), true
		}
	}
	return nil, false
}

// Decision is what one decision state shows, as in rollout.Shard and routing.Row.
type Decision struct {
	Step, First, Current, Remaining int32
	Candidates, Waiting             []uint16 // increasing
}

// measures reads the features of decisions of one instance.
type measures interface {
	read(at Decision, f, z []float32)
}

// Reader computes the features of decisions. It is for one goroutine.
type Reader struct {
	set  *Set
	inst measures
}

// NewReader returns a reader that has no instance yet.
func (set *Set) NewReader() *Reader { return &Reader{set: set} }

// Open moves the reader to an instance. It costs N².
func (r *Reader) Open(inst *routing.Instance) { r.inst = r.set.open(inst) }

// Read computes the features of a decision of the opened instance with K ≥ 1 candidates: f is [K,F] row-major, z is
// [Z]. It allocates nothing once it has seen as many candidates.
func (r *Reader) Read(at Decision, f, z []float32) { r.inst.read(at, f, z) }

// Squares returns the sum of squared differences of feature j from its mean over the candidates of a state, whose F
// features are f, [K,F] row-major.
func Squares(f []float32, j, F int) (sum float64) {
	K, mean := len(f)/F, 0.0
	for k := range K {
		mean += float64(f[k*F+j]) / float64(K)
	}
	for k := range K {
		d := float64(f[k*F+j]) - mean
		sum += d * d
	}
	return sum
}

// nodeFeature is a Feature of a candidate and how a State S computes it.
type nodeFeature[S any] struct {
	Feature
	of func(s *S, k int) float32
}

// stateFeature is a Feature of a state and how a State S computes it.
type stateFeature[S any] struct {
	Feature
	of func(s *S, k1, k2 int) float32 // of the nearest and the second-nearest candidate
}

// ofNode is a row of a table: first the code, which is what a program writes and what a State computes, then the words.
func ofNode[S any](name, call string, of func(s *S, k int) float32, says, high, low string) nodeFeature[S] {
	return nodeFeature[S]{Feature{name, call, says, high, low}, of}
}

// ofState is a row of a table, as ofNode is.
func ofState[S any](name, call string, of func(s *S, k1, k2 int) float32, says, high, low string) stateFeature[S] {
	return stateFeature[S]{Feature{name, call, says, high, low}, of}
}

// newSet returns the set of two tables.
func newSet[S any](node []nodeFeature[S], state []stateFeature[S], open func(*routing.Instance) measures) *Set {
	set := &Set{open: open}
	for _, f := range node {
		set.Node = append(set.Node, f.Feature)
	}
	for _, f := range state {
		set.State = append(set.State, f.Feature)
	}
	return set
}

// weight is a measure of the state that some features of a candidate also count times.
type weight[S any] struct {
	suffix string // of their names
	call   string // before their calls
	says   string // after what they say
	ends   string // after what they say of high and of low
	of     func(*S) float32
}

// times returns the features of these names times the weight. It panics on a name that no feature has.
func (w weight[S]) times(node []nodeFeature[S], names []string) []nodeFeature[S] {
	out := make([]nodeFeature[S], len(names))
	for i, name := range names {
		f := node[slices.IndexFunc(node, func(f nodeFeature[S]) bool { return f.Name == name })]
		out[i] = ofNode(f.Name+"_"+w.suffix, w.call+f.Call,
			func(s *S, k int) float32 { return w.of(s) * f.of(s, k) },
			f.Says+w.says, f.High+w.ends, f.Low+w.ends)
	}
	return out
}

// places returns the coordinates of the nodes.
func places(inst *routing.Instance) (x, y []float32) {
	x, y = make([]float32, inst.N()), make([]float32, inst.N())
	for i := range x {
		x[i], y[i] = inst.XY(i)
	}
	return x, y
}

// fill computes the features of the decision that s is set to, feature by feature: its State works out a measure of all
// candidates at once. k1 and k2 are the nearest and the second-nearest candidate.
func fill[S any](s *S, k1, k2, K int, node []nodeFeature[S], state []stateFeature[S], f, z []float32) {
	F := len(node)
	f = f[:K*F]
	for i := range node {
		of := node[i].of
		for k, at := 0, i; at < len(f); k, at = k+1, at+F {
			f[at] = of(s, k)
		}
	}
	for i := range state {
		z[i] = state[i].of(s, k1, k2)
	}
}

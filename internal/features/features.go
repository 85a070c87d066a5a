package features

import (
	"strings"
	"sync"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Set is the named features of one setting.
type Set struct {
	Node  []Feature // f(n) of a candidate, [F]
	State []Feature // z(s) of a decision state, [Z]

	// In phrases, for each of Node what its candidates are, and for each of State where one then is.
	NodeEnds, StateEnds []Ends

	open func(*routing.Instance) measures
}

// Ends says in short phrases what a feature means where it is high and where it is low: "isolated cities" and "cities
// with a close neighbour" of a candidate, "late in the tour" and "early in the tour" of a state.
type Ends struct{ High, Low string }

// Feature is one measure of a candidate or of a decision state.
type Feature struct {
	Name string // short identifier, such as "left_behind_right" or "crowd_2"
	Call string // Go expression that a program writes, such as "s.LeftBehindRight(k)"; "" where there is none
	Says string // in words, as it stands in a sentence: "what leaving it costs on the right"
}

// DefaultMemory is how many bytes of features are kept for those who read them again and again: those of about ten
// million candidates.
const DefaultMemory = 4 << 30

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

// newSet returns the set of two tables, with the phrases of their features by name.
func newSet[S any](
	node []nodeFeature[S], state []stateFeature[S], nodeEnds, stateEnds map[string]Ends,
	open func(*routing.Instance) measures,
) *Set {
	set := &Set{open: open}
	for _, f := range node {
		set.Node, set.NodeEnds = append(set.Node, f.Feature), append(set.NodeEnds, nodeEnds[f.Name])
	}
	for _, f := range state {
		set.State, set.StateEnds = append(set.State, f.Feature), append(set.StateEnds, stateEnds[f.Name])
	}
	return set
}

// weightedEnds adds the phrases of features that weighted made: those of the features themselves, and the weight's.
func weightedEnds(ends map[string]Ends, names []string, suffix, says string) {
	for _, name := range names {
		of := ends[name]
		ends[name+"_"+suffix] = Ends{of.High + says, of.Low + says}
	}
}

// weighted returns the features of these names times a weight of the state. Names end in suffix, calls begin with call.
func weighted[S any](
	node []nodeFeature[S], names []string, suffix, call, says string, weight func(*S) float32,
) []nodeFeature[S] {
	var out []nodeFeature[S]
	for _, name := range names {
		for _, f := range node {
			if f.Name == name {
				out = append(out, nodeFeature[S]{
					Feature{f.Name + "_" + suffix, call + f.Call, f.Says + says},
					func(s *S, k int) float32 { return weight(s) * f.of(s, k) },
				})
			}
		}
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

package analysis

import (
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Entry is what a programmer wants to know of a function of an SDK package.
type Entry struct {
	Name      string    `json:"name"`
	Signature string    `json:"signature"` // as it is declared: "func (s *State) Crowd(k int, r float32) float32"
	Doc       string    `json:"doc"`
	Class     sdk.Class `json:"class"`
	Why       string    `json:"why,omitempty"` // it has this class, where that is not local
	// Plans: it drafts the rest if the number of its steps is no constant of the program.
	Plans bool   `json:"plans,omitempty"`
	Cost  string `json:"cost"`  // of scoring all K candidates by it, or of one call for the whole state: "O(K²)"
	Nodes int    `json:"nodes"` // of its syntax tree, with all functions of the SDK that it reaches
	Lines int    `json:"lines"` // of code, counted the same way
	Text  string `json:"text"`  // its source
}

// Reference returns the exported functions of an SDK package, sorted by name. It returns none if there is no such
// package.
func Reference(sdkName string) []Entry {
	var all []Entry
	methods := map[string]Method{}
	for _, m := range Methods(sdkName) {
		methods[m.Name] = m
	}
	for f, body := range sdkFunctions() {
		sig := f.Signature()
		if f.Pkg().Path() != path.Join(sdk.Path, sdkName) || !f.Exported() || f.Name() == "Set" ||
			strings.HasPrefix(f.Name(), "New") {
			continue // Set and New… are the host's
		}
		if sig.Recv() != nil && !source.IsState(deref(sig.Recv().Type())) {
			continue
		}
		e := Entry{Name: f.Name(), Class: sdk.ClassLocal, Doc: strings.TrimSpace(body.decl.Doc.Text())}
		e.Text = body.Source(body.decl.Pos(), body.decl.End())
		e.Signature = strings.TrimSpace(body.Source(body.decl.Pos(), body.decl.Body.Pos()))
		if m, ok := methods[e.Name]; ok && sig.Recv() != nil {
			e.Class, e.Why, e.Plans = m.Class, m.Why, m.Plans
		}
		e.Cost, e.Nodes, e.Lines = body.weigh(f)
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// weigh returns the cost of a function of the SDK and its size with all that it reaches.
func (body function) weigh(f *types.Func) (cost string, nodes, lines int) {
	small := make([]argument, f.Signature().Params().Len())
	for i := range small {
		small[i].bound = short
	}
	sum := newUnfolder(source.Unit{}).unfold(f, small)
	perCandidate := 0
	if params := f.Signature().Params(); params.Len() > 0 && params.At(0).Name() == "k" {
		perCandidate = 1
	}
	nodes, lines = sizeOf(body.Unit, body.decl)
	for _, g := range reachedFrom(body.Unit, body.decl) {
		if other, ok := sdkFunctions()[g]; ok && g != f.Origin() {
			n, l := sizeOf(other.Unit, other.decl)
			nodes, lines = nodes+n, lines+l
		}
	}
	return order(max(sum.cost+perCandidate, sum.once)), nodes, lines
}

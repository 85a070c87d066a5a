package sdk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// Package describes an SDK package: what programs on one problem, with one view of it, are written for. The rest of
// what differs from one to another is in its folder: the Go files, guest.tmpl and prompts.tmpl.
type Package struct {
	Name     string                // the last element of its import path, and its folder
	Problem  routing.Problem       // what its programs decide on
	View     routing.View          // what they see of it
	Kind     uint32                // of the decision, as a module names it to its host (see package compile)
	ViaDepot bool                  // they decide on the next customer and the way there at once (see rollout.Shard)
	Within   string                // Name of the whole instance's package, "" where this is it; prompts go back to it
	Signs    map[Category][]string // what of its State tells a program's category: fields, methods; lengths of lists
	Bank     string                // one that comes with EPB and is written for it

	// Rulings are the classes of those methods of its State, unexported ones too, whose bodies do not tell them.
	Rulings map[string]Ruling
}

// Path returns the import path.
func (p Package) Path() string { return Path + "/" + p.Name }

// Packages holds all SDK packages. For each problem, and each kind of decision, the one that shows most comes first.
var Packages = []Package{
	{
		Name: "tsp", Problem: routing.TSP, View: routing.Full, Kind: 1, Bank: "tsp-starter",
		Signs: map[Category][]string{
			Phase: {"Step", "Progress", "Phase", "K"},
			Lookahead: {"FollowUp", "GreedyChain", "NearestPath", "InsertionPath", "PathLength", "Uncross",
				"ScoreAlong", "TwoStep", "SecondStep", "WalkLength", "WalkHome", "WalkStrands", "Window", "WindowHome"},
		},
		Rulings: map[string]Ruling{
			"findGaps":    {Class: ClassLocal, Why: "sorts the directions around each candidate into sectors"},
			"visited":     {Class: ClassLocal, Why: "lists the cities visited before"},
			"findNearest": {Class: ClassLocal, Why: "orders the nearest candidates by their distance", Loops: 1},
			"findWindows": {Class: ClassLookahead, Why: "tries all orders of four candidates", Loops: 2},
		},
	},
	{
		Name: "subtsp", Problem: routing.TSP, View: routing.Subgraph, Kind: 1, Within: "tsp", Bank: "lehd-tsp100",
		Signs: map[Category][]string{Phase: {"K"}, Lookahead: {"FollowUp", "GreedyChain"}},
		Rulings: map[string]Ruling{
			"Row": {Class: ClassLocal, Why: "copies a row of distances once a state", Loops: 0},
		},
	},
	{
		Name: "cvrp", Problem: routing.CVRP, View: routing.Full, Kind: 2, Bank: "cvrp-starter",
		Signs: map[Category][]string{
			Phase: {"Progress", "K", "Waiting", "TotalWaiting", "LoadsLeft"},
			Lookahead: {"NextFit", "GrowRoute", "RouteLength", "Uncross", "ScoreAlong", "TwoStep",
				"SecondStep", "WalkLength", "WalkHome", "WalkLoad", "WalkSaving"},
			Capacity: {"Remaining", "Left", "Below", "FitAfter", "RoomAfter", "Fill", "FitShareAfter",
				"NextFitDistance", "WalkLoad", "FitNear", "AllFit", "FitShare", "FullestFill", "NearestFit",
				"LeastHomeDetour", "FitDensityHere", "Fitting"},
		},
	},
	{
		Name: "subcvrp", Problem: routing.CVRP, View: routing.Subgraph, Kind: 3, ViaDepot: true, Within: "cvrp",
		Bank: "lehd-cvrp100",
		Signs: map[Category][]string{
			Phase:    {"K", "Waiting", "TotalWaiting"},
			Capacity: {"Remaining", "Left", "Fill", "Fitting"},
		},
		Rulings: map[string]Ruling{
			"Row": {Class: ClassLocal, Why: "copies a row of distances once a state", Loops: 0},
		},
	},
}

// Find returns the package for programs on a problem with a view. The error says which there are.
func Find(problem routing.Problem, view routing.View) (Package, error) {
	at := slices.IndexFunc(Packages, func(p Package) bool { return p.Problem == problem && p.View == view })
	if at >= 0 {
		return Packages[at], nil
	}
	var problems, views []string
	for _, p := range Packages {
		problems, views = append(problems, string(p.Problem)), append(views, string(p.View))
	}
	switch {
	case !slices.Contains(problems, string(problem)):
		return Package{}, fmt.Errorf("problem %.80q, want %s", problem, OneOf(problems))
	case !slices.Contains(views, string(view)):
		return Package{}, fmt.Errorf("view %.80q, want %s", view, OneOf(views))
	}
	return Package{}, fmt.Errorf("there is no SDK package for %s with the %s view", problem, view)
}

// Deciding returns the package that shows most among those whose programs decide as states do, those of shards for
// example: on this problem, by way of the depot or not. The error says that there is none.
func Deciding(problem routing.Problem, viaDepot bool) (Package, error) {
	at := slices.IndexFunc(Packages, func(p Package) bool { return p.Problem == problem && p.ViaDepot == viaDepot })
	if at < 0 {
		return Package{}, fmt.Errorf("there is no SDK package for such decisions on %s (by way of the depot: %v)",
			problem, viaDepot)
	}
	return Packages[at], nil
}

// Names returns the names of all packages.
func Names() []string {
	names := make([]string, len(Packages))
	for i, p := range Packages {
		names[i] = p.Name
	}
	return names
}

// OneOf lists words for a message, each once: "a, b or c". There must be one at least.
func OneOf(words []string) string {
	var once []string
	for _, w := range words {
		if !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	last := len(once) - 1
	if last == 0 {
		return once[0]
	}
	return strings.Join(once[:last], ", ") + " or " + once[last]
}

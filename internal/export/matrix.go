package export

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// byDistances are the fields and methods of a State, in any SDK, that need no more than distances, counts and demands.
// TestByDistances computes them without coordinates.
var byDistances = []string{
	"AllFit", "AtDepot", "Below", "Candidates", "Closer", "Crowd", "CrowdBetween", "CrowdBeyond", "CrowdHere",
	"Current", "Demand", "DemandNear", "Density", "DensityBeyond", "DensityHere", "Detour", "Dist", "Distance",
	"DistanceRatio", "DistanceSquared", "FartherFromDepot", "FartherFromStart", "Fill", "First", "FitAfter",
	"FitDensityHere", "FitNear", "FitShare", "FitShareAfter", "Fitting", "FollowUp", "FullestFill", "GreedyChain",
	"HomeDetour", "HomeDistance", "IsDepot", "IsNearest", "IsNearestToStart", "Isolation", "K", "Larger",
	"LeastHomeDetour", "Left", "LeftBehind", "LeftBehindMost", "Load", "LoadsLeft", "LogDistance", "MeanDistance",
	"Missed", "MissedMost", "MostIsolation", "MostSkip", "N", "Nearest", "NearestApart", "NearestFit",
	"NearestFitting", "NearestLeftBehind", "NearestOther", "NearestToDepot", "NearestToStart", "NearestTwo",
	"NeighbourRegret", "NextFit", "NextFitDistance", "Onward", "Outward", "OutwardStep", "Phase", "Progress",
	"Rank", "Regret", "Remaining", "Rise", "RoomAfter", "Row", "Saving", "SavingHere", "SecondRise", "SecondStep",
	"ServedDensity", "ServedDistance", "ServedShare", "Skip", "StartDistance", "Step", "ThirdRatio", "ToDepot",
	"ToStart", "TotalWaiting", "TwoStep", "Unit", "Via", "ViaNearest", "VisitedCrowd", "VisitedDistance",
	"VisitedShare", "Waiting", "WalkHome", "WalkLength", "WalkLoad", "WalkSaving", "WalkStrands", "Window",
	"WindowHome", "Within",
}

// startsByDistances are the start rules that need no coordinates.
var startsByDistances = []startrule.Rule{startrule.None, "first-listed"}

// called finds what a feature's expression asks of the state.
var called = regexp.MustCompile(`\bs\.([A-Z]\w*)`)

// needsCoordinates names the first thing of a student that needs coordinates: "program NAME (by PlaceX)", the router or
// the start rule. It is empty where distances are enough.
func needsCoordinates(files distilled.Files) (string, error) {
	s, err := Solver(files)
	if err != nil {
		return "", err
	}
	return needsPlaces(files, s)
}

// needsPlaces is needsCoordinates of a student whose solver is s.
func needsPlaces(files distilled.Files, s compile.Solver) (string, error) {
	needs := func(name string) bool { return !slices.Contains(byDistances, name) }
	for _, h := range files.Bank.Heuristics {
		c, err := heuristic.Check(h.Source)
		if err != nil {
			return "", fmt.Errorf("program %s: %w", h.Name, err)
		}
		if flows := analysis.Flows(c); slices.ContainsFunc(flows, needs) {
			return fmt.Sprintf("program %s (by %s)", h.Name, flows[slices.IndexFunc(flows, needs)]), nil
		}
	}
	for _, call := range called.FindAllStringSubmatch(strings.Join(slices.Concat(s.Node, s.State), " "), -1) {
		if needs(call[1]) {
			return fmt.Sprintf("the router (by %s)", call[1]), nil
		}
	}
	if rule := files.Manifest.Start; !problems.Must(files.Bank.Problem).Traits().Depot &&
		!slices.Contains(startsByDistances, rule) {
		return fmt.Sprintf("the start rule %s", rule), nil
	}
	return "", nil
}

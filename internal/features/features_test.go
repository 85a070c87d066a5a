package features_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// setting is one that has features.
type setting struct {
	problem routing.Problem
	view    routing.View
	set     *features.Set
}

func settings(t testing.TB) []setting {
	t.Helper()
	all := []setting{{problem: routing.TSP, view: routing.Full}, {problem: routing.CVRP, view: routing.Full}}
	for i := range all {
		set, ok := features.Of(all[i].problem, all[i].view, sdk.ClassLookahead)
		if !ok {
			t.Fatalf("no features of %s", all[i].problem)
		}
		all[i].set = set
	}
	return all
}

// instances are small ones, uniform and degenerate.
func (of setting) instances() []routing.Instance {
	def := problems.Must(of.problem)
	all := append(def.Generate(20, 3, 1), def.Generate(60, 1, 2)...)
	for _, c := range def.Hard() {
		if c.Instance.N() <= 60 {
			all = append(all, c.Instance)
		}
	}
	return all
}

// decisions returns the decisions of a random solution.
func (of setting) decisions(t testing.TB, inst *routing.Instance, seed uint64) []features.Decision {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	def := problems.Must(of.problem)
	var all []features.Decision
	for s := def.NewState(inst, false); !s.Done(); {
		row, candidates := s.Row(), s.Candidates(nil)
		if row.Step > 0 || def.Traits().Depot {
			all = append(all, features.Decision{
				Step: row.Step, First: row.First, Current: row.Current, Remaining: row.Remaining,
				Candidates: candidates, Waiting: s.Waiting(nil),
			})
		}
		if err := s.Step(int32(candidates[rng.IntN(len(candidates))])); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestOf(t *testing.T) {
	if _, ok := features.Of(routing.TSP, routing.Subgraph, sdk.ClassLookahead); ok {
		t.Error("features of a setting that has none")
	}
	for _, of := range settings(t) {
		names, calls := map[string]bool{}, map[string]bool{}
		for _, f := range slices.Concat(of.set.Node, of.set.State) {
			if names[f.Name] || calls[f.Call] || f.Name == "" || f.Call == "" || f.Says == "" {
				t.Errorf("%s: feature %+v: a name or a call is missing, or that of another feature", of.problem, f)
			}
			names[f.Name], calls[f.Call] = true, true
		}
	}
}

// values returns the features of some decisions of an instance by name: of all candidates, then of the state.
func values(set *features.Set, inst *routing.Instance, decisions []features.Decision) map[string][]float64 {
	r, F := set.NewReader(), len(set.Node)
	r.Open(inst)
	all := map[string][]float64{}
	for _, at := range decisions {
		f, z := make([]float32, len(at.Candidates)*F), make([]float32, len(set.State))
		r.Read(at, f, z)
		for i, v := range f {
			name := set.Node[i%F].Name
			all[name] = append(all[name], float64(v))
		}
		for i, v := range z {
			all[set.State[i].Name] = append(all[set.State[i].Name], float64(v))
		}
	}
	return all
}

// TestFinite: every feature of every decision is a number within ±20, also with one candidate, and if all cities are in
// one place.
func TestFinite(t *testing.T) {
	for _, of := range settings(t) {
		for _, inst := range of.instances() {
			for name, vs := range values(of.set, &inst, of.decisions(t, &inst, 1)) {
				for _, v := range vs {
					if !(math.Abs(v) <= 20) {
						t.Errorf("%s, %s: %s is %v", of.problem, inst.Name, name, v)
					}
				}
			}
		}
	}
}

// moved returns the instance with another place for each city.
func moved(inst routing.Instance, move func(x, y float32) (float32, float32)) *routing.Instance {
	coords := make([]float32, len(inst.Coords))
	for i := range inst.N() {
		coords[2*i], coords[2*i+1] = move(inst.XY(i))
	}
	inst.Coords = coords
	return &inst
}

// absolute reports whether a feature says where something lies in the square.
func absolute(name string) bool {
	return strings.Contains(name, "place_") || strings.HasPrefix(name, "direction_") || name == "to_edge" ||
		name == "sector_x" || name == "sector_y"
}

// like reports whether two lists are the same but for rounding.
func like(a, b []float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) < 2e-3) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestMovedInstance: where an instance lies and how it is turned makes no difference to what does not name the square.
func TestMovedInstance(t *testing.T) {
	for _, of := range settings(t) {
		inst := problems.Must(of.problem).Generate(30, 1, 4)[0]
		decisions := of.decisions(t, &inst, 5)
		want := values(of.set, &inst, decisions)
		for what, move := range map[string]func(x, y float32) (float32, float32){
			"shifted": func(x, y float32) (float32, float32) { return x + 0.25, y - 0.5 },
			"turned":  func(x, y float32) (float32, float32) { return 0.6*x - 0.8*y, 0.8*x + 0.6*y },
		} {
			for name, got := range values(of.set, moved(inst, move), decisions) {
				if !absolute(name) && !like(got, want[name]) {
					t.Errorf("%s, %s: %s differs", of.problem, what, name)
				}
			}
		}
	}
}

// TestMirroredInstance: in a mirror the right is the left, what is positive to the left is negative, and angles go the
// other way round.
func TestMirroredInstance(t *testing.T) {
	of := settings(t)[0]
	set, inst := of.set, problems.Must(of.problem).Generate(30, 1, 4)[0]
	decisions := of.decisions(t, &inst, 5)
	want := values(set, &inst, decisions)
	got := values(set, moved(inst, func(x, y float32) (float32, float32) { return 1 - x, y }), decisions)
	swapped := map[string]string{
		"via_right": "via_left", "left_behind_right": "left_behind_left", "wedge_right": "wedge_left",
		"right_here_1": "left_here_1", "right_here_2": "left_here_2", "right_here_4": "left_here_4",
		"crowd_right_1": "crowd_left_1", "crowd_right_2": "crowd_left_2", "visited_right_2": "visited_left_2",
	}
	negative := []string{
		"left_of_start", "left_of_centroid", "place_x", "direction_x", "right_more_2", "right_more_4", "tip_across_1",
		"tip_across_3", "out_across", "gap_left", "start_triangle", "off_start", "angle_step", "arc_step",
		"centroid_off_start", "nearest_sine", "place_x_here", "start_place_x", "nearest_right_more_4",
	}
	rest := []string{"left_share", "home_right"}
	nameless := []string{ // whose mirror image has no name
		"angle", "angle_lag", "angle_here", "least_angle", "behind", "behind_near_2", "behind_here_2", "behind_share",
		"nearest_behind", "second_behind", "home_right_near_2", "visited_right_here_2", "left_of_start_share",
		"nearest_right_here_2", "second_right_here_2", "nearest_wedge_right", "second_wedge_right",
	}
	for right, left := range swapped {
		if !like(got[right], want[left]) || !like(got[left], want[right]) {
			t.Errorf("%s and %s do not change places", right, left)
		}
		nameless = append(nameless, right, left)
	}
	for name, as := range want {
		for i, v := range as {
			switch {
			case slices.Contains(negative, name):
				as[i] = -v
			case slices.Contains(rest, name):
				as[i] = 1 - v
			}
		}
		if !slices.Contains(nameless, name) && !like(got[name], as) {
			t.Errorf("%s is wrong in the mirror", name)
		}
	}
}

// TestLocalComesFirst: the features of class local are the first of those that may look ahead, so that what was fitted
// to them means the same.
func TestLocalComesFirst(t *testing.T) {
	for _, of := range settings(t) {
		local, ok := features.Of(of.problem, of.view, sdk.ClassLocal)
		if !ok || len(local.Node) >= len(of.set.Node) || len(local.State) != len(of.set.State) {
			t.Fatalf("%s: %d local features of %d", of.problem, len(local.Node), len(of.set.Node))
		}
		for i, f := range local.Node {
			if of.set.Node[i] != f {
				t.Errorf("%s: feature %d is %s, want %s", of.problem, i, of.set.Node[i].Name, f.Name)
			}
		}
	}
}

// The mean is that of the state's candidates.
func TestSquares(t *testing.T) {
	f := []float32{5, 1, 5, 3}
	if constant, varied := features.Squares(f, 0, 2), features.Squares(f, 1, 2); constant != 0 || varied != 2 {
		t.Errorf("squares of 5 and 5 are %v, of 1 and 3 %v, want 0 and 2", constant, varied)
	}
}

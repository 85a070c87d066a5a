package startrule_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
)

// five nodes with one clear winner per geometric question.
var five = routing.Instance{Problem: routing.TSP, Coords: []float32{
	0.50, 0.52, // 0: near the centroid
	0.05, 0.10, // 1: lower left
	0.95, 0.40, // 2: rightmost
	0.45, 0.98, // 3: highest
	0.52, 0.50, // 4: crowded with 0
}}

func TestStart(t *testing.T) {
	for rule, want := range map[startrule.Rule]int{
		"nearest-lower-left":        1,
		"nearest-lower-right":       2,
		"nearest-upper-left":        3,
		"leftmost":                  1,
		"rightmost":                 2,
		"lowest":                    1,
		"highest":                   3,
		"furthest-lower-left":       1,
		"furthest-upper-left":       3,
		"nearest-right-edge-middle": 2,
		"farthest-from-centroid":    1,
		"nearest-centroid":          0,
		"most-isolated":             1,
		"most-crowded":              0, // ties to the lowest index
		"first-listed":              0,
		"nearest-to-0.90-0.30":      2,
	} {
		if got := rule.Start(&five); got != want {
			t.Errorf("%s: starts at %d, want %d", rule, got, want)
		}
	}
}

func TestEveryRuleIsDescribedAndSurvivesJSON(t *testing.T) {
	seen := map[startrule.Rule]bool{}
	for _, rule := range append(startrule.Catalogue(), "nearest-to-0.05-0.30") {
		if seen[rule] {
			t.Errorf("%s twice in the catalogue", rule)
		}
		seen[rule] = true
		if d := rule.Describe(); !strings.HasPrefix(d, "Start at ") || !strings.HasSuffix(d, ".") {
			t.Errorf("%s: %q is no sentence about a start", rule, d)
		}
		data, err := json.Marshal(rule)
		if err != nil {
			t.Fatal(err)
		}
		var back startrule.Rule
		if err := json.Unmarshal(data, &back); err != nil || back != rule {
			t.Errorf("%s came back from JSON as %q, %v", rule, back, err)
		}
	}
	if d := startrule.None.Describe(); !strings.HasPrefix(d, "The student has no start rule: without a start, ") {
		t.Errorf("no rule: %q", d)
	}
	var r startrule.Rule
	for _, bad := range []string{"nearest-moon", "nearest-to-0.5-0.3", "nearest-to-1.50-0.30", "nearest-to-NaN-0.30",
		"nearest-to-0.05-0.30x"} {
		if err := json.Unmarshal([]byte(`"`+bad+`"`), &r); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("rule %s: error %v, want one that names it", bad, err)
		}
	}
	if err := json.Unmarshal([]byte(`""`), &r); err != nil || r != startrule.None {
		t.Errorf("absent rule: %q, %v", r, err)
	}
}

// shardStartingBy lets a teacher start by the rule, with the rest of its mass on node 0.
func shardStartingBy(rule startrule.Rule, insts []routing.Instance) *rollout.Shard {
	n := insts[0].N()
	sh := &rollout.Shard{Problem: routing.TSP, N: n}
	var coords, starts []float32
	for i := range insts {
		coords = append(coords, insts[i].Coords...)
		sh.InstanceOf = append(sh.InstanceOf, int32(i))
		probs := make([]float32, n)
		if rule != startrule.None {
			probs[0] += 0.1
			probs[rule.Start(&insts[i])] += 0.9
		}
		starts = append(starts, probs...)
	}
	sh.Coords, sh.StartProbs = dense.Of(coords, len(insts), n, 2), dense.Of(starts, len(insts), n)
	return sh
}

func TestFitFindsTheRuleThatMadeTheStarts(t *testing.T) {
	insts := tsp.Generate(20, 64, 3)
	for _, want := range append(startrule.Catalogue(), "nearest-to-0.10-0.30") {
		rule, agreement, ranking, err := startrule.Fit([]*rollout.Shard{shardStartingBy(want, insts[:40]),
			shardStartingBy(want, insts[40:])})
		if err != nil {
			t.Fatal(err)
		}
		if rule != want || agreement != 1 {
			t.Errorf("starts by %s: fitted %s with agreement %.3f", want, rule, agreement)
		}
		if len(ranking) != len(startrule.Catalogue())+1 || ranking[0].Rule != rule || ranking[0].Mass < 0.89 ||
			ranking[2].Agreement >= 1 {
			t.Errorf("starts by %s: ranking %v", want, ranking[:3])
		}
	}
}

func TestFitPassesOverGivenStarts(t *testing.T) {
	insts := tsp.Generate(20, 8, 5)
	given := shardStartingBy(startrule.None, insts)
	rule, agreement, ranking, err := startrule.Fit([]*rollout.Shard{given})
	if rule != startrule.None || agreement != 0 || ranking != nil || err != nil {
		t.Errorf("given starts: %q %v %v %v", rule, agreement, ranking, err)
	}
	rule, agreement, _, err = startrule.Fit([]*rollout.Shard{given, shardStartingBy("leftmost", insts)})
	if rule != "leftmost" || agreement != 1 || err != nil {
		t.Errorf("given and chosen starts: %q %v %v", rule, agreement, err)
	}
	if _, _, _, err = startrule.Fit(nil); err == nil {
		t.Error("no shards: no error")
	}
}

// A teacher may solve an instance several times: its trajectories are not numbered as the instances are.
func TestFitOfSeveralSolutionsOfAnInstance(t *testing.T) {
	insts := tsp.Generate(20, 8, 5)
	once := shardStartingBy("leftmost", insts)
	both := &rollout.Shard{Problem: once.Problem, N: once.N, Coords: once.Coords}
	var starts []float32
	for i := range insts {
		for range 2 {
			both.InstanceOf = append(both.InstanceOf, int32(i))
			starts = append(starts, once.StartRow(i)...)
		}
	}
	both.StartProbs = dense.Of(starts, 2*len(insts), both.N)
	rule, agreement, _, err := startrule.Fit([]*rollout.Shard{both})
	if rule != "leftmost" || agreement != 1 || err != nil {
		t.Errorf("two solutions of each instance: %q %v %v", rule, agreement, err)
	}
}

// The rule that names the most probable start most often is the best, even if another one's nodes have more of the
// probability. Of the places that name equally many starts, the first from the lower left is taken.
func TestFitGoesByAgreementFirst(t *testing.T) {
	in := routing.Instance{Problem: routing.TSP, Coords: []float32{0, 0, 1, 1, 0.5, 0.5}}
	insts := []routing.Instance{in, in, in}
	sh := shardStartingBy(startrule.None, insts)
	// Two starts are most probably at the lower left, but hardly so, and one is surely at the upper right.
	sh.StartProbs = dense.Of([]float32{0.4, 0.35, 0.25, 0.4, 0.35, 0.25, 0, 1, 0}, 3, 3)
	rule, agreement, ranking, err := startrule.Fit([]*rollout.Shard{sh})
	if rule != "nearest-lower-left" || agreement != 2./3 || err != nil {
		t.Errorf("fitted %s with agreement %v (%v), want the lower left with 2/3", rule, agreement, err)
	}
	mass := map[startrule.Rule]float64{}
	for _, r := range ranking {
		mass[r.Rule] = r.Mass
	}
	if ll, ur := mass["nearest-lower-left"], mass["nearest-upper-right"]; !(ll < 0.28 && ll > 0.26 && ur > 0.5) {
		t.Errorf("the lower left has the mean probability %v, the upper right %v, want 0.27 and 0.57", ll, ur)
	}
	if _, ok := mass["nearest-to-0.00-0.00"]; !ok {
		t.Errorf("no place at the lower left among %v", ranking)
	}
}

// The published AM for TSP-20 starts near one corner, almost surely.
func TestFitOnAM(t *testing.T) {
	am, err := teacher.Load(testdata.Shared(t, "teachers/am/tsp_20/epoch-99.pt"))
	if err != nil {
		t.Fatal(err)
	}
	sh, err := rollout.Record(t.Context(), am, tsp.Generate(20, 200, 12), routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	rule, share, ranking, err := startrule.Fit([]*rollout.Shard{sh})
	if err != nil {
		t.Fatal(err)
	}
	if share < 0.7 || ranking[0].Mass < 0.7 {
		t.Errorf("the best rule, %s, names the start in %.3f, with mass %.3f", rule, share, ranking[0].Mass)
	}
	if in := tsp.Generate(20, 1, 3)[0]; rule.Start(&in) != startrule.Rule("nearest-lower-right").Start(&in) {
		t.Errorf("%s is not the lower right corner", rule)
	}
}

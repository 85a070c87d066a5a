package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/analysis"
)

// epb sdk lists functions by class and problem, shows one with its source, and names those that are like a wrong name.
func TestSDK(t *testing.T) {
	must(t, []string{"sdk"}, "Crowd(k int, r float32)", "local", "functions of", "how far candidate k is from First")
	must(t, []string{"sdk", "GreedyChain"}, "func (s *State) GreedyChain(k, steps int) float32", "Class  lookahead: ",
		"no constant of the program: plan", "s.used[at] = true")
	out := must(t, []string{"sdk", "--problem", "cvrp", "--class", "plan", "--json"})
	var all []analysis.Entry
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) == 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, e := range all {
		if e.Class != "plan" {
			t.Errorf("%s is %s", e.Name, e.Class)
		}
	}
	for args, want := range map[string]string{
		"sdk crowd": "did you mean Crowd or ", "sdk nosuch": "epb sdk lists them",
		"sdk --problem x": "problem \"x\", want tsp or cvrp", "sdk --class far": "want local, lookahead or plan",
		"sdk Crowd --class plan": "Crowd is of class local",
	} {
		if _, err := epb(t, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("epb %s: %v, want %q", args, err, want)
		}
	}
}

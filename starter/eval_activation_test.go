package main

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// What a figure of the bank's use needs must be in the JSON, for any set of instances.
func TestEvalJSONHasTheActivation(t *testing.T) {
	compiletest.Toolchain(t)
	out := evalJSON(t, evalFlags{teacher: config.BuiltinTeacher, instances: []string{instancesFile(t, 4)},
		decode: "greedy", student: studentFolder(t)})
	a := out.Activation
	if a == nil || a.States != out.Agreement.States || len(a.Heuristics) != 2 {
		t.Fatalf("activation %+v beside %d states of agreement", a, out.Agreement.States)
	}
	var all, deviating float64
	for _, u := range a.Heuristics {
		if u.Category != sdk.Geometry {
			t.Errorf("%s is %q, want %q", u.Name, u.Category, sdk.Geometry)
		}
		all, deviating = all+u.MeanWeight, deviating+u.DeviationWeight
	}
	if math.Abs(all-1) > 1e-5 || (a.Deviations > 0 && math.Abs(deviating-1) > 1e-5) {
		t.Errorf("mean weights add up to %v, and to %v on %d deviations", all, deviating, a.Deviations)
	}
}

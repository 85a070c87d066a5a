package certify_test

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Plans are compared where programs see the whole instance, and programs of a lower class are no plans.
func TestPlanners(t *testing.T) {
	for _, problem := range []routing.Problem{routing.TSP, routing.CVRP} {
		plans, err := certify.Planners(bank.Setting{Problem: problem, View: routing.Full})
		if err != nil || plans == nil || len(plans.Heuristics) == 0 {
			t.Fatalf("%s: %+v (%v)", problem, plans, err)
		}
		for _, h := range plans.Heuristics {
			if n, err := h.Nature(); err != nil || n.Class != sdk.ClassPlan {
				t.Errorf("%s: %s is of class %s (%v)", problem, h.Name, n.Class, err)
			}
		}
		if plans, err := certify.Planners(bank.Setting{Problem: problem, View: routing.Subgraph}); plans != nil {
			t.Errorf("%s: plans for programs that see a part: %v (%v)", problem, plans.Names(), err)
		}
	}
}

package banks_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	tours "github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// TestCoverage: at least one program of a bank knows the next step of a near-optimal tour in nearly every state. The
// tours go counterclockwise from node 0, so that each later state has one next step. No network is asked: a bank that
// is held to the decisions of one would be made for it. -v prints every program's agreement (top-1) and the cost of the
// tours that it builds alone.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		bank         string
		n, instances int
		coverage     float64 // share of states where some program agrees
	}{
		{"tsp-local", 20, 200, 0.9},
		{"tsp-local", 50, 40, 0.9},
		{"tsp-starter", 20, 200, 0.9},
		{"tsp-starter", 50, 40, 0.9},
		{"tsp-planners", 20, 200, 0.985},
		{"tsp-planners", 50, 40, 0.985},
		{"pomo-tsp50", 50, 40, 0.9},
		{"pomo-tsp100", 50, 40, 0.9},
		{"lehd-tsp100", 50, 40, 0.9},
	} {
		t.Run(fmt.Sprintf("%s/N=%d", c.bank, c.n), func(t *testing.T) {
			insts := tours.Generate(c.n, c.instances, 7)
			runs := []routing.Run{{Start: 0, Record: true}}
			sh, err := rollout.Record(
				context.Background(), teacher.NewLocalSearch(), insts, func(int) []routing.Run { return runs }, nil,
			)
			if err != nil {
				t.Fatal(err)
			}
			b := open(t, c.bank)
			covered := make([]bool, sh.States())
			for _, h := range b.Heuristics {
				top1 := agreement(sh, scoreNative(sh, native[h.Name]), covered)
				t.Logf("%-27s top-1 %.3f, alone %+.1f %%", h.Name, top1, 100*aloneGap(t, sh, h))
			}
			checkCoverage(t, sh, covered, c.coverage)
		})
	}
}

// counts reports whether a state counts in agreement and coverage. At node 0, where tours begin and the depot is,
// either direction and any order of the routes is as good.
func counts(st rollout.State) bool { return st.Current != 0 }

// agreement returns the share of states where a program's best candidate is the policy's, and marks them.
func agreement(sh *rollout.Shard, score []float32, covered []bool) float64 {
	agree := make([]bool, len(covered))
	for s := range sh.States() {
		a, b := sh.Offset[s], sh.Offset[s+1]
		if best(score[a:b]) == best(sh.State(s).Probs) {
			agree[s], covered[s] = true, true
		}
	}
	return share(sh, agree)
}

// share returns the share of the states that are marked, of those that count.
func share(sh *rollout.Shard, marked []bool) float64 {
	n, of := 0, 0
	for s := range sh.States() {
		if !counts(sh.State(s)) {
			continue
		}
		of++
		if marked[s] {
			n++
		}
	}
	return float64(n) / float64(of)
}

// checkCoverage demands that some program agrees in at least this share of the states.
func checkCoverage(t *testing.T, sh *rollout.Shard, covered []bool, least float64) {
	t.Helper()
	coverage := share(sh, covered)
	t.Logf("coverage %.4f", coverage)
	if coverage < least {
		t.Errorf("coverage %.4f, want at least %v", coverage, least)
	}
}

// aloneGap returns how much longer than those of the shard the tours are that the program builds alone from the same
// starts.
func aloneGap(t *testing.T, sh *rollout.Shard, h bank.Heuristic) float64 {
	t.Helper()
	var alone, taught float64
	for i := range sh.Instances() {
		inst := sh.Instance(i)
		actions := sh.Actions[i*sh.N : (i+1)*sh.N]
		own := greedy(&inst, actions[0], native[h.Name])
		for _, tour := range []struct {
			actions []int32
			sum     *float64
		}{{actions, &taught}, {own, &alone}} {
			cost, err := tours.Cost(&inst, tour.actions)
			if err != nil {
				t.Fatal(err)
			}
			*tour.sum += cost
		}
	}
	return alone/taught - 1
}

// greedy builds a tour by taking the program's best city at every step.
func greedy(inst *routing.Instance, first int32, score func(*tsp.State, []float32)) []int32 {
	n := inst.N()
	x, y := make([]float32, n), make([]float32, n)
	left := make([]tsp.Node, 0, n)
	for i := range n {
		x[i], y[i] = inst.XY(i)
		if int32(i) != first {
			left = append(left, tsp.Node(i))
		}
	}
	s, scores := tsp.NewState(x, y), make([]float32, n)
	tour := []int32{first}
	for len(left) > 0 {
		s.Set(len(tour), tsp.Node(first), tsp.Node(tour[len(tour)-1]), left)
		score(s, scores[:len(left)])
		k := best(scores[:len(left)])
		tour = append(tour, int32(left[k]))
		left = append(left[:k:k], left[k+1:]...)
	}
	return tour
}

// best returns the index of the largest value, the first of equals.
func best(v []float32) int {
	at := 0
	for i := range v {
		if v[i] > v[at] {
			at = i
		}
	}
	return at
}

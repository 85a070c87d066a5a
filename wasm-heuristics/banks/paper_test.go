package banks_test

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/rollout"
)

// postponementRegret is the paper's listing H10 of POMO TSP-100 in float64. With one city left the listing's nearest
// neighbour is its mask value, the program's is 0: a forced step either way.
func postponementRegret(d func(i, j int) float64, st rollout.State, n int, k int) float64 {
	nearest := math.Inf(1)
	for l, j := range st.Candidates {
		if l != k {
			nearest = min(nearest, d(int(st.Candidates[k]), int(j)))
		}
	}
	if len(st.Candidates) == 1 {
		nearest = 0
	}
	stepNorm := float64(st.Step) / float64(n)
	return -d(st.Current, int(st.Candidates[k])) + (1.5+2*stepNorm)*nearest
}

// twoStepClosure is the paper's listing H01 of LEHD TSP-100 in float64.
func twoStepClosure(d func(i, j int) float64, st rollout.State, n int, k int) float64 {
	K := len(st.Candidates)
	if K == 1 {
		return 0
	}
	sqrtK := math.Sqrt(float64(K))
	lam, wStep := min(1, 1.6/sqrtK), 1+0.3/sqrtK
	if K == 2 {
		lam, wStep = 1, 1
	}
	best := math.Inf(1)
	for l, j := range st.Candidates {
		if l != k {
			best = min(best, d(int(st.Candidates[k]), int(j))+lam*d(int(j), st.Anchor))
		}
	}
	return -(22 + 6/sqrtK) * (wStep*d(st.Current, int(st.Candidates[k])) + best)
}

// TestPaperListings compares the ports with the paper's formulas on whole tours, down to two cities.
func TestPaperListings(t *testing.T) {
	const relative = 1e-5 // float32 of a handful of terms
	for name, listing := range map[string]func(func(i, j int) float64, rollout.State, int, int) float64{
		"postponement_regret":  postponementRegret,
		"two_step_closure":     twoStepClosure,
		"h01_two_step_closure": twoStepClosure,
	} {
		sh := record(t, 17, 5)
		got := scoreNative(sh, native[name])
		for s := range sh.States() {
			st := sh.State(s)
			inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
			for k := range st.Candidates {
				want := listing(inst.Dist, st, sh.N, k)
				if v := float64(got[int(sh.Offset[s])+k]); math.Abs(v-want) > relative*(1+math.Abs(want)) {
					t.Fatalf("%s: state %d, candidate %d: %v, the listing gives %v", name, s, k, v, want)
				}
			}
		}
	}
}

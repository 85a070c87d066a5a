package banks_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	routes "github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// TestNativeAgreesCVRP is TestNativeAgrees for the programs for CVRP that see the whole instance.
func TestNativeAgreesCVRP(t *testing.T) {
	tc := compiletest.Toolchain(t)
	for _, h := range embedded(t, "cvrp") {
		m := admit(t, tc, h)
		for _, n := range []int{2, 20, 50} {
			insts, run := routes.Generate(n, 6, uint64(n)), routing.Run{Start: routing.OwnStart}
			sh := recordCVRP(t, problems.NearestNeighbour{}, insts, run)
			got, err := floats(m.ScoreShard(context.Background(), sh))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, h.Name, sh, got, scoreNativeCVRP(sh, nativeCVRP[h.Name]))
		}
	}
}

// TestCVRPAlone: alone, a program solves instances feasibly and with a sane length, and the best of them beats nearest
// neighbour. At least one program of a bank knows the next step of a near-optimal solution in most states. No network
// is asked, as in TestCoverage. -v prints every program's gap to these solutions.
func TestCVRPAlone(t *testing.T) {
	coverage := map[int]map[string]float64{ // the share of states where some program agrees, by size and bank
		20: {"cvrp-local": 0.8, "cvrp-starter": 0.8, "cvrp-planners": 0.9},
		50: {"cvrp-local": 0.8, "cvrp-starter": 0.8, "cvrp-planners": 0.9, "pomo-cvrp50": 0.9, "pomo-cvrp100": 0.9},
	}
	for _, n := range []int{20, 50} {
		insts := routes.Generate(n, 2000/n, 7)
		sh := recordCVRP(t, nearOptimal{}, insts, routing.Run{Start: routing.OwnStart})
		var optimal float64
		for i := range insts {
			optimal += cost(t, &insts[i], routes.Problem{}.NearOptimal(&insts[i]))
		}
		gap := func(solve func(in *routing.Instance) []int32) float64 {
			var sum float64
			for i := range insts {
				sum += cost(t, &insts[i], solve(&insts[i]))
			}
			return sum/optimal - 1
		}
		nearest := gap(func(in *routing.Instance) []int32 { return greedyCVRP(in, nearestThatFits) })
		t.Logf("N=%d: nearest neighbour %+.1f %%, savings %+.1f %%, sweep %+.1f %%",
			n, 100*nearest, 100*gap(routes.Savings), 100*gap(routes.Sweep))
		for _, name := range slices.Sorted(maps.Keys(coverage[n])) {
			t.Run(fmt.Sprintf("%s/N=%d", name, n), func(t *testing.T) {
				covered := make([]bool, sh.States())
				least := nearest
				for _, h := range open(t, name).Heuristics {
					score := nativeCVRP[h.Name]
					top1 := agreement(sh, scoreNativeCVRP(sh, score), covered)
					alone := gap(func(in *routing.Instance) []int32 { return greedyCVRP(in, score) })
					t.Logf("%-28s top-1 %.3f, alone %+.1f %%", h.Name, top1, 100*alone)
					if alone > 1 {
						t.Errorf("%s alone is %.0f %% from near-optimal: no sane policy", h.Name, 100*alone)
					}
					least = min(least, alone)
				}
				if least == nearest {
					t.Error("no program alone beats nearest neighbour")
				}
				checkCoverage(t, sh, covered, coverage[n][name])
			})
		}
	}
}

// cost returns the length of a solution, which must be feasible.
func cost(t *testing.T, in *routing.Instance, actions []int32) float64 {
	t.Helper()
	c, err := routes.Cost(in, actions)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// nearOptimal is a policy for CVRP that drives along near-optimal solutions. It ignores how a run is to begin.
type nearOptimal struct{ problems.NearestNeighbour }

// Decoder implements routing.Policy.
func (nearOptimal) Decoder() (routing.Decoder, error) { return nearOptimal{}, nil }

// Close implements routing.Decoder.
func (nearOptimal) Close() error { return nil }

// Decode implements routing.Decoder.
func (nearOptimal) Decode(in *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	actions := routes.Problem{}.NearOptimal(in)
	probs := make([]float32, len(actions)*in.N())
	for t, a := range actions {
		probs[t*in.N()+int(a)] = 1
	}
	length, err := routes.Cost(in, actions)
	trs := make([]routing.Trajectory, len(runs))
	for r := range trs {
		trs[r] = routing.Trajectory{Actions: actions, Probs: probs, Cost: length}
	}
	return trs, err
}

// nearestThatFits is nearest neighbour, which goes home only when nothing fits.
func nearestThatFits(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		score[k] = -s.Dist(s.Current, c)
		if c == cvrp.Depot {
			score[k] -= 10
		}
	}
}

func recordCVRP(t testing.TB, p routing.Policy, insts []routing.Instance, run routing.Run) *rollout.Shard {
	t.Helper()
	run.Record = true
	runs := []routing.Run{run}
	sh, err := rollout.Record(context.Background(), p, insts, func(int) []routing.Run { return runs }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

// vehicle follows a solution under construction and shows it to programs.
type vehicle struct {
	at    *routes.State
	first int32 // first customer of the route under way
	state *cvrp.State
}

func newVehicle(in *routing.Instance) *vehicle {
	n := in.N()
	x, y := make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = in.XY(i)
	}
	return &vehicle{at: routes.NewState(in, false), state: cvrp.NewState(x, y, in.Demand, in.Capacity)}
}

// drive takes a feasible action.
func (v *vehicle) drive(a int32) {
	if err := v.at.Step(a); err != nil {
		panic(err)
	}
	if v.first == 0 || a == 0 {
		v.first = a
	}
}

// show sets the state, with candidates other than the feasible actions where they are given.
func (v *vehicle) show(candidates []cvrp.Node) *cvrp.State {
	var waiting []cvrp.Node
	for c, visited := range v.at.Visited() {
		if c > 0 && !visited {
			waiting = append(waiting, cvrp.Node(c))
		}
	}
	if candidates == nil {
		for _, a := range v.at.Candidates(nil) {
			candidates = append(candidates, cvrp.Node(a))
		}
	}
	v.state.Set(cvrp.Node(v.first), cvrp.Node(v.at.Current()), v.at.Remaining(), candidates, waiting)
	return v.state
}

// scoreNativeCVRP is ScoreShard for a program compiled by Go.
func scoreNativeCVRP(sh *rollout.Shard, score func(*cvrp.State, []float32)) []float32 {
	return scoreStates(sh, func(v *vehicle, candidates []cvrp.Node, out []float32) { score(v.show(candidates), out) })
}

// scoreStates follows every trajectory and has the candidates of each of its states scored.
func scoreStates(sh *rollout.Shard, score func(v *vehicle, candidates []cvrp.Node, out []float32)) []float32 {
	out := make([]float32, len(sh.Candidates))
	var v *vehicle
	traj, driven := -1, 0
	for s := range sh.States() {
		st := sh.State(s)
		if st.Traj != traj {
			in := sh.Instance(int(sh.InstanceOf[st.Traj]))
			v, traj, driven = newVehicle(&in), st.Traj, 0
		}
		for ; driven < st.Step; driven++ {
			v.drive(sh.Tour(traj)[driven])
		}
		score(v, st.Candidates, out[sh.Offset[s]:sh.Offset[s+1]])
	}
	return out
}

// greedyCVRP builds a solution by taking the program's best candidate at every step.
func greedyCVRP(in *routing.Instance, score func(*cvrp.State, []float32)) []int32 {
	v, scores := newVehicle(in), make([]float32, in.N())
	for !v.at.Done() {
		s := v.show(nil)
		score(s, scores[:s.K()])
		v.drive(int32(s.Candidates[best(scores[:s.K()])]))
	}
	return v.at.Actions()
}

// BenchmarkScoreCVRP is BenchmarkScore for the programs for CVRP, by customers.
func BenchmarkScoreCVRP(b *testing.B) {
	tc := compiletest.Toolchain(b)
	for _, h := range embedded(b, "cvrp") {
		m := admit(b, tc, h)
		for _, n := range []int{50, 100} {
			insts, run := routes.Generate(n, 2000/n, uint64(n)), routing.Run{Start: routing.OwnStart}
			sh := recordCVRP(b, problems.NearestNeighbour{}, insts, run)
			b.Run(fmt.Sprintf("%s/N=%d", h.Name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.ScoreShard(context.Background(), sh); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(sh.States()*b.N)/b.Elapsed().Seconds()/1000, "kstates/s")
			})
		}
	}
}

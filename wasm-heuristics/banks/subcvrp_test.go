package banks_test

import (
	"context"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	routes "github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// TestNativeAgreesSubCVRP is TestNativeAgrees for the programs that decide on the next customer and the way there.
func TestNativeAgreesSubCVRP(t *testing.T) {
	tc := compiletest.Toolchain(t)
	for _, h := range embedded(t, "subcvrp") {
		m := admit(t, tc, h)
		for _, n := range []int{2, 20, 50} {
			insts, run := routes.Generate(n, 6, uint64(n)), routing.Run{Start: routing.OwnStart}
			sh := recordCVRP(t, byWay{problems.NearestNeighbour{}}, insts, run)
			got, err := floats(m.ScoreShard(context.Background(), sh))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, h.Name, sh, got, scoreStates(sh, remainder(nativeSubCVRP[h.Name])))
		}
	}
}

// TestSubCVRPAlone is TestCVRPAlone for the programs that decide on the next customer and the way there.
func TestSubCVRPAlone(t *testing.T) {
	insts := routes.Generate(50, 30, 7)
	sh := recordCVRP(t, byWay{nearOptimal{}}, insts, routing.Run{Start: routing.OwnStart})
	var optimal float64
	for i := range insts {
		optimal += cost(t, &insts[i], routes.Problem{}.NearOptimal(&insts[i]))
	}
	covered := make([]bool, sh.States())
	for _, h := range open(t, "lehd-cvrp100").Heuristics {
		score := remainder(nativeSubCVRP[h.Name])
		top1 := agreement(sh, scoreStates(sh, score), covered)
		var sum float64
		for i := range insts {
			sum += cost(t, &insts[i], greedyByWay(&insts[i], score))
		}
		t.Logf("%-24s top-1 %.3f, alone %+.1f %%", h.Name, top1, 100*(sum/optimal-1))
		if sum/optimal-1 > 1 {
			t.Errorf("%s alone is %.0f %% from near-optimal: no sane policy", h.Name, 100*(sum/optimal-1))
		}
	}
	checkCoverage(t, sh, covered, 0.8)
}

// remainder shows a program for the subgraph what is left to do.
func remainder(score func(*subcvrp.State, []float32)) func(v *vehicle, candidates []cvrp.Node, out []float32) {
	var of *vehicle
	var s *subcvrp.State
	return func(v *vehicle, candidates []cvrp.Node, out []float32) {
		if v != of {
			of, s = v, subcvrp.NewState(v.state)
		}
		all := v.show(candidates)
		s.Set(all.Current, v.at.Remaining(), all.Candidates, all.Waiting)
		score(s, out)
	}
}

// greedyByWay is greedyCVRP for programs that decide on the next customer and the way there.
func greedyByWay(in *routing.Instance, score func(v *vehicle, candidates []cvrp.Node, out []float32)) []int32 {
	v, n := newVehicle(in), in.N()
	scores := make([]float32, 2*n)
	for v.at.Left() > 0 {
		var candidates []cvrp.Node
		for c := 1; c < n; c++ {
			if v.at.CanVisit(int32(c)) {
				candidates = append(candidates, cvrp.Node(c))
			}
		}
		for c := 1; c < n && v.at.Current() != 0; c++ {
			if !v.at.Visited()[c] {
				candidates = append(candidates, cvrp.Node(n+c))
			}
		}
		score(v, candidates, scores[:len(candidates)])
		a := int32(candidates[best(scores[:len(candidates)])])
		if int(a) > n {
			v.drive(0)
			a -= int32(n)
		}
		v.drive(a)
	}
	v.drive(0)
	return v.at.Actions()
}

// byWay decides as another policy does, in LEHD's way: a customer and whether the depot comes before it.
type byWay struct{ routing.Policy }

func (p byWay) Decoder() (routing.Decoder, error) {
	d, err := p.Policy.Decoder()
	return byWayDecoder{d}, err
}

type byWayDecoder struct{ routing.Decoder }

func (d byWayDecoder) Decode(in *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	trs, err := d.Decoder.Decode(in, runs)
	for r := range trs {
		n, actions := in.N(), trs[r].Actions
		probs := make([]float32, 2*n*len(actions))
		for t, a := range actions {
			switch {
			case a == 0 && t+1 < len(actions):
				probs[2*n*t+n+int(actions[t+1])] = 1
			case a != 0 && (t == 0 || actions[t-1] != 0):
				probs[2*n*t+int(a)] = 1
			}
		}
		trs[r].Probs = probs
	}
	return trs, err
}

package standin

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

func TestCatalogueRuns(t *testing.T) {
	tc := compiletest.Toolchain(t)
	for _, c := range settings {
		for _, s := range c.catalogue {
			m, err := runtime.Admit(t.Context(), tc, s.name, c.write(s, 0))
			if err != nil {
				t.Errorf("%s: %s: %v", c.sdk, s.name, err)
				continue
			}
			m.Close()
		}
	}
}

// recorded is the attention model's greedy decisions on eight instances, as a shard.
func recorded(t *testing.T, file string) *rollout.Shard {
	t.Helper()
	insts, extra, err := instances.ReadNPZ(testdata.Shared(t, file))
	if err != nil {
		t.Fatal(err)
	}
	N := insts[0].N()
	sh := &rollout.Shard{Problem: routing.TSP, N: N, Offset: []int64{0}}
	logP := extra["log_p"]
	var coords, probs []float32
	for i, inst := range insts {
		coords = append(coords, inst.Coords...)
		sh.InstanceOf = append(sh.InstanceOf, int32(i))
		visited := make([]bool, N)
		for step := range N {
			row := logP[(i*N+step)*N:][:N]
			if 1 <= step && step < N-1 {
				sh.Traj, sh.Step = append(sh.Traj, int32(i)), append(sh.Step, int32(step))
				for c, lp := range row {
					if !visited[c] {
						sh.Candidates = append(sh.Candidates, uint16(c))
						probs = append(probs, exp(lp))
					}
				}
				sh.Offset = append(sh.Offset, int64(len(sh.Candidates)))
			}
			a := agreement.Argmax(row)
			visited[a] = true
			sh.Actions = append(sh.Actions, int32(a))
		}
	}
	sh.Coords, sh.Probs = dense.Of(coords, len(insts), N, 2), dense.Vector(probs)
	return sh
}

// driven is the attention model's greedy decisions on twenty CVRP instances of twenty customers, by way of the depot
// where that is asked for.
func driven(t *testing.T, viaDepot bool, seed uint64) *rollout.Shard {
	t.Helper()
	p, err := teacher.Load(testdata.Shared(t, "teachers/am/cvrp_20/epoch-99.pt"))
	if err != nil {
		t.Fatal(err)
	}
	instances := problems.Must(routing.CVRP).Generate(20, 20, seed)
	single := func(int) []routing.Run { return routing.SingleRun(0) }
	sh, err := rollout.Record(t.Context(), p.ViaDepot(viaDepot), instances, single, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

// One heuristic alone, driven by the stand-in through Block I's textual half: backward on its worst failures, step,
// accept if the divergence on other instances falls. The accepted edits must find more of the teacher's decisions
// there.
func TestLoopRaisesAgreement(t *testing.T) {
	t.Run("tsp", func(t *testing.T) {
		loop(t, tours, recorded(t, "golden/am_tsp_50.npz"), recorded(t, "golden/am_tsp_20.npz"))
	})
	t.Run("cvrp", func(t *testing.T) { loop(t, routes, driven(t, false, 1), driven(t, false, 2)) })
	t.Run("subcvrp", func(t *testing.T) { loop(t, legs, driven(t, true, 1), driven(t, true, 2)) })
}

func loop(t *testing.T, c setting, train, val *rollout.Shard) {
	tc := compiletest.Toolchain(t)
	judge := func(h bank.Heuristic, sh *rollout.Shard) (*tensor.Dense, agreement.Agreement, error) {
		m, err := runtime.Admit(t.Context(), tc, h.Name, h.Source)
		if err != nil {
			return nil, agreement.Agreement{}, err
		}
		defer m.Close()
		scores, err := m.ScoreShard(context.Background(), sh)
		if err != nil {
			return nil, agreement.Agreement{}, err
		}
		return scores, agreement.Of(sh, scores, h.TauH), nil
	}
	h := c.nearest
	_, v, err := judge(h, val)
	if err != nil {
		t.Fatal(err)
	}
	first, best := v, mean(v.KL)
	for round := range 4 {
		scores, worst, err := judge(h, train)
		if err != nil {
			t.Fatal(err)
		}
		buffer := textgrad.NewAttribution(1, 6)
		buffer.Add(0, dense.Of(ones(train.States()), train.States(), 1), []agreement.Agreement{worst},
			textgrad.NearTies(train))
		var in textgrad.StepInput
		for _, failed := range buffer.Cases[0] {
			Vm := agreement.DistributionAt(train, scores, h.TauH, int(failed.State))
			failure := textgrad.NewFailure(train, int(failed.State), Vm)
			g, err := textgrad.ParseGradient(answer(t, textgrad.BackwardRequest(h, failure, c.ctx)))
			if err != nil {
				t.Fatal(err)
			}
			in.Gradients = append(in.Gradients, g)
		}
		for in.Attempt = 1; in.Attempt <= 4; in.Attempt++ {
			src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(h, in, c.ctx)))
			if err != nil {
				t.Fatal(err)
			}
			edited := h
			edited.Source = src
			_, v, err := judge(edited, val)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("round %d attempt %d: KL %.4f → %.4f, top-1 %d of %d",
				round, in.Attempt, best, mean(v.KL), v.Hits.Len(), val.States())
			if mean(v.KL) < best-1e-3 {
				h, best = edited, mean(v.KL)
				break
			}
			reason := fmt.Sprintf("validation loss %.4f instead of %.4f", mean(v.KL), best)
			in.Rejected = append(in.Rejected, textgrad.Rejected{Source: src, Reason: reason})
		}
	}
	_, v, _ = judge(h, val)
	t.Logf("\n%s", h.Source)
	if v.Hits.Len() <= first.Hits.Len() || mean(v.KL) > 0.9*mean(first.KL) {
		t.Errorf("top-1 %d → %d of %d, KL %.4f → %.4f",
			first.Hits.Len(), v.Hits.Len(), val.States(), mean(first.KL), mean(v.KL))
	}
}

func exp(x float32) float32 { return float32(math.Exp(float64(x))) }

func ones(n int) []float32 {
	w := make([]float32, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

func mean(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v)
	}
	return sum / float64(len(x))
}

package teacher

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
)

// unpad returns a recorded solution up to its last return to the depot. The rest is padding up to the length of the
// longest row. In AM's files the longest row lacks its return.
func unpad(actions []int32) []int32 {
	end := len(actions)
	for end > 0 && actions[end-1] == 0 {
		end--
	}
	return append(slices.Clone(actions[:end]), 0)
}

// checkAccount replays actions in the model's arithmetic and requires each recorded float, bit for bit.
func checkAccount(t *testing.T, what string, acc account, inst *routing.Instance, actions []int32, want []float32) {
	t.Helper()
	x := acc.full
	for step, a := range actions {
		if x != want[step] {
			t.Errorf("%s step %d: the vehicle is at %v, want %v", what, step, x, want[step])
		}
		if x = acc.take(x, float32(inst.Demand[a])/float32(inst.Capacity)); a == 0 {
			x = acc.full
		}
	}
}

func TestGoldenAMCVRP(t *testing.T) {
	// wantRefused counts the states in which float32 refuses what integers allow. The numbers are from the golden
	// files' README; there are none at 50.
	for n, wantRefused := range map[int]int{20: 10, 50: 0, 100: 52} {
		t.Run(fmt.Sprintf("N=%d", n), func(t *testing.T) {
			teacher := load(t, fmt.Sprintf("am/cvrp_%d/epoch-99.pt", n))
			g := openGolden(t, fmt.Sprintf("am_cvrp_%d", n))
			insts := g.instances()
			checkEncoder(t, &teacher.net.(*network).encoderWeights, g, insts)

			logP, shape := array[float32](g, "log_p")
			mask, _ := array[uint8](g, "mask")
			used, _ := array[float32](g, "used_capacity")
			actions, _ := array[int32](g, "actions")
			cost, _ := array[float32](g, "cost")
			T, nodes := shape[1], n+1
			runs := make([][]routing.Run, len(insts))
			for i := range insts {
				runs[i] = []routing.Run{{Start: routing.OwnStart, Force: unpad(actions[i*T : (i+1)*T]), Record: true}}
			}
			choices, steps, refused := 0, 0, 0
			for i, trs := range decodeBatch(t, teacher, insts, runs) {
				tr, force := trs[0], runs[i][0].Force
				what := fmt.Sprintf("instance %d", i)
				if len(force) > T {
					force, tr.Actions = force[:T], tr.Actions[:T]
				}
				log := logP[i*T*nodes : (i*T+len(force))*nodes]
				pi := make([]float64, len(log))
				for k, v := range log {
					pi[k] = math.Exp(float64(v))
					if v > -100 && math.Abs(math.Log(float64(tr.Probs[k]))-float64(v)) > tolLogProb {
						t.Errorf("%s: log-probability %d is %v, want %v", what, k, math.Log(float64(tr.Probs[k])), v)
					}
				}
				choices += checkTrajectory(t, what, &insts[i], tr, force, mask[i*T*nodes:], pi, cost[i])
				checkAccount(t, what, amAccount, &insts[i], force, used[i*T:])
				steps += len(force)
				refused += len(tr.Refused)
			}
			if choices < steps*9/10 {
				t.Errorf("only %d of %d greedy choices could be compared", choices, steps)
			}
			if refused != wantRefused {
				t.Errorf("%d exact fills refused, want %d", refused, wantRefused)
			}
		})
	}
}

func TestGoldenPOMOCVRP(t *testing.T) {
	for _, file := range []string{"pomo_cvrp_20", "pomo_cvrp_50", "pomo_cvrp_20_override"} {
		t.Run(file, func(t *testing.T) {
			g := openGolden(t, file)
			net := overridden(t, g, "pomo/cvrp_init.pt")
			insts := g.instances()
			checkEncoder(t, &net.(*network).encoderWeights, g, insts)

			probs, shape := array[float32](g, "probs")
			mask, _ := array[uint8](g, "mask")
			load, _ := array[float32](g, "load")
			actions, _ := array[int32](g, "actions")
			cost, _ := array[float32](g, "cost")
			P, T, nodes := shape[1], shape[2], shape[3]
			runs := make([][]routing.Run, len(insts))
			for i := range insts {
				runs[i] = routing.EveryStart(nodes)[1:]
				for p := range runs[i] {
					runs[i][p].Record = true
					runs[i][p].Force = unpad(actions[(i*P+p)*T+1 : (i*P+p+1)*T]) // recorded from the depot on
				}
			}
			choices := 0
			for i, trs := range decodeBatch(t, Teacher{net: net}, insts, runs) {
				for p, tr := range trs {
					at := (i*P+p)*T + 1
					force := runs[i][p].Force
					pi := make([]float64, len(force)*nodes)
					for k := range pi {
						pi[k] = float64(probs[at*nodes+k])
					}
					what := fmt.Sprintf("instance %d start %d", i, p+1)
					choices += checkTrajectory(t, what, &insts[i], tr, force, mask[at*nodes:], pi, cost[i*P+p])
					checkAccount(t, what, pomoAccount, &insts[i], force, load[at:])
					if len(tr.Refused) > 0 {
						t.Errorf("%s: refused %v", what, tr.Refused)
					}
				}
			}
			t.Logf("%d greedy choices compared", choices)
			if choices == 0 {
				t.Error("no greedy choice could be compared")
			}
		})
	}
}

// TestAMCVRPCosts decodes the uniform sets greedily. The mean must equal the recorded one, and so must nearly every
// cost.
func TestAMCVRPCosts(t *testing.T) {
	for _, n := range []int{20, 50, 100} {
		teacher := load(t, fmt.Sprintf("am/cvrp_%d/epoch-99.pt", n))
		insts, recorded := uniform(t, fmt.Sprintf("cvrp_uniform_%d", n))
		trs, err := routing.Solve(context.Background(), teacher, insts, routing.SingleRun, nil)
		if err != nil {
			t.Fatal(err)
		}
		costs := make([]float64, len(insts))
		for i := range trs {
			if costs[i], err = cvrp.Cost(&insts[i], trs[i][0].Actions); err != nil {
				t.Error(err)
			}
		}
		compareCosts(t, teacher.Name(), costs, recorded)
	}
}

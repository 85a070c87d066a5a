package rollout

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
)

// viaPolicy decides as LEHD does, uniformly: every unvisited customer, directly if it fits, and by way of the depot.
type viaPolicy struct{}

func (viaPolicy) Name() string                      { return "via" }
func (viaPolicy) Decoder() (routing.Decoder, error) { return viaPolicy{}, nil }
func (viaPolicy) Close() error                      { return nil }
func (viaPolicy) Decode(inst *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	trs := make([]routing.Trajectory, len(runs))
	for r := range runs {
		s, n := cvrp.NewState(inst, false), inst.N()
		for !s.Done() {
			row := make([]float32, 2*n)
			count, next := 0, int32(0)
			for c := 1; c < n; c++ {
				if s.Visited()[c] {
					continue
				}
				next = int32(c)
				if s.CanVisit(next) {
					row[c], count = 1, count+1
				}
				if s.Current() != 0 {
					row[n+c], count = 1, count+1
				}
			}
			for a := range row {
				row[a] /= float32(max(1, count))
			}
			trs[r].Probs = append(trs[r].Probs, row...)
			if next != 0 && !s.CanVisit(next) {
				if err := s.Step(0); err != nil {
					return nil, err
				}
				trs[r].Probs = append(trs[r].Probs, make([]float32, 2*n)...)
			}
			if err := s.Step(next); err != nil {
				return nil, err
			}
		}
		trs[r].Actions, trs[r].Cost = s.Actions(), s.Cost()
	}
	return trs, nil
}

// recordCVRP returns a shard of CVRP solutions: by the nearest neighbour from customers 1 and 2, or by viaPolicy.
func recordCVRP(t testing.TB, p routing.Policy, n, count int, seed uint64) *Shard {
	t.Helper()
	sh, err := Record(context.Background(), p, cvrp.Generate(n, count, seed),
		func(int) []routing.Run { return []routing.Run{{Start: routing.OwnStart}, {Start: 2}} }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func TestRecordCVRP(t *testing.T) {
	for _, p := range []routing.Policy{problems.NearestNeighbour{}, viaPolicy{}} {
		sh := recordCVRP(t, p, 12, 5, 1)
		if err := sh.Validate(); err != nil {
			t.Fatal(err)
		}
		if sh.Instances() != 5 || sh.Trajectories() != 10 || sh.ViaDepot != (p == viaPolicy{}) {
			t.Errorf("%d instances, %d trajectories, by way of the depot: %v",
				sh.Instances(), sh.Trajectories(), sh.ViaDepot)
		}
		steps := map[int]int{} // of each trajectory
		for s := range sh.States() {
			st := sh.State(s)
			steps[st.Traj]++
			inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
			state := cvrp.NewState(&inst, false)
			for _, a := range sh.Tour(st.Traj)[:st.Step] {
				if err := state.Step(a); err != nil {
					t.Fatal(err)
				}
			}
			if st.Anchor != 0 || st.Current != int(state.Current()) || st.Remaining != int(state.Remaining()) {
				t.Errorf("state %d: anchor %d, current %d, %d remaining; want 0, %d, %d",
					s, st.Anchor, st.Current, st.Remaining, state.Current(), state.Remaining())
			}
			if k := sh.Taken(s); k < 0 || st.Probs[k] == 0 {
				t.Errorf("state %d: took candidate %d of %v with probabilities %v", s, k, st.Candidates, st.Probs)
			}
			if !sh.ViaDepot {
				if want := state.Candidates(nil); !slices.Equal(st.Candidates, want) {
					t.Errorf("state %d: candidates %v, want %v", s, st.Candidates, want)
				}
			}
		}
		if len(steps) != 10 || sh.ViaDepot && steps[0] != 12 {
			t.Errorf("states by trajectory: %v", steps)
		}
		if given := sh.ViaDepot || sh.Step[0] == 0 && sh.Step[steps[0]] > 0; !given {
			t.Error("a given start must be no state, a chosen one must be")
		}
	}
}

func TestRefusedActionsAreNoCandidates(t *testing.T) {
	inst := routing.Instance{Problem: routing.CVRP, Coords: []float32{0, 0, 0, 1, 1, 0, 1, 1},
		Demand: []int32{0, 1, 2, 2}, Capacity: 3}
	tr := routing.Trajectory{
		Actions: []int32{1, 2, 0, 3, 0},
		Probs:   []float32{0, .5, .5, 0, .5, 0, 0, .5, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0},
		Refused: []routing.Refusal{{Step: 0, Action: 3}, {Step: 1, Action: 2}},
	}
	f := newRoutes("picky", &inst, false)
	if err := f.addRoutes(&tr); err != nil {
		t.Fatal(err)
	}
	sh := f.shard()
	if err := sh.Validate(); err != nil {
		t.Fatal(err)
	}
	if want := []uint16{1, 2, 0, 3}; !slices.Equal(sh.Candidates, want) || !slices.Equal(sh.Step, []int32{0, 1}) ||
		sh.Taken(1) != -1 {
		t.Errorf("candidates %v of steps %v, want %v", sh.Candidates, sh.Step, want)
	}
	tr.Probs[3] = .25
	if err := newRoutes("odd", &inst, false).addRoutes(&tr); err == nil ||
		!strings.Contains(err.Error(), "step 0: probability 0.25 on action 3") {
		t.Errorf("error %v", err)
	}
}

// All trajectories of a shard decide in the same way.
func TestRoutesOfAnotherWidth(t *testing.T) {
	inst := cvrp.Generate(3, 1, 1)[0]
	for _, viaDepot := range []bool{false, true} {
		tr := routing.Trajectory{Actions: []int32{1, 0, 2, 0, 3, 0}, Probs: make([]float32, 6*4)}
		want := "6 actions and 24 probabilities, want 8 of each action"
		if !viaDepot {
			tr.Probs = make([]float32, 6*8)
			want = "6 actions and 48 probabilities, want 4 of each action"
		}
		if err := newRoutes("two ways", &inst, viaDepot).addRoutes(&tr); err == nil || err.Error() != want {
			t.Errorf("by way of the depot %v: error %v, want %s", viaDepot, err, want)
		}
	}
}

func TestConcatNamesTheDifference(t *testing.T) {
	a := recordCVRP(t, viaPolicy{}, 4, 1, 1)
	b := *a
	b.ViaDepot = false
	const want = "shard 1 is cvrp-5 by %s, the first is cvrp-5 by %[1]s, with candidates by way of the depot"
	if _, err := Concat(a, &b); err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf(want, a.Teacher)) {
		t.Errorf("error %v, want one with %q", err, fmt.Sprintf(want, a.Teacher))
	}
}

func TestCodecCVRP(t *testing.T) {
	for _, p := range []routing.Policy{problems.NearestNeighbour{}, viaPolicy{}} {
		sh := recordCVRP(t, p, 9, 4, 3)
		data, err := sh.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Unmarshal(data)
		if err != nil || !equal(sh, back) {
			t.Fatalf("the shard changed on its way through a file (%v)", err)
		}
		if again, _ := back.Marshal(); !bytes.Equal(data, again) {
			t.Error("equal shards give different bytes")
		}
		for k := range 5 {
			head, tail := sh.Slice(0, k), sh.Slice(k, sh.Instances())
			if head.Instances() != k || tail.Instances() != 4-k {
				t.Fatalf("split at %d gives %d and %d instances", k, head.Instances(), tail.Instances())
			}
			for _, part := range []*Shard{head, tail} {
				if err := part.Validate(); err != nil {
					t.Errorf("split at %d: %v", k, err)
				}
			}
			if joined, err := Concat(head, tail); err != nil || !equal(sh, joined) {
				t.Errorf("split at %d and concatenated: not the same shard (%v)", k, err)
			}
		}
	}
	if _, err := Concat(recordCVRP(t, viaPolicy{}, 9, 1, 1),
		recordCVRP(t, problems.NearestNeighbour{}, 9, 1, 1)); err == nil {
		t.Error("shards that decide differently were concatenated")
	}
}

func TestValidateCVRPNamesTheFault(t *testing.T) {
	for want, spoil := range map[string]func(sh *Shard){
		"trajectory 1: instance 0: step 2: node 99 does not exist":   func(sh *Shard) { sh.Tour(1)[2] = 99 },
		"trajectory 0: instance 0: step 0: the vehicle is at the de": func(sh *Shard) { sh.Tour(0)[0] = 0 },
		"is visited already":                              func(sh *Shard) { sh.Tour(2)[1] = sh.Tour(2)[0] },
		"with 0 customers left, at node":                  func(sh *Shard) { dropLast(sh) },
		"state 3 (step 3): 1 remain in the vehicle, want": func(sh *Shard) { sh.Remaining[3] = 1 },
		"state 2 (step 2): probability 1 is NaN": func(sh *Shard) {
			dense.Open[float32](sh.Probs)[sh.Offset[2]+1] = float32(math.NaN())
		},
		"state 1 (step 1): probabilities sum to": func(sh *Shard) { clear(sh.State(1).Probs) },
		"state 1 (step 1): candidate 77 is infeasible: it does not exist": func(sh *Shard) {
			c := sh.State(1).Candidates
			c[len(c)-1] = 77
		},
		"want increasing order": func(sh *Shard) { c := sh.State(1).Candidates; c[0], c[1] = c[1], c[0] },
		"state 1 (step 1): candidate 1 is infeasible: customer 1 is visited": func(sh *Shard) {
			sh.Tour(0)[0] = 1
			sh.Remaining[1] = sh.Capacity[0] - dense.Open[int32](sh.Demand)[1]
			copy(sh.State(1).Candidates, []uint16{0, 1, 2})
		},
		"state 0 (step 0): candidate 0 is infeasible: the vehicle is at the depot": func(sh *Shard) {
			sh.Candidates[0] = 0
		},
		"instance 0: node 3 has demand 99": func(sh *Shard) {
			dense.Open[int32](sh.Demand)[3] = 99
		},
		"array remaining has": func(sh *Shard) {
			sh.Remaining = nil
		},
		"array capacity has": func(sh *Shard) {
			sh.Capacity = nil
		},
		"array start_probs has": func(sh *Shard) {
			sh.StartProbs = dense.Vector(make([]float32, 3))
		},
		"array demand has shape [33], want [3 11]": func(sh *Shard) {
			sh.Demand = dense.Vector(dense.Open[int32](sh.Demand))
		},
		"array action_offset has": func(sh *Shard) {
			sh.ActionOffset = nil
		},
		"trajectory 1: action_offset falls": func(sh *Shard) {
			sh.ActionOffset[1] = sh.ActionOffset[2] + 1
		},
		"trajectory 5: instance -1": func(sh *Shard) {
			sh.InstanceOf[5] = -1
		},
		"is out of order": func(sh *Shard) {
			sh.Step[1] = 500
		},
	} {
		sh := recordCVRP(t, problems.NearestNeighbour{}, 10, 3, 5)
		spoil(sh)
		if err := sh.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// dropLast cuts the last trajectory after its last customer.
func dropLast(sh *Shard) {
	sh.Actions = sh.Actions[:len(sh.Actions)-1]
	sh.ActionOffset[len(sh.ActionOffset)-1]--
}

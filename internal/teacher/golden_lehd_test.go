package teacher

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// lehdGolden is what the files of both problems record of B instances of N nodes or customers over T steps.
type lehdGolden struct {
	golden
	net     *lehd
	insts   []routing.Instance
	probs   []float32 // [B,T,width], -2 where visited
	actions []int32   // [B,T]
	cost    []float32 // [B]
	T       int
	width   int
}

func openLEHD(t *testing.T, file, weights string) lehdGolden {
	g := openGolden(t, file)
	net := overridden(t, g, weights).(*lehd)
	l := lehdGolden{golden: g, net: net, insts: g.instances()}
	probs, shape := array[float32](g, "probs")
	l.probs, l.T, l.width = probs, shape[1], shape[2]
	l.actions, _ = array[int32](g, "actions")
	l.cost, _ = array[float32](g, "cost")
	checkEncoder(t, &net.enc, g, l.insts)
	return l
}

// checkDecoder compares the layers of the decoder on instance 0, after its first decision.
func (l lehdGolden) checkDecoder(t *testing.T, tracks []track) {
	if !slices.Contains(l.r.Keys(), "dec_layer_out_0.npy") {
		return
	}
	layers, shape := array[float32](l.golden, "dec_layer_out_0")
	size := shape[1] * shape[2]
	for k := range shape[0] {
		upTo := *l.net
		upTo.layers = l.net.layers[:k+1]
		d := newLEHDDecoder(&upTo)
		again, err := d.begin(l.insts[:1], [][]routing.Run{{tracks[0].run}})
		if err != nil {
			t.Fatal(err)
		}
		d.distribute(again)
		worst(t, fmt.Sprintf("decoder layer %d", k), d.dec.h, layers[k*size:(k+1)*size], tolEmbedding)
		if k == shape[0]-1 {
			final, _ := array[float32](l.golden, "dec_final_0")
			worst(t, "final", d.logits, final, tolEmbedding)
		}
	}
}

// checkStep compares the raw distribution of track i at step t, and the greedy choice unless it is a near-tie.
func (l lehdGolden) checkStep(t *testing.T, i, step int, tk *track, pi []float32, first int) (choices int) {
	want := l.probs[(i*l.T+step)*l.width : (i*l.T+step+1)*l.width]
	K, N := len(tk.open), l.width*len(tk.open)/len(pi)
	left := 0
	for _, p := range want {
		if p != -2 {
			left++
		}
	}
	if left != len(pi) {
		t.Fatalf("instance %d step %d: %d probabilities, %d recorded", i, step, len(pi), left)
	}
	best, gap := largest(want), float32(math.Inf(1))
	for k, p := range pi {
		at := int(tk.open[k%K]) - first + k/K*N
		if math.Abs(float64(p-want[at])) > tolProb {
			t.Errorf("instance %d step %d place %d: π = %v, want %v", i, step, at, p, want[at])
		}
		if at != best {
			gap = min(gap, want[best]-want[at])
		}
	}
	if gap < minGap {
		return 0
	}
	k := largest(pi)
	if at := int(tk.open[k%K]) - first + k/K*N; at != best {
		t.Errorf("instance %d step %d: greedy choice %d, want %d", i, step, at, best)
	}
	return 1
}

func TestGoldenLEHD(t *testing.T) {
	for _, file := range []string{"lehd_tsp_20", "lehd_tsp_50", "lehd_tsp_20_override"} {
		t.Run(file, func(t *testing.T) {
			l := openLEHD(t, file, "lehd/tsp_init.pt")
			d := newLEHDDecoder(l.net)
			runs := make([][]routing.Run, len(l.insts))
			for i := range runs {
				runs[i] = []routing.Run{{Start: routing.OwnStart, Force: l.actions[i*l.T : (i+1)*l.T], Record: true}}
			}
			tracks, err := d.begin(l.insts, runs)
			if err != nil {
				t.Fatal(err)
			}
			l.checkDecoder(t, tracks)
			choices := 0
			for step := 1; step < l.T; step++ {
				open := slices.Clone(tracks)
				for i := range open {
					open[i].open = slices.Clone(open[i].open)
				}
				if err := d.step(tracks); err != nil {
					t.Fatal(err)
				}
				for i := range tracks {
					K := len(open[i].open)
					choices += l.checkStep(t, i, step, &open[i], d.pi[i*K:(i+1)*K], 0)
				}
			}
			l.checkEnds(t, tracks, choices)
			checkDistributions(t, decodeBatch(t, Teacher{net: l.net}, l.insts, runs))
		})
	}
}

func TestGoldenLEHDCVRP(t *testing.T) {
	for _, file := range []string{"lehd_cvrp_20", "lehd_cvrp_50", "lehd_cvrp_20_override"} {
		t.Run(file, func(t *testing.T) {
			l := openLEHD(t, file, "lehd/cvrp_init.pt")
			flags, _ := array[uint8](l.golden, "flags")
			raw, _ := array[uint8](l.golden, "raw_flags")
			remaining, _ := array[float32](l.golden, "remaining_capacity")
			d := newLEHDDecoder(l.net)
			runs := make([][]routing.Run, len(l.insts))
			for i := range runs {
				var force []int32
				for step, a := range l.actions[i*l.T : (i+1)*l.T] {
					if step > 0 && flags[i*l.T+step] == 1 {
						force = append(force, 0)
					}
					force = append(force, a)
				}
				runs[i] = []routing.Run{{Start: routing.OwnStart, Force: append(force, 0), Record: true}}
			}
			tracks, err := d.begin(l.insts, runs)
			if err != nil {
				t.Fatal(err)
			}
			l.checkDecoder(t, tracks)
			choices := 0
			for step := range l.T {
				open := slices.Clone(tracks)
				for i := range open {
					open[i].open = slices.Clone(open[i].open)
					if got := open[i].state.(*lehdCVRP).s.Remaining(); float32(got) != remaining[i*l.T+step] {
						t.Fatalf("instance %d step %d: %d remain, want %v", i, step, got, remaining[i*l.T+step])
					}
				}
				if err := d.step(tracks); err != nil {
					t.Fatal(err)
				}
				for i := range tracks {
					K := len(open[i].open)
					pi := d.pi[i*2*K : (i+1)*2*K]
					sharp := l.checkStep(t, i, step, &open[i], pi, 1)
					choices += sharp
					if via := largest(pi) >= K; sharp == 1 && via != (raw[i*l.T+step] == 1) {
						t.Errorf("instance %d step %d: by way of the depot: %v, want %v", i, step, via, !via)
					}
				}
			}
			l.checkEnds(t, tracks, choices)
			checkDistributions(t, decodeBatch(t, Teacher{net: l.net}, l.insts, runs))
			// Without forced actions, the environment's rules must give the recorded flags.
			greedy := decodeBatch(
				t, Teacher{net: l.net}, l.insts, slices.Repeat([][]routing.Run{routing.SingleRun(0)}, len(l.insts)),
			)
			for i := range greedy {
				if got := greedy[i][0].Actions; !slices.Equal(got, runs[i][0].Force) {
					t.Errorf("instance %d: greedy %v, recorded %v", i, got, runs[i][0].Force)
				}
			}
		})
	}
}

// checkEnds compares the costs of complete solutions.
func (l lehdGolden) checkEnds(t *testing.T, tracks []track, choices int) {
	t.Logf("%d greedy choices compared", choices)
	if choices == 0 {
		t.Error("no greedy choice could be compared")
	}
	for i := range tracks {
		actions, cost := tracks[i].state.finish()
		if again, err := problems.Cost(&l.insts[i], actions); err != nil ||
			math.Abs(cost-float64(l.cost[i])) > tolCost || math.Abs(cost-again) > 1e-9 {
			t.Errorf("instance %d: cost %v, want %v, recomputed %v (%v)", i, cost, l.cost[i], again, err)
		}
	}
}

// checkDistributions requires that each row sums to 1, or to 0 if nothing was decided.
func checkDistributions(t *testing.T, trs [][]routing.Trajectory) {
	for i := range trs {
		for _, tr := range trs[i] {
			width, decided := len(tr.Probs)/len(tr.Actions), 0
			for step := range tr.Actions {
				var sum float64
				for _, p := range tr.Probs[step*width : (step+1)*width] {
					sum += float64(p)
				}
				if sum != 0 {
					decided++
					if math.Abs(sum-1) > 1e-6 {
						t.Errorf("instance %d step %d: the distribution sums to %v", i, step, sum)
					}
				}
			}
			if decided == 0 {
				t.Errorf("instance %d: no step has a distribution", i)
			}
		}
	}
}

package teacher

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata"
)

// Tolerances against float32 PyTorch, from the golden files' README. The reference itself has errors of 1e-5 in
// embeddings, 2.6e-5 in probabilities and 1.1e-4 in log-probabilities down to -20.
const (
	tolEmbedding = 1e-4
	tolProb      = 1e-4
	tolLogProb   = 5e-4
	tolCost      = 1e-4
	minGap       = 1e-4 // with a smaller gap, the reference's argmax is a near-tie
)

// golden is one recorded forward pass.
type golden struct {
	t testing.TB
	r *npz.Reader
}

func openGolden(t testing.TB, name string) golden {
	t.Helper()
	return openArchive(t, testdata.Shared(t, "golden/"+name+".npz"))
}

func openArchive(t testing.TB, path string) golden {
	t.Helper()
	r, err := npz.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return golden{t, r}
}

func array[T any](g golden, name string) ([]T, []int) {
	g.t.Helper()
	var v []T
	if err := g.r.Read(name+".npy", &v); err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	return v, g.r.Header(name + ".npy").Descr.Shape
}

// instances returns the inputs: coords [B,n,2], or depot, locs, demand and capacity.
func (g golden) instances() []routing.Instance {
	if slices.Contains(g.r.Keys(), "depot.npy") {
		return g.instancesCVRP()
	}
	coords, shape := array[float32](g, "coords")
	insts := make([]routing.Instance, shape[0])
	for i := range insts {
		insts[i] = routing.Instance{
			Name: fmt.Sprint(i), Problem: routing.TSP, Coords: coords[i*2*shape[1] : (i+1)*2*shape[1]],
		}
	}
	return insts
}

func (g golden) instancesCVRP() []routing.Instance {
	depot, _ := array[float32](g, "depot")
	locs, shape := array[float32](g, "locs")
	demand, _ := array[int32](g, "demand")
	capacity, _ := array[int32](g, "capacity")
	insts, N := make([]routing.Instance, shape[0]), shape[1]
	for i := range insts {
		insts[i] = routing.Instance{
			Name: fmt.Sprint(i), Problem: routing.CVRP, Capacity: capacity[i],
			Coords: slices.Concat(depot[2*i:2*i+2], locs[2*N*i:2*N*(i+1)]),
			Demand: append([]int32{0}, demand[N*i:N*(i+1)]...),
		}
	}
	return insts
}

func load(t testing.TB, file string) Teacher {
	t.Helper()
	teacher, err := Load(testdata.Shared(t, "teachers/"+file))
	if err != nil {
		t.Fatal(err)
	}
	return teacher
}

// worst fails the test if two arrays differ by more than tol anywhere.
func worst(t testing.TB, what string, got, want []float32, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	at, largest := 0, 0.0
	for i := range got {
		if diff := math.Abs(float64(got[i]) - float64(want[i])); !(diff <= largest) {
			at, largest = i, diff
		}
	}
	t.Logf("%s: largest difference %.2g", what, largest)
	if !(largest <= tol) {
		t.Errorf("%s: element %d is %v, want %v (off by %.2g, tolerance %g)", what, at, got[at], want[at], largest, tol)
	}
}

// checkEncoder compares the encoder's output and, where recorded, that of each layer on instance 0.
func checkEncoder(t *testing.T, net *encoderWeights, g golden, insts []routing.Instance) {
	e := newEncoder(net)
	e.forward(insts)
	want, _ := array[float32](g, "node_embeddings")
	worst(t, "node embeddings", e.h, want, tolEmbedding)
	if !slices.Contains(g.r.Keys(), "layer_out_0.npy") {
		return
	}
	layers, shape := array[float32](g, "layer_out_0")
	size := shape[1] * shape[2]
	for l := range shape[0] {
		upTo := *net
		upTo.layers = net.layers[:l+1]
		e := newEncoder(&upTo)
		e.forward(insts[:1])
		worst(t, fmt.Sprintf("layer %d", l), e.h, layers[l*size:(l+1)*size], tolEmbedding)
	}
}

// checkTrajectory compares one teacher-forced trajectory with the recorded mask [T,n], the distributions π [T,n] and
// the cost. choices counts the steps whose greedy choice was compared.
func checkTrajectory(
	t *testing.T, what string, inst *routing.Instance, tr routing.Trajectory, actions []int32, mask []uint8,
	pi []float64, cost float32,
) (choices int) {
	n := inst.N()
	if !slices.Equal(tr.Actions, actions) {
		t.Errorf("%s: took %v, forced %v", what, tr.Actions, actions)
	}
	if math.Abs(tr.Cost-float64(cost)) > tolCost {
		t.Errorf("%s: cost %v, want %v", what, tr.Cost, cost)
	}
	for step := range actions {
		given := true
		best, gap := 0, math.Inf(1)
		for j := range n {
			p := pi[step*n+j]
			given = given && p == 0
			if p > pi[step*n+best] {
				best = j
			}
			if got := tr.Probs[step*n+j]; math.Abs(float64(got)-p) > tolProb {
				t.Errorf("%s step %d node %d: π = %v, want %v", what, step, j, got, p)
			} else if got == 0 != (mask[step*n+j] == 1 || p == 0) {
				t.Errorf("%s step %d node %d: π = %v, but its mask is %d", what, step, j, got, mask[step*n+j])
			}
		}
		for j := range n {
			if j != best {
				gap = min(gap, pi[step*n+best]-pi[step*n+j])
			}
		}
		if given || gap < minGap {
			continue
		}
		choices++
		row := tr.Probs[step*n : (step+1)*n]
		if i := slices.Index(row, slices.Max(row)); i != best {
			t.Errorf("%s step %d: greedy choice %d, want %d", what, step, i, best)
		}
	}
	return choices
}

func TestGoldenAM(t *testing.T) {
	for _, n := range []int{20, 50, 100} {
		t.Run(fmt.Sprintf("N=%d", n), func(t *testing.T) {
			teacher := load(t, fmt.Sprintf("am/tsp_%d/epoch-99.pt", n))
			g := openGolden(t, fmt.Sprintf("am_tsp_%d", n))
			insts := g.instances()
			checkEncoder(t, &teacher.net.(*network).encoderWeights, g, insts)

			logP, _ := array[float32](g, "log_p")
			mask, _ := array[uint8](g, "mask")
			actions, _ := array[int32](g, "actions")
			cost, _ := array[float32](g, "cost")
			likelihood, _ := array[float32](g, "log_likelihood")
			runs := make([][]routing.Run, len(insts))
			for i := range insts {
				runs[i] = []routing.Run{{Start: routing.OwnStart, Force: actions[i*n : (i+1)*n], Record: true}}
			}
			trs := decodeBatch(t, teacher, insts, runs)
			choices := 0
			for i := range insts {
				log := logP[i*n*n : (i+1)*n*n]
				pi := make([]float64, n*n)
				largest, sum := 0.0, 0.0
				for k, v := range log {
					pi[k] = math.Exp(float64(v))
					if mask[i*n*n+k] == 0 {
						largest = max(largest, math.Abs(math.Log(float64(trs[i][0].Probs[k]))-float64(v)))
					}
				}
				if largest > tolLogProb {
					t.Errorf("instance %d: a log-probability is off by %.2g, tolerance %g", i, largest, tolLogProb)
				}
				for step, a := range trs[i][0].Actions {
					sum += math.Log(float64(trs[i][0].Probs[step*n+int(a)]))
				}
				if math.Abs(sum-float64(likelihood[i])) > 5e-3 {
					t.Errorf("instance %d: log-likelihood %v, want %v", i, sum, likelihood[i])
				}
				choices += checkTrajectory(
					t, fmt.Sprintf("instance %d", i), &insts[i], trs[i][0], actions[i*n:(i+1)*n], mask[i*n*n:(i+1)*n*n],
					pi, cost[i],
				)
			}
			if all := len(insts) * n; choices < all*9/10 {
				t.Errorf("only %d of %d greedy choices could be compared", choices, all)
			}
		})
	}
}

func TestGoldenPOMO(t *testing.T) {
	for _, file := range []string{"pomo_tsp_20", "pomo_tsp_50", "pomo_tsp_20_override"} {
		t.Run(file, func(t *testing.T) {
			g := openGolden(t, file)
			net := overridden(t, g, "pomo/tsp_init.pt")
			insts := g.instances()
			n := insts[0].N()
			checkEncoder(t, &net.(*network).encoderWeights, g, insts)

			probs, _ := array[float32](g, "probs")
			mask, _ := array[uint8](g, "mask")
			actions, _ := array[int32](g, "actions")
			cost, _ := array[float32](g, "cost")
			runs := make([][]routing.Run, len(insts))
			for i := range insts {
				runs[i] = routing.EveryStart(n)
				for p := range runs[i] {
					runs[i][p].Record = true
					runs[i][p].Force = actions[(i*n+p)*n : (i*n+p+1)*n]
				}
			}
			choices := 0
			for i, trs := range decodeBatch(t, Teacher{net: net}, insts, runs) {
				for p := range trs {
					k := i*n + p
					pi := make([]float64, n*n)
					for j, v := range probs[k*n*n : (k+1)*n*n] {
						pi[j] = float64(v)
					}
					choices += checkTrajectory(t, fmt.Sprintf("instance %d start %d", i, p), &insts[i], trs[p],
						actions[k*n:(k+1)*n],
						mask[k*n*n:(k+1)*n*n], pi, cost[k])
				}
			}
			if choices == 0 {
				t.Error("no greedy choice could be compared")
			}
		})
	}
}

// overridden returns an untrained model with the parameters that a golden file replaces.
func overridden(t *testing.T, g golden, file string) model {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "teachers/"+file))
	if err != nil {
		t.Fatal(err)
	}
	c, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range g.r.Keys() {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(key, ".npy"), "override/"); ok {
			values, shape := array[float32](g, "override/"+name)
			if _, known := c.params[name]; !known {
				t.Fatalf("override of %s, which the checkpoint lacks", name)
			}
			c.params[name] = dense.Of(values, shape...)
		}
	}
	a, err := recognise(c)
	if err != nil {
		t.Fatal(err)
	}
	net, err := a.build(c)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func decodeBatch(t testing.TB, teacher Teacher, insts []routing.Instance, runs [][]routing.Run) [][]routing.Trajectory {
	t.Helper()
	trs, err := teacher.net.decoder().(routing.BatchDecoder).DecodeBatch(insts, runs)
	if err != nil {
		t.Fatal(err)
	}
	return trs
}

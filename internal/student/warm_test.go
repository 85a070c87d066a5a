package student

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/internal/torchfile"
)

// stateDict reads a checkpoint as its writer laid it out.
func stateDict(t *testing.T, file, key string) map[string]*tensor.Dense {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "teachers/"+file))
	if err != nil {
		t.Fatal(err)
	}
	object, err := torchfile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	state := map[string]*tensor.Dense{}
	for name, v := range torchfile.Items(torchfile.Item(object, key)) {
		x := v.(*torchfile.Tensor)
		if state[name], err = x.Dense(); err != nil {
			t.Fatal(err)
		}
	}
	return state
}

func array[T any](t *testing.T, r *npz.Reader, name string) ([]T, []int) {
	t.Helper()
	var v []T
	if err := r.Read(name+".npy", &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v, r.Header(name + ".npy").Descr.Shape
}

// goldenInstances returns the inputs of a recorded forward pass.
func goldenInstances(t *testing.T, r *npz.Reader) []routing.Instance {
	if !slices.Contains(r.Keys(), "depot.npy") {
		coords, shape := array[float32](t, r, "coords")
		insts := make([]routing.Instance, shape[0])
		for i := range insts {
			insts[i] = routing.Instance{Problem: routing.TSP, Coords: coords[i*2*shape[1] : (i+1)*2*shape[1]]}
		}
		return insts
	}
	depot, _ := array[float32](t, r, "depot")
	locs, shape := array[float32](t, r, "locs")
	demand, _ := array[int32](t, r, "demand")
	capacity, _ := array[int32](t, r, "capacity")
	insts, N := make([]routing.Instance, shape[0]), shape[1]
	for i := range insts {
		insts[i] = routing.Instance{
			Problem: routing.CVRP, Capacity: capacity[i], Coords: slices.Concat(depot[2*i:2*i+2], locs[2*N*i:2*N*(i+1)]),
			Demand: append([]int32{0}, demand[N*i:N*(i+1)]...),
		}
	}
	return insts
}

// A warm student embeds as its teacher does: to rounding, and where instance norms stand for AM's batch norms roughly.
func TestWarmStartEmbedsAsTheTeacher(t *testing.T) {
	lehd := DefaultLEHD()
	lehd.Layers = 1
	deep, affine := Default(), Default()
	deep.Layers, affine.Norm = 6, Affine
	for _, c := range []struct {
		golden, file, key string
		cfg               Config
		atLeast           float64 // correlation of the embeddings; 0: equal to 1e-4
	}{
		{"pomo_tsp_20_override", "pomo/tsp_init.pt", "model_state_dict", deep, 0},
		{"pomo_cvrp_20_override", "pomo/cvrp_init.pt", "model_state_dict", deep, 0},
		{"lehd_tsp_20", "lehd/tsp_init.pt", "model_state_dict", lehd, 0},
		{"lehd_cvrp_20", "lehd/cvrp_init.pt", "model_state_dict", lehd, 0},
		{"am_tsp_20", "am/tsp_20/epoch-99.pt", "model", affine, 0},
		{"am_cvrp_50", "am/cvrp_50/epoch-99.pt", "model", affine, 0},
		{"am_tsp_20", "am/tsp_20/epoch-99.pt", "model", Default(), 0.85},
		{"am_cvrp_50", "am/cvrp_50/epoch-99.pt", "model", Default(), 0.4},
	} {
		t.Run(fmt.Sprintf("%s/norm=%s", c.golden, c.cfg.Norm), func(t *testing.T) {
			state := stateDict(t, c.file, c.key)
			r, err := npz.Open(testdata.Shared(t, "golden/"+c.golden+".npz"))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			for _, key := range r.Keys() {
				if name, ok := strings.CutPrefix(strings.TrimSuffix(key, ".npy"), "override/"); ok {
					values, shape := array[float32](t, r, "override/"+name)
					state[name] = dense.Of(values, shape...)
				}
			}
			insts := goldenInstances(t, r)
			cfg := c.cfg
			cfg.Problem = insts[0].Problem
			m := New(cfg, 1)
			if err := m.WarmStart(state); err != nil {
				t.Fatal(err)
			}
			want, shape := array[float32](t, r, "node_embeddings")
			p := m.newPass()
			p.enc.resize(len(insts), shape[1])
			for i := range insts {
				p.enc.place(i, &insts[i])
			}
			p.enc.forward(&m.w)
			if c.atLeast > 0 {
				if got := correlation(p.enc.h, want); got < c.atLeast {
					t.Errorf("the embeddings correlate with %v, want at least %v", got, c.atLeast)
				}
				return
			}
			for k, v := range p.enc.h {
				if math.Abs(float64(v-want[k])) > 1e-4 {
					t.Fatalf("embedding %d is %v, want %v", k, v, want[k])
				}
			}
		})
	}
}

func correlation(x, y []float32) float64 {
	n, mx, my := float64(len(x)), 0.0, 0.0
	for i := range x {
		mx, my = mx+float64(x[i])/n, my+float64(y[i])/n
	}
	var xy, xx, yy float64
	for i := range x {
		dx, dy := float64(x[i])-mx, float64(y[i])-my
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	return xy / math.Sqrt(xx*yy)
}

func TestWarmStartRefuses(t *testing.T) {
	const D, FF = 16, 24
	pomo := func() map[string]*tensor.Dense {
		state := map[string]*tensor.Dense{
			"encoder.embedding.weight": dense.Of(make([]float32, 2*D), D, 2), "encoder.embedding.bias": dense.Of(make([]float32, D), D),
		}
		for l := range 2 {
			for name, shape := range map[string][]int{
				"Wq.weight": {D, D}, "Wk.weight": {D, D}, "Wv.weight": {D, D}, "multi_head_combine.weight": {D, D},
				"addAndNormalization1.norm.weight": {D}, "addAndNormalization1.norm.bias": {D},
				"addAndNormalization2.norm.weight": {D}, "addAndNormalization2.norm.bias": {D},
				"feedForward.W1.weight": {FF, D}, "feedForward.W1.bias": {FF}, "feedForward.W2.weight": {D, FF},
			} {
				state[fmt.Sprintf("encoder.layers.%d.%s", l, name)] = dense.Of(make([]float32, tensor.Shape(shape).TotalSize()), shape...)
			}
		}
		return state
	}
	deep, cvrp, lehd := small(true), small(true), Config{Arch: LEHD, DecoderLayers: 1, D: D, Layers: 1, Heads: 2, FF: FF}
	deep.Layers = 3
	affine := small(true)
	affine.Norm = Affine
	cvrp.Problem = routing.CVRP
	for _, c := range []struct {
		name   string
		cfg    Config
		change func(map[string]*tensor.Dense)
		want   string
	}{
		{"fits", small(true), func(map[string]*tensor.Dense) {}, ""},
		{"no encoder", small(true), func(s map[string]*tensor.Dense) { delete(s, "encoder.layers.0.Wq.weight") }, "neither embedder.layers.0"},
		{"too few layers", deep, func(map[string]*tensor.Dense) {}, "tensor encoder.layers.2.Wq.weight is missing, which 3 layers of arch pomo for tsp need"},
		{"another width", small(true), func(s map[string]*tensor.Dense) {
			s["encoder.layers.1.feedForward.W1.weight"] = dense.Of(make([]float32, 32*D), 32, D)
		}, "tensor encoder.layers.1.feedForward.W1.weight has shape (32, 16), the student wants [24 16]"},
		{"another problem", cvrp, func(map[string]*tensor.Dense) {}, "tensor encoder.embedding_depot.weight is missing"},
		{"another architecture", lehd, func(map[string]*tensor.Dense) {}, "tensor encoder.layers.0.multi_head_combine.bias is missing"},
		{"affine norms", affine, func(map[string]*tensor.Dense) {}, "norm is affine, which fits AM only"},
		{"another type", small(true), func(s map[string]*tensor.Dense) {
			s["encoder.embedding.bias"] = tensor.New(tensor.WithShape(D), tensor.Of(tensor.Float64))
		}, "tensor encoder.embedding.bias is float64, want float32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			state := pomo()
			c.change(state)
			m := New(c.cfg, 1)
			before := marshal(t, m)
			err := m.WarmStart(state)
			if c.want == "" {
				if err != nil || bytes.Equal(marshal(t, m), before) {
					t.Errorf("error %v, or nothing changed", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if !bytes.Equal(marshal(t, m), before) {
				t.Error("the model changed")
			}
		})
	}
}

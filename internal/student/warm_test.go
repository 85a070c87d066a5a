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
	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/internal/torchfile"
)

// encoderOf returns the encoder of a teacher whose parameters are those of a file, but for those that a golden file
// replaces.
func encoderOf(t *testing.T, file, key string, r *npz.Reader) *teacher.Encoder {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "teachers/"+file))
	if err != nil {
		t.Fatal(err)
	}
	object, err := torchfile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var tensors []safetensors.Tensor
	for name, v := range torchfile.Items(torchfile.Item(object, key)) {
		d, err := v.(*torchfile.Tensor).Dense()
		if err != nil {
			t.Fatal(err)
		}
		if override := "override/" + name; slices.Contains(r.Keys(), override+".npy") {
			values, shape := array[float32](t, r, override)
			d = dense.Of(values, shape...)
		}
		tensors = append(tensors, safetensors.Tensor{Name: name, Dense: d})
	}
	if data, err = safetensors.Encode(tensors, nil); err != nil {
		t.Fatal(err)
	}
	solver, err := teacher.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return solver.Encoder()
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
			Problem: routing.CVRP, Capacity: capacity[i], Coords: slices.Concat(
				depot[2*i:2*i+2], locs[2*N*i:2*N*(i+1)],
			),
			Demand: append([]int32{0}, demand[N*i:N*(i+1)]...),
		}
	}
	return insts
}

// A warm student embeds as its teacher does: to rounding, and where instance norms stand for AM's batch norms roughly.
func TestWarmStartEmbedsAsTheTeacher(t *testing.T) {
	lehd := defaultLEHD()
	lehd.Layers = 1
	deep, affine := defaultPOMO(), defaultPOMO()
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
		{"am_tsp_20", "am/tsp_20/epoch-99.pt", "model", defaultPOMO(), 0.85},
		{"am_cvrp_50", "am/cvrp_50/epoch-99.pt", "model", defaultPOMO(), 0.4},
	} {
		t.Run(fmt.Sprintf("%s/norm=%s", c.golden, c.cfg.Norm), func(t *testing.T) {
			r, err := npz.Open(testdata.Shared(t, "golden/"+c.golden+".npz"))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			insts := goldenInstances(t, r)
			cfg := c.cfg
			cfg.Problem = insts[0].Problem
			m := New(cfg, 1)
			if err := m.warmStart(encoderOf(t, c.file, c.key, r)); err != nil {
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
	weight := func(shape ...int) *tensor.Dense {
		n, _ := dense.Elements(shape)
		return dense.Of(make([]float32, n), shape...)
	}
	pomo := func() *teacher.Encoder {
		enc := &teacher.Encoder{Heads: 2, Embed: weight(2, D), EmbedBias: weight(D)}
		norm := teacher.Norm{Kind: teacher.InstanceNorm, Gamma: weight(D), Beta: weight(D)}
		for range 2 {
			enc.Layers = append(enc.Layers, teacher.Layer{
				QKV: weight(D, 3*D), Combine: weight(D, D), CombineBias: weight(D), Norm1: norm,
				FF1: weight(D, FF), FF1Bias: weight(FF), FF2: weight(FF, D), FF2Bias: weight(D), Norm2: norm,
			})
		}
		return enc
	}
	deep, cvrp, lehd := small(true), small(true), Config{
		Arch: LEHD, DecoderLayers: 1, D: D, Layers: 1, Heads: 2, FF: FF,
	}
	deep.Layers = 3
	affine := small(true)
	affine.Norm = Affine
	cvrp.Problem = routing.CVRP
	for _, c := range []struct {
		name   string
		cfg    Config
		change func(*teacher.Encoder)
		want   string
	}{
		{"fits", small(true), func(*teacher.Encoder) {}, ""},
		{"missing weight", small(true), func(e *teacher.Encoder) { e.Layers[0].QKV = nil },
			"the teacher's layer 0, queries, keys and values is missing"},
		{"too few layers", deep, func(*teacher.Encoder) {}, "the teacher has 2 encoder layers, the student 3"},
		{
			"other heads", small(true), func(e *teacher.Encoder) { e.Heads = 4 },
			"the teacher has 4 heads, the student 2",
		},
		{"another width", small(true), func(e *teacher.Encoder) { e.Layers[1].FF1 = weight(D, 32) },
			"the teacher's layer 1, first feed-forward weight has shape [16 32], want [16 24]"},
		{
			"another problem", cvrp, func(*teacher.Encoder) {},
			"the teacher's depot has an embedding of its own: false, the student's: true",
		},
		{"another architecture", lehd, func(*teacher.Encoder) {}, "the teacher has instance norms, the student none"},
		{"no norms", small(true), func(e *teacher.Encoder) { e.Layers[1].Norm2 = teacher.Norm{} },
			"layer 1, second feed-forward: the teacher has no norms, the student instance norms"},
		{"affine norms", affine, func(*teacher.Encoder) {}, "norm is affine, which fits AM only"},
		{"another type", small(true), func(e *teacher.Encoder) { e.EmbedBias = dense.Vector(make([]float64, D)) },
			"the teacher's embedding's bias has type float64, want float32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			enc := pomo()
			c.change(enc)
			m := New(c.cfg, 1)
			before := marshal(t, m)
			err := m.warmStart(enc)
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

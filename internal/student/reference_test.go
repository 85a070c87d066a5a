package student

import (
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// reference computes Σ ω_s·ℓ_s of a set in float64, directly from the paper: keys K_m are built (Eq. 4), the query is
// one linear map of the concatenated context, and no operations are fused. params holds the model's parameters by name.
func reference(cfg Config, params map[string][]float64, set Dataset, tauH []float64) float64 {
	sh := set.Shard
	embeddings := make([][][]float64, sh.Instances())
	total := 0.0
	for s := range sh.States() {
		st := sh.State(s)
		i := int(sh.InstanceOf[st.Traj])
		if embeddings[i] == nil {
			embeddings[i] = embed(cfg, params, sh.Instance(i))
		}
		load := 0.0
		if cfg.Problem == routing.CVRP {
			load = float64(st.Remaining) / float64(sh.Capacity[i])
		}
		context := pomoContext
		if cfg.lehd() {
			context = lehdContext
		}
		Q, hc := context(cfg, params, embeddings[i], st, load)
		a, b := sh.Offset[s], sh.Offset[s+1]
		var V [][]float64
		var logits []float64
		for m, c := range set.Scores {
			z := make([]float64, 0, b-a)
			for _, v := range floats(c)[a:b] {
				z = append(z, float64(v)/tauH[m])
			}
			Vm := softmax(z)
			V = append(V, Vm)
			Km := mul([][]float64{Vm}, hc)[0]
			if static := params["router.keys"]; static != nil {
				Km = column(matrix(static, cfg.StaticKeys), m)
			}
			logits = append(logits, inner(Q, Km)/float64(cfg.tauR()))
		}
		piS := mul([][]float64{softmax(logits)}, V)[0]
		weight := 1.0
		if set.Weight != nil {
			weight = float64(floats(set.Weight)[s])
		}
		for k, p := range st.Probs {
			if p > 0 {
				total += weight * float64(p) * math.Log(float64(p)/math.Max(piS[k], agreement.Floor))
			}
		}
	}
	return total
}

// pomoContext returns the query and the embeddings of the candidates.
func pomoContext(
	cfg Config, params map[string][]float64, h [][]float64, st rollout.State, load float64,
) (Q []float64, hc [][]float64) {
	D := cfg.D
	var cand, current, first [][]float64
	nodes := matrix(params["query.nodes.weight"], 3*D)
	for d := range D {
		cand, current = append(cand, nodes[d][:D]), append(current, nodes[d][D:2*D])
		first = append(first, nodes[d][2*D:])
	}
	context := slices.Concat(matrix(params["query.graph.weight"], D), cand, current, first) // [4D,D]
	for _, node := range st.Candidates {
		hc = append(hc, h[node])
	}
	x := slices.Concat(meanRow(h), meanRow(hc), h[st.Current], h[st.Anchor])
	Q = add(mul([][]float64{x}, context)[0], params["query.bias"])
	if cfg.Problem == routing.CVRP {
		Q = add(Q, scaled(load, params["query.load.weight"]))
	}
	if cfg.Glimpse {
		kv := mul(hc, matrix(params["glimpse.kv.weight"], 2*D))
		o := attend(cfg, [][]float64{Q}, columns(kv, 0, D), columns(kv, D, 2*D))
		Q = add(Q, mul(o, matrix(params["glimpse.out.weight"], D))[0])
	}
	return Q, hc
}

// lehdContext does the same for a LEHD student.
func lehdContext(
	cfg Config, params map[string][]float64, h [][]float64, st rollout.State, load float64,
) (Q []float64, hc [][]float64) {
	D := cfg.D
	end := func(node, at int) []float64 {
		x := addRows(mul([][]float64{h[node]}, matrix(params["decoder.ends.weight"], 2*D)), params["decoder.ends.bias"])
		if cfg.Problem == routing.CVRP {
			x[0] = add(x[0], scaled(load, params["decoder.load.weight"]))
		}
		return x[0][at*D : (at+1)*D]
	}
	x, token := [][]float64{end(st.Anchor, 0)}, map[int]int{}
	// Candidates are feasible actions: node, or len(h)+node by way of the depot; 0 is the depot in a CVRP.
	for node := range h {
		direct, via := slices.Contains(st.Candidates, uint16(node)), slices.Contains(st.Candidates, uint16(len(h)+node))
		if (direct || via) && (node != 0 || cfg.Problem != routing.CVRP) {
			token[node] = len(x)
			x = append(x, h[node])
		}
	}
	x = append(x, end(st.Current, 1))
	x = layers(cfg, params, "decoder", cfg.DecoderLayers, x)
	last := len(x) - 1
	for _, a := range st.Candidates {
		k := x[token[int(a)%len(h)]]
		if int(a) >= len(h) {
			k = mul([][]float64{k}, matrix(params["decoder.via.weight"], D))[0]
		}
		hc = append(hc, k)
	}
	context := slices.Concat(meanRow(x[1:last]), x[0], x[last])
	return add(mul([][]float64{context}, matrix(params["query.weight"], D))[0], params["query.bias"]), hc
}

func embed(cfg Config, params map[string][]float64, inst routing.Instance) [][]float64 {
	var x [][]float64
	for i := range inst.N() {
		a, b := inst.XY(i)
		x = append(x, []float64{float64(a), float64(b)})
		if cfg.Problem == routing.CVRP {
			x[i] = append(x[i], float64(inst.Demand[i])/float64(inst.Capacity))
		}
	}
	h := addRows(mul(x, matrix(params["embed.weight"], cfg.D)), params["embed.bias"])
	if depot := params["embed.depot.weight"]; depot != nil {
		h[0] = add(mul([][]float64{x[0][:2]}, matrix(depot, cfg.D))[0], params["embed.depot.bias"])
	}
	return layers(cfg, params, "encoder", cfg.Layers, h)
}

func layers(cfg Config, params map[string][]float64, stack string, count int, h [][]float64) [][]float64 {
	D := cfg.D
	for i := range count {
		at := func(name string) []float64 { return params[fmt.Sprintf("%s.%d.%s", stack, i, name)] }
		join := func(y [][]float64, name, norm string) {
			y = mul(y, matrix(at(name+".weight"), D))
			if cfg.lehd() {
				for r := range h {
					h[r] = add(h[r], add(y[r], at(name+".bias")))
				}
				return
			}
			if cfg.Norm == Affine {
				for r := range h {
					for d, v := range add(h[r], y[r]) {
						h[r][d] = at(norm + ".gamma")[d]*v + at(norm + ".beta")[d]
					}
				}
				return
			}
			h = normalise(h, y, at(norm+".gamma"), at(norm+".beta"))
		}
		qkv := mul(h, matrix(at("qkv.weight"), 3*D))
		join(attend(cfg, columns(qkv, 0, D), columns(qkv, D, 2*D), columns(qkv, 2*D, 3*D)), "combine", "norm1")
		f := addRows(mul(h, matrix(at("ff1.weight"), cfg.FF)), at("ff1.bias"))
		for _, row := range f {
			for j := range row {
				row[j] = math.Max(row[j], 0)
			}
		}
		join(f, "ff2", "norm2")
	}
	return h
}

func attend(cfg Config, q, k, v [][]float64) [][]float64 {
	dh := cfg.D / cfg.Heads
	out := make([][]float64, len(q))
	for head := range cfg.Heads {
		a, b := head*dh, (head+1)*dh
		for i := range q {
			var s []float64
			for j := range k {
				s = append(s, inner(q[i][a:b], k[j][a:b])/math.Sqrt(float64(dh)))
			}
			out[i] = append(out[i], mul([][]float64{softmax(s)}, columns(v, a, b))[0]...)
		}
	}
	return out
}

func normalise(x, y [][]float64, gamma, beta []float64) [][]float64 {
	n, D := len(x), len(gamma)
	z := make([][]float64, n)
	for i := range z {
		z[i] = add(x[i], y[i])
	}
	for d := range D {
		mean, variance := 0.0, 0.0
		for i := range z {
			mean += z[i][d] / float64(n)
		}
		for i := range z {
			variance += (z[i][d] - mean) * (z[i][d] - mean) / float64(n)
		}
		for i := range z {
			z[i][d] = gamma[d]*(z[i][d]-mean)/math.Sqrt(variance+1e-5) + beta[d]
		}
	}
	return z
}

func matrix(x []float64, cols int) [][]float64 {
	var rows [][]float64
	for ; len(x) > 0; x = x[cols:] {
		rows = append(rows, x[:cols:cols])
	}
	return rows
}

func columns(x [][]float64, a, b int) [][]float64 {
	var y [][]float64
	for _, row := range x {
		y = append(y, row[a:b:b])
	}
	return y
}

func column(x [][]float64, j int) (y []float64) {
	for _, row := range x {
		y = append(y, row[j])
	}
	return y
}

func mul(a, b [][]float64) [][]float64 {
	c := make([][]float64, len(a))
	for i := range a {
		c[i] = make([]float64, len(b[0]))
		for k, v := range a[i] {
			for j, w := range b[k] {
				c[i][j] += v * w
			}
		}
	}
	return c
}

func inner(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

func add(x, y []float64) []float64 {
	z := make([]float64, len(x))
	for i := range x {
		z[i] = x[i] + y[i]
	}
	return z
}

func scaled(a float64, x []float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = a * x[i]
	}
	return y
}

func addRows(x [][]float64, y []float64) [][]float64 {
	for i := range x {
		x[i] = add(x[i], y)
	}
	return x
}

func meanRow(x [][]float64) []float64 {
	m := make([]float64, len(x[0]))
	for _, row := range x {
		for d, v := range row {
			m[d] += v / float64(len(x))
		}
	}
	return m
}

func softmax(x []float64) []float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range x {
		top = math.Max(top, v)
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Exp(v - top)
		sum += y[i]
	}
	for i := range y {
		y[i] /= sum
	}
	return y
}

package ranker

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// record has the nearest neighbour solve random instances.
func record(t testing.TB, problem routing.Problem, n, count int, seed uint64) *rollout.Shard {
	t.Helper()
	insts := problems.Must(problem).Generate(n, count, seed)
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func small(hidden int) Config {
	return Config{Hidden: hidden, Epochs: 3, LR: 1e-2, Batch: 64, Seed: 1}
}

func table(t testing.TB, sh *rollout.Shard) *Table {
	t.Helper()
	data, err := NewTable(context.Background(), sh, sdk.ClassLocal, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func fit(t testing.TB, sh *rollout.Shard, c Config) *Network {
	t.Helper()
	n, err := Fit(context.Background(), table(t, sh), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// score is Network's formula in float64, for one candidate.
func (n *Network) score(f, z []float32) float64 {
	product := func(x []float32, w []float32, j, width int) (sum float64) {
		for i, v := range x {
			sum += float64(v) * float64(w[i*width+j])
		}
		return sum
	}
	if n.H == 0 {
		return product(f, n.w.out, 0, 1)
	}
	h1, score := make([]float32, n.H), 0.0
	for j := range h1 {
		h1[j] = float32(max(0, product(f, n.w.node, j, n.H)+product(z, n.w.state, j, n.H)+float64(n.w.bias1[j])))
	}
	for j := range n.H {
		score += max(0, product(h1, n.w.second, j, n.H)+float64(n.w.bias2[j])) * float64(n.w.out[j])
	}
	return score
}

// loss is the sum of KL(π_T‖π) over states, in float64.
func (n *Network) loss(p *pass) (sum float64) {
	for t := range len(p.offset) - 1 {
		a, b := int(p.offset[t]), int(p.offset[t+1])
		var scores []float64
		total := 0.0
		for l := a; l < b; l++ {
			s := n.score(p.f[l*p.F:(l+1)*p.F], p.z[t*p.Z:(t+1)*p.Z])
			scores, total = append(scores, s), total+math.Exp(s)
		}
		for k, piT := range p.piT[a:b] {
			if piT > 0 {
				sum += float64(piT) * (math.Log(float64(piT)) - scores[k] + math.Log(total))
			}
		}
	}
	return sum
}

// The scores and the loss are those of the formulas, and the gradient is that of finite differences of the loss.
func TestGradientAgreesWithFiniteDifferences(t *testing.T) {
	for _, problem := range []routing.Problem{routing.TSP, routing.CVRP} {
		sh := record(t, problem, 7, 3, 1)
		for _, hidden := range []int{0, 6} {
			data := table(t, sh)
			n := newNetwork(data.set, data.scale, hidden, 1)
			r := rand.New(rand.NewPCG(2, 2))
			for i := range n.theta {
				n.theta[i] += float32(0.1 * r.NormFloat64()) // biases and linear scorers begin at 0
			}
			p := n.newPass()
			p.reset()
			for _, sp := range spans(sh) {
				if err := p.load(data, nil, sp); err != nil {
					t.Fatal(err)
				}
			}
			grad := make([]float32, len(n.theta))
			g := over(grad, p.F, p.Z, hidden)
			p.forward(&n.w)
			got := p.loss()
			p.backward(&g, &n.w)
			if want := n.loss(p); math.Abs(got-want) > 1e-4*want {
				t.Errorf("%s, %d hidden units: loss %v, want %v", problem, hidden, got, want)
			}
			const h = 1e-4
			for i := 0; i < len(n.theta); i += 1 + len(n.theta)/97 {
				was := n.theta[i]
				n.theta[i] = was + h
				high, up := n.theta[i], n.loss(p)
				n.theta[i] = was - h
				low, down := n.theta[i], n.loss(p)
				n.theta[i] = was
				want := (up - down) / float64(high-low)
				if math.Abs(float64(grad[i])-want) > 2e-2*(1+math.Abs(want)) {
					t.Errorf("%s, %d hidden units: gradient %d is %v, want %v", problem, hidden, i, grad[i], want)
				}
			}
		}
	}
}

// Rankers learn what the nearest neighbour does, on tours and with a depot, and Measure says so of states that they
// have not seen.
func TestRankersFollowNearestNeighbour(t *testing.T) {
	for _, problem := range []routing.Problem{routing.TSP, routing.CVRP} {
		sh, fresh := record(t, problem, 10, 60, 1), record(t, problem, 10, 30, 2)
		for _, hidden := range []int{0, 16} {
			c := small(hidden)
			c.Epochs = 12
			got, err := Measure(t.Context(), fit(t, sh, c), fresh)
			if err != nil {
				t.Fatal(err)
			}
			if got.States != fresh.States() || got.Top1 < 0.95 || got.Loss > 0.3 {
				t.Errorf("%s, %d hidden units: %+v, want top-1 of at least 0.95", problem, hidden, got)
			}
		}
	}
}

// The same seed gives the same bytes on any number of cores, and whether features are kept or read again.
func TestFitIsDeterministic(t *testing.T) {
	sh := record(t, routing.TSP, 9, 60, 1)
	c := small(8)
	c.Batch = 3 * partStates // a batch that several goroutines share
	first := fit(t, sh, c).theta
	other := c
	other.Seed = 2
	if slices.Equal(fit(t, sh, other).theta, first) {
		t.Error("another seed gives the same parameters")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if !slices.Equal(fit(t, sh, c).theta, first) {
		t.Error("one core gives other parameters")
	}
	data := table(t, sh)
	data.kept = sh.States() / 3
	p, q := fit(t, sh, small(8)).newPass(), fit(t, sh, small(8)).newPass()
	r := rollout.NewFeatureReader(data.set)
	p.reset()
	q.reset()
	for _, sp := range spans(sh) {
		if err := p.load(data, r, sp); err != nil {
			t.Fatal(err)
		}
	}
	data.kept = sh.States()
	for _, sp := range spans(sh) {
		if err := q.load(data, r, sp); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(p.f, q.f) || !slices.Equal(p.z, q.z) {
		t.Error("features that are read again differ from those that were kept")
	}
}

// A table keeps no more states than its memory has room for, and has the same scale without them.
func TestTableKeepsWhatFits(t *testing.T) {
	sh := record(t, routing.TSP, 9, 60, 1)
	all := table(t, sh)
	if all.kept != sh.States() {
		t.Fatalf("%d of %d states are kept", all.kept, sh.States())
	}
	one := 4 * (sh.Offset[1]*int64(len(all.set.Node)) + int64(len(all.set.State))) // bytes of the first state
	for bytes, kept := range map[int64]int{one - 1: 0, one: 1} {
		data, err := NewTable(t.Context(), sh, sdk.ClassLocal, bytes)
		if err != nil {
			t.Fatal(err)
		}
		if data.kept != kept {
			t.Errorf("%d states are kept in %d bytes, want %d", data.kept, bytes, kept)
		}
		if !reflect.DeepEqual(data.scale, all.scale) {
			t.Errorf("with %d states kept the scale differs", kept)
		}
		if _, err := FitTree(t.Context(), data, TreeConfig{Leaves: 3, Least: 1}); err == nil {
			t.Errorf("a tree grows on %d of %d states", kept, sh.States())
		}
	}
}

// A step goes down the gradients of all parts of a batch.
func TestDescendAddsParts(t *testing.T) {
	data := table(t, record(t, routing.TSP, 6, 2, 1))
	step := func(grads ...float32) []float32 {
		n := newNetwork(data.set, data.scale, 4, 1)
		x := &trainer{c: small(4), n: n, data: data, m: make([]float32, len(n.theta)), v: make([]float32, len(n.theta))}
		var parts []*part
		for _, g := range grads {
			parts = append(parts, &part{grad: slices.Repeat([]float32{g}, len(n.theta))})
		}
		if err := x.descend(parts, 1, 0); err != nil {
			t.Fatal(err)
		}
		return n.theta
	}
	if got, want := step(1, -3, 1), step(-1); !slices.Equal(got, want) {
		t.Errorf("after a step with gradients of 1, -3 and 1 the first parameters are %v, after one of -1 %v", got[:3],
			want[:3])
	}
}

// Of many states each is seen less often, and never fewer than twice unless the configuration says so.
func TestEpochs(t *testing.T) {
	for _, of := range []struct{ epochs, states, want int }{
		{25, 1, 25}, {25, fullStates, 25}, {25, 2 * fullStates, 13}, {25, 100 * fullStates, 2},
		{1, 100 * fullStates, 1},
	} {
		if got := (Config{Epochs: of.epochs}).epochs(of.states); got != of.want {
			t.Errorf("%d epochs over %d states become %d, want %d", of.epochs, of.states, got, of.want)
		}
	}
}

func TestFitRefuses(t *testing.T) {
	data := table(t, record(t, routing.TSP, 6, 2, 1))
	for name, c := range map[string]Config{
		"hidden": {Hidden: -1, Epochs: 1, LR: 1, Batch: 1}, "epochs": {LR: 1, Batch: 1},
		"lr": {Epochs: 1, Batch: 1, LR: math.NaN()}, "batch": {Epochs: 1, LR: 1},
	} {
		if _, err := Fit(t.Context(), data, c, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := NewTable(t.Context(), &rollout.Shard{Problem: routing.TSP}, sdk.ClassLocal, 1); err == nil {
		t.Error("no error on a shard without states")
	}
}

// BenchmarkFit counts the states of all epochs.
func BenchmarkFit(b *testing.B) {
	for name, c := range map[string]Config{"linear": Linear(1), "neural": Neural(1)} {
		b.Run(name, func(b *testing.B) {
			sh := record(b, routing.TSP, 20, 200, 1)
			for b.Loop() {
				fit(b, sh, c)
			}
			b.ReportMetric(float64(b.N*c.Epochs*sh.States())/b.Elapsed().Seconds(), "states/s")
		})
	}
}

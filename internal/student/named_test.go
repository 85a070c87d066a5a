package student

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

func smallNamed(M int) Config { return Config{Router: Named, Programs: M} }

// named is a toy dataset with a named router for it, whose parameters are random.
func named(t testing.TB, M int) (*Model, Dataset, []float64) {
	t.Helper()
	set, tauH := toy(2, 6, 2, M, 1)
	return namedOn(t, set, tauH), set, tauH
}

// namedOn returns a named router with random parameters for a dataset.
func namedOn(t testing.TB, set Dataset, tauH []float64) *Model {
	t.Helper()
	M := len(tauH)
	m := New(smallNamed(M), 1)
	if err := m.Standardise(context.Background(), []Dataset{set}, dense.Vector(tauH)); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, x := range [][]float32{m.w.named.products, m.w.named.bias} {
		for i := range x {
			x[i] = 0.4 * (r.Float32() - 0.5)
		}
	}
	return m
}

// withJacobian gives the set random Jacobians, and returns the model with random weights for them.
func withJacobian(m *Model, set *Dataset, weights []int) *Model {
	r := rand.New(rand.NewPCG(5, 6))
	C := len(set.Shard.Candidates)
	for _, n := range weights {
		x := make([]float32, n*C)
		for i := range x {
			x[i] = 0.1 * float32(r.NormFloat64())
		}
		set.Jacobian = append(set.Jacobian, dense.Of(x, n, C))
	}
	with, x := m.WithWeights(weights)
	for i := range x {
		x[i] = r.Float32() - 0.5
	}
	return with
}

// namedReference computes Σ ℓ_s in float64 from the definition: keys K_m are built, and logits are
// b_m·(1,z) + c·K_m + zᵀC K_m.
func namedReference(m *Model, params map[string][]float64, set Dataset, tauH []float64, harden float64) float64 {
	fs, _ := features.Of(routing.TSP, routing.Full, sdk.ClassLocal)
	F, Z, M := len(fs.Node), len(fs.State), len(tauH)
	reader, sh, total := fs.NewReader(), set.Shard, 0.0
	for s := range sh.States() {
		st := sh.State(s)
		inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
		reader.Open(&inst)
		K := len(st.Candidates)
		f, z := make([]float32, K*F), make([]float32, Z)
		reader.Read(features.Decision{
			Step: int32(st.Step), First: int32(st.Anchor), Current: int32(st.Current), Candidates: st.Candidates,
		}, f, z)
		zz := []float64{1}
		for j, v := range z {
			zz = append(zz, (float64(v)-params["features.mean"][j])/params["features.spread"][j])
		}
		a := int(sh.Offset[s])
		var V [][]float64
		logits := make([]float64, M)
		at := 0
		for h, c := range set.Scores {
			score := make([]float64, K)
			for k := range score {
				score[k] = float64(floats(c)[a+k])
			}
			if len(m.Config.Weights) > 0 {
				for range m.Config.Weights[h] {
					for k := range score {
						C := len(sh.Candidates)
						j := at
						for g := range h {
							j -= m.Config.Weights[g]
						}
						score[k] += params["programs.weights"][at] * float64(floats(set.Jacobian[h])[j*C+a+k])
					}
					at++
				}
			}
			for k := range score {
				score[k] /= tauH[h]
			}
			Vm := softmax(score)
			V = append(V, Vm)
			key := make([]float64, F+1)
			for k, v := range Vm {
				for j := range F {
					key[j] += v * float64(f[k*F+j]) / params["features.scale"][j]
				}
				key[F] = math.Max(key[F], ConfidenceScale*v)
			}
			for i, zi := range zz {
				logits[h] += zi * params["router.bias"][i*M+h]
				for j, kj := range key {
					logits[h] += zi * params["router.products"][i*(F+1)+j] * kj
				}
			}
		}
		w := softmax(logits)
		piS := mul([][]float64{w}, V)[0]
		for k, p := range st.Probs {
			total += (1 - harden) * float64(p) * math.Log(float64(p)/math.Max(piS[k], agreement.Floor))
			for h, Vm := range V {
				total += harden * w[h] * float64(p) * math.Log(float64(p)/math.Max(Vm[k], agreement.Floor))
			}
		}
	}
	return total
}

func TestNamedGradientAgreesWithFiniteDifferences(t *testing.T) {
	for name, weights := range map[string][]int{"router": nil, "weights too": {2, 0, 3}, "hardened": {1, 2, 0}} {
		t.Run(name, func(t *testing.T) {
			harden := 0.0
			if name == "hardened" {
				harden = 0.7
			}
			m, set, tauH := named(t, 3)
			if weights != nil {
				m = withJacobian(m, &set, weights)
			}
			p := m.newPass()
			p.route.harden = float32(harden)
			flat := make([]float32, m.Size())
			g, loss := m.Config.over(flat), 0.0
			p.learn(openAll(set), units(openAll(set)), tauH, &g, nil, func() {
				part, _ := p.route.loss(&p.st)
				loss += part
			})
			params, at := map[string][]float64{}, map[string]int{}
			next := 0
			for _, q := range m.params {
				at[q.Name] = next
				for _, v := range q.Value.Data().([]float32) {
					params[q.Name] = append(params[q.Name], float64(v))
					next++
				}
			}
			if want := namedReference(m, params, set, tauH, 0); math.Abs(loss-want) > 1e-5*want {
				t.Fatalf("loss %v, want %v", loss, want)
			}
			r := rand.New(rand.NewPCG(7, 8))
			for _, name := range []string{"router.products", "router.bias", "programs.weights"} {
				x := params[name]
				const h = 1e-5
				for range min(12, len(x)) {
					i := r.IntN(len(x))
					v := x[i]
					x[i] = v + h
					up := namedReference(m, params, set, tauH, harden)
					x[i] = v - h
					down := namedReference(m, params, set, tauH, harden)
					x[i] = v
					got, want := float64(flat[at[name]+i]), (up-down)/(2*h)
					if math.Abs(got-want) > gradientTolerance*math.Max(1, math.Abs(want)) {
						t.Errorf("d %s[%d] = %v, want %v", name, i, got, want)
					}
				}
			}
		})
	}
}

// A live session mixes as a pass over a shard does, soft and hard, and hard routing takes the leader's own choice in
// every step. It does so with few products too.
func TestNamedSessionAndHardRouting(t *testing.T) {
	m, set, tauH := named(t, 3)
	mixesAlike(t, m, set, tauH)
	selectFrom(t, m, set, tauH, 10, 1)
	mixesAlike(t, m, set, tauH)
}

func mixesAlike(t *testing.T, m *Model, set Dataset, tauH []float64) {
	t.Helper()
	for _, routing := range []Routing{Soft, Hard} {
		m.Config.Routing = routing
		out := all(t, m, set, tauH)
		w, mix, sh := floats(out.W), floats(out.Mix), set.Shard
		for s := range sh.States() {
			a, b := sh.Offset[s], sh.Offset[s+1]
			lead := agreement.Argmax(w[s*3 : s*3+3])
			if routing == Hard {
				got, want := agreement.Argmax(mix[a:b]), agreement.Argmax(floats(set.Scores[lead])[a:b])
				if got != want {
					t.Fatalf("state %d: the student takes candidate %d, its leader %d", s, got, want)
				}
			}
			session, st := m.Session(), sh.State(s)
			inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
			session.Encode(&inst)
			live := Live{
				Anchor: []int32{int32(st.Anchor)}, First: []int32{int32(st.Anchor)},
				Current: []int32{int32(st.Current)},
				Step:    []int32{int32(st.Step)}, Offset: []int{0, int(b - a)}, Candidates: st.Candidates,
			}
			scores := make([][]float32, 3)
			for h := range scores {
				scores[h] = floats(set.Scores[h])[a:b]
			}
			got := make([]float32, b-a)
			session.MixLive(live, scores, tauH, nil, got)
			near(t, "mix", got, mix[a:b])
		}
	}
}

// Training a named router with the weights of its programs lowers the loss, keeps the weights in their bounds, and
// gives the same bytes again.
func TestTrainWeights(t *testing.T) {
	train := func() (*Model, float64, float64) {
		m, set, tauH := named(t, 2)
		m = withJacobian(m, &set, []int{2, 2})
		tr := NewTrainer(m, TrainConfig{LR: 1e-2, BatchStates: 8}, 1)
		tr.Programs = ProgramTraining{Rate: 5, Lo: []float32{-1, 0, -1, 0}, Hi: []float32{1, 0, 1, 0.1}}
		var first, last float64
		for e := range 20 {
			loss, err := tr.Epoch(context.Background(), []Dataset{set}, dense.Vector(tauH), e, nil)
			if err != nil {
				t.Fatal(err)
			}
			if e == 0 {
				first = loss
			}
			last = loss
		}
		return m, first, last
	}
	m, first, last := train()
	if last >= first {
		t.Errorf("loss %v after %v", last, first)
	}
	x := m.w.programs
	for i, lo := range []float32{-1, 0, -1, 0} {
		if hi := []float32{1, 0, 1, 0.1}[i]; x[i] < lo || x[i] > hi {
			t.Errorf("weight %d is %v, outside [%v, %v]", i, x[i], lo, hi)
		}
	}
	a, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	again, _, _ := train()
	b, err := again.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Error("another training gives other bytes")
	}
	if got := m.WithoutWeights(); got.Size() != m.Size()-4 || len(got.w.programs) != 0 {
		t.Errorf("without weights %d parameters of %d", got.Size(), m.Size())
	}
}

// A changed bank keeps the biases of the programs that stay; a new program begins with their mean.
func TestResizeNamed(t *testing.T) {
	m, _, _ := named(t, 3)
	tr := NewTrainer(m, TrainConfig{LR: 1e-2, BatchStates: 8}, 1)
	old := m.w.named.bias
	tr.Resize([]int{2, -1, 0})
	got := tr.Model.w.named.bias
	for i := range len(got) / 3 {
		mean := (old[3*i] + old[3*i+1] + old[3*i+2]) / 3
		near(t, "bias", got[3*i:3*i+3], []float32{old[3*i+2], mean, old[3*i]})
	}
	near(t, "products", tr.Model.w.named.products, m.w.named.products)
}

// The gradient of the scores agrees with finite differences of the loss.
func TestScoreGradient(t *testing.T) {
	m, set, tauH := named(t, 3)
	checkScoreGradient(t, m, set, tauH, 20, func(params map[string][]float64) float64 {
		return namedReference(m, params, set, tauH, 0)
	})
}

// The same of every student with a network, by the reference in float64.
func TestScoreGradientOfNetworks(t *testing.T) {
	for _, kind := range kinds(3) {
		t.Run(kind.name, func(t *testing.T) {
			set, tauH := kind.toy(2, 6, 1, 3, 4)
			m := New(kind.cfg, 5)
			checkScoreGradient(t, m, set, tauH, 10, func(params map[string][]float64) float64 {
				return reference(m.Config, params, set, tauH)
			})
		})
	}
}

// checkScoreGradient compares so many values of the gradient of the scores with finite differences of a reference.
func checkScoreGradient(
	t *testing.T, m *Model, set Dataset, tauH []float64, tries int, loss func(params map[string][]float64) float64,
) {
	t.Helper()
	gradient, err := ScoreGradient(t.Context(), m, set, dense.Vector(tauH))
	if err != nil {
		t.Fatal(err)
	}
	params := map[string][]float64{}
	for _, q := range m.params {
		for _, v := range q.Value.Data().([]float32) {
			params[q.Name] = append(params[q.Name], float64(v))
		}
	}
	r := rand.New(rand.NewPCG(9, 9))
	const h = 1.0 / 256 // exact in float32
	for range tries {
		p, k := r.IntN(3), r.IntN(len(set.Shard.Candidates))
		x := floats(set.Scores[p])
		v := x[k]
		x[k] = v + h
		up, above := loss(params), float64(x[k])
		x[k] = v - h
		down, below := loss(params), float64(x[k])
		x[k] = v
		got, want := float64(floats(gradient[p])[k]), (up-down)/(above-below)
		if math.Abs(got-want) > 5e-3*math.Max(1, math.Abs(want)) {
			t.Errorf("program %d, candidate %d: %v, want %v", p, k, got, want)
		}
	}
}

// Hard routing changes what decides, not what is trained or what the losses are: a leader that all but rules out the
// teacher's choice must not decide what is learned.
func TestHardRoutingTrainsTheMixture(t *testing.T) {
	train := func(routing Routing) ([]float32, Eval) {
		m, set, tauH := named(t, 3)
		m.Config.Routing = routing
		tr := NewTrainer(m, TrainConfig{LR: 1e-2, BatchStates: 8}, 1)
		tau := dense.Vector(tauH)
		if _, err := tr.Epoch(context.Background(), []Dataset{set}, tau, 0, nil); err != nil {
			t.Fatal(err)
		}
		e, err := Evaluate(context.Background(), m, []Dataset{set}, tau)
		if err != nil {
			t.Fatal(err)
		}
		return m.w.named.products, e
	}
	soft, eSoft := train(Soft)
	hard, eHard := train(Hard)
	if !slices.Equal(soft, hard) {
		t.Error("the router learns something else")
	}
	if eSoft.Loss != eHard.Loss || eSoft.Hard != eHard.Hard {
		t.Errorf("losses %v and %v, by the leader alone %v and %v", eSoft.Loss, eHard.Loss, eSoft.Hard, eHard.Hard)
	}
	if eHard.Top1 != eHard.Hard {
		t.Errorf("top-1 is %v, of the leader %v", eHard.Top1, eHard.Hard)
	}
}

// The agreement of both routings is measured, whichever the student has.
func TestBothRoutingsAreMeasured(t *testing.T) {
	differ := 0
	for programs := 2; programs < 8; programs++ {
		m, set, tauH := named(t, programs)
		of := map[Routing]Eval{}
		for _, routing := range []Routing{Soft, Hard} {
			e, err := Evaluate(context.Background(), m.Routed(routing), []Dataset{set}, dense.Vector(tauH))
			if err != nil {
				t.Fatal(err)
			}
			of[routing] = e
		}
		for routing, e := range of {
			if e.Mixed != of[Soft].Top1 || e.Hard != of[Hard].Top1 {
				t.Errorf("%d programs, %s: mixed %v and by the leader %v, want %v and %v",
					programs, routing, e.Mixed, e.Hard, of[Soft].Top1, of[Hard].Top1)
			}
		}
		if of[Soft].Top1 != of[Hard].Top1 {
			differ++
		}
	}
	if differ == 0 {
		t.Error("mixture and leader always agree alike with the teacher: the test tells nothing")
	}
}

// A memo, of all states or of some, in memory or in a file, changes no bit of what is trained.
func TestMemoChangesNothing(t *testing.T) {
	train := func(half bool, memo func(Config, *rollout.Shard) (*Memo, error)) string {
		m, set, tauH := named(t, 2)
		m.Config.HalfFeatures = half
		var err error
		if set.Memo, err = memo(m.Config, set.Shard); err != nil {
			t.Fatal(err)
		}
		tr := NewTrainer(m, TrainConfig{LR: 1e-2, BatchStates: 8}, 1)
		for e := range 3 {
			if _, err := tr.Epoch(context.Background(), []Dataset{set}, dense.Vector(tauH), e, nil); err != nil {
				t.Fatal(err)
			}
		}
		out, err := m.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	inMemory := func(bytes int64) func(Config, *rollout.Shard) (*Memo, error) {
		return func(c Config, sh *rollout.Shard) (*Memo, error) {
			m := c.NewMemo(sh, bytes)
			if m.Bytes() == 0 || m.Bytes() > bytes {
				return nil, fmt.Errorf("a memo of %d bytes, room for %d", m.Bytes(), bytes)
			}
			return m, nil
		}
	}
	without := map[bool]string{}
	for _, half := range []bool{false, true} {
		without[half] = train(half, func(Config, *rollout.Shard) (*Memo, error) { return nil, nil })
		for name, memo := range map[string]func(Config, *rollout.Shard) (*Memo, error){
			"whole": inMemory(1 << 30), "in part": inMemory(20_000),
			"in a file": func(c Config, sh *rollout.Shard) (*Memo, error) { return c.FileMemo(sh, t.TempDir()) },
		} {
			if train(half, memo) != without[half] {
				t.Errorf("half precision %t: a memo kept %s changes the model", half, name)
			}
		}
	}
	if without[false] == without[true] {
		t.Error("features of half precision do not change the model")
	}
}

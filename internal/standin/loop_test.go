package standin

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Every measure is finite on the cases of the gate, in the programs that the stand-in writes.
func TestMeasuresRun(t *testing.T) {
	tc := compiletest.Toolchain(t)
	for _, c := range settings {
		for i, src := range c.programs() {
			if len(c.ctx.Measures()) > 0 && i > 0 {
				break // the features of package features have tests of their own
			}
			m, err := runtime.Admit(t.Context(), tc, "part", src)
			if err != nil {
				t.Errorf("%s: %v\n%s", c.sdk, err, src)
				continue
			}
			m.Close()
		}
	}
}

// recorded is the attention model's greedy decisions on eight instances, as a shard.
func recorded(t *testing.T, file string) *rollout.Shard {
	t.Helper()
	path := testdata.Shared(t, file)
	files, err := instances.Read(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := npz.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var logP []float32
	if err := r.Read("log_p.npy", &logP); err != nil {
		t.Fatal(err)
	}
	insts := instances.Instances(files)
	N := insts[0].N()
	sh := &rollout.Shard{Problem: routing.TSP, N: N, Offset: []int64{0}}
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
// accept if the divergence on other instances falls. The stand-in leaves numbers to training: weights and τ_h are
// trained before each comparison. The accepted edits must find more of the teacher's decisions there.
func TestLoopRaisesAgreement(t *testing.T) {
	t.Run("tsp", func(t *testing.T) {
		loop(t, tours, recorded(t, "golden/am_tsp_50.npz"), recorded(t, "golden/am_tsp_20.npz"))
	})
	t.Run("cvrp", func(t *testing.T) { loop(t, routes, driven(t, false, 1), driven(t, false, 2)) })
	t.Run("subcvrp", func(t *testing.T) { loop(t, legs, driven(t, true, 1), driven(t, true, 2)) })
}

func loop(t *testing.T, c setting, train, val *rollout.Shard) {
	tc := compiletest.Toolchain(t)
	h := c.nearest
	v, scores := c.tuned(t, tc, &h, train, val, 8)
	first, best := v, mean(v.KL)
	for round := range 4 {
		in := c.stepInput(t, h, train, scores, 6)
		for in.Attempt = 1; in.Attempt <= 4; in.Attempt++ {
			src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(h, in, c.ctx)))
			if err != nil {
				t.Fatal(err)
			}
			edited := h
			edited.Source = src
			after, s := c.tuned(t, tc, &edited, train, val, 3)
			t.Logf("round %d attempt %d: KL %.4f → %.4f, top-1 %d of %d",
				round, in.Attempt, best, mean(after.KL), after.Hits.Len(), val.States())
			if mean(after.KL) < best-1e-3 {
				h, v, scores, best = edited, after, s, mean(after.KL)
				break
			}
			reason := fmt.Sprintf("validation loss %.4f instead of %.4f", mean(after.KL), best)
			in.Rejected = append(in.Rejected, textgrad.Rejected{Source: src, Reason: reason})
		}
	}
	t.Logf("\n%s", h.Source)
	if v.Hits.Len() <= first.Hits.Len() || mean(v.KL) > 0.9*mean(first.KL) {
		t.Errorf("top-1 %d → %d of %d, KL %.4f → %.4f",
			first.Hits.Len(), v.Hits.Len(), val.States(), mean(first.KL), mean(v.KL))
	}
}

// stepInput is what a step is told of a program that is alone: diagnoses of its n worst failures, and its record.
func (c setting) stepInput(
	t *testing.T, h bank.Heuristic, sh *rollout.Shard, scores *tensor.Dense, n int,
) textgrad.StepInput {
	t.Helper()
	buffer := textgrad.NewAttribution(1, n)
	buffer.Add(0, dense.Of(ones(sh.States()), sh.States(), 1),
		[]agreement.Agreement{agreement.Of(sh, scores, h.TauH)}, textgrad.NearTies(sh))
	var failures []textgrad.Failure
	for _, failed := range buffer.Cases[0] {
		Vm := agreement.DistributionAt(sh, scores, h.TauH, int(failed.State))
		f := textgrad.NewFailure(sh, int(failed.State), Vm)
		if set, ok := features.Of(c.ctx.Problem, c.ctx.View, sdk.ClassLocal); ok {
			var err error
			if f, err = f.WithFeatures(set, sh, int(failed.State), Vm); err != nil {
				t.Fatal(err)
			}
		}
		failures = append(failures, f)
	}
	in := c.diagnosed(t, h, failures)
	in.Record = c.record(t, h, sh, scores)
	return in
}

// record is the record of a program that is alone, with the evidence that its setting has.
func (c setting) record(t *testing.T, h bank.Heuristic, sh *rollout.Shard, scores *tensor.Dense) *textgrad.Record {
	t.Helper()
	each := agreement.OfAll(sh, []*tensor.Dense{scores}, dense.Vector([]float64{h.TauH}))
	r, niche := textgrad.NewRecord([]textgrad.Seen{{
		Agreements: each, W: dense.Of(ones(sh.States()), sh.States(), 1),
	}}, 0)
	set, ok := features.Of(c.ctx.Problem, c.ctx.View, sdk.ClassLocal)
	if !ok {
		return &r
	}
	g := make([]float32, len(sh.Candidates))
	for s := range sh.States() {
		for k, v := range agreement.DistributionAt(sh, scores, h.TauH, s) {
			g[sh.Offset[s]+int64(k)] = v - sh.State(s).Probs[k]
		}
	}
	meter := evidence.NewMeter(set)
	if err := meter.Add(sh, niche[0], g); err != nil {
		t.Fatal(err)
	}
	r.Evidence = meter.Changes(h.Source, 10)
	return &r
}

// The weak bank of the comparison: the way there, and perhaps one more measure.
func weakBank() []bank.Heuristic {
	p := prompt{sdk: "tsp", tauH: 0.05}
	var all []bank.Heuristic
	for _, name := range []string{"", "ToStart", "Isolation", "ToCentroid", "Outlying", "OnHull"} {
		var terms []signal
		if name != "" {
			m := measure{name: nameOf("s." + name + "(k)"), code: "s." + name + "(k)", says: name}
			terms = append(terms, signal{m, 0.02})
		}
		src := p.write("weak", terms)
		all = append(all, bank.Heuristic{
			Name: "weak" + strings.ToLower(name), TauH: 0.05, Description: describe(src), Source: src,
		})
	}
	return all
}

// solved is the attention model's greedy tours on instances of twenty cities.
func solved(t *testing.T, n int, seed uint64) *rollout.Shard {
	t.Helper()
	p, err := teacher.Load(testdata.Shared(t, "teachers/am/tsp_20/epoch-99.pt"))
	if err != nil {
		t.Fatal(err)
	}
	single := func(int) []routing.Run { return routing.SingleRun(-1) }
	sh, err := rollout.Record(t.Context(), p, problems.Must(routing.TSP).Generate(n, 20, seed), single, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

// One edit of each program of a weak bank by the stand-in, and several by the null writer, whose lots differ much, as a
// TextGrad round judges them: weights and τ_h are trained on both sides before the losses are compared. The stand-in's
// edits lower the validation loss more often and by more.
func TestEvidenceBeatsTheLot(t *testing.T) {
	const lots = 4
	train, val := solved(t, 100, 1), solved(t, 100, 2)
	tc := compiletest.Toolchain(t)
	writers := []struct {
		name     string
		write    func(system, user string) (string, error)
		attempts int // each number of an attempt is another prompt, and so another lot
	}{{"stand-in", Answer, 1}, {"null writer", AnswerByLot, lots}}
	changed, lower := make([]float64, len(writers)), make([]float64, len(writers)) // over programs and attempts
	bank := weakBank()
	for _, h := range bank {
		_, scores := tours.tuned(t, tc, &h, train, val, 8)
		in := tours.stepInput(t, h, train, scores, 4)
		same := h
		before, _ := tours.tuned(t, tc, &same, train, val, 3)
		for i, w := range writers {
			for in.Attempt = 1; in.Attempt <= w.attempts; in.Attempt++ {
				req := textgrad.StepRequest(h, in, tours.ctx)
				text, err := w.write(req.System, req.User)
				if err != nil {
					t.Fatal(err)
				}
				edited := h
				if edited.Source, err = textgrad.ParseProgram(text); err != nil {
					t.Fatal(err)
				}
				after, _ := tours.tuned(t, tc, &edited, train, val, 3)
				change, share := mean(after.KL)-mean(before.KL), 1/float64(len(bank)*w.attempts)
				if changed[i] += share * change; change < -0.005 {
					lower[i] += share
				}
				t.Logf("%s %s: %.4f → %.4f\n%s", h.Name, w.name, mean(before.KL), mean(after.KL), edited.Source)
			}
		}
	}
	t.Logf("mean change of the validation loss: stand-in %+.4f, null writer %+.4f; lower in %.2f and %.2f of the edits",
		changed[0], changed[1], lower[0], lower[1])
	if changed[0] >= changed[1] || lower[0] <= lower[1] {
		t.Error("the stand-in's edits are no better than the null writer's")
	}
}

// tuned trains the weights and τ_h of a program alone, rounds and keeps them in h, and returns how it agrees with the
// teacher on val, and its scores on train.
func (c setting) tuned(
	t *testing.T, tc *compile.Toolchain, h *bank.Heuristic, train, val *rollout.Shard, rounds int,
) (on agreement.Agreement, scores *tensor.Dense) {
	t.Helper()
	m, err := runtime.Admit(t.Context(), tc, h.Name, h.Source)
	if err != nil {
		t.Fatalf("%v\n%s", err, h.Source)
	}
	defer m.Close()
	small := config.Student{Dim: 16, Layers: 1, Heads: 1, FF: 16, Decoder: 1} // a bank of one leaves it no choice
	router := student.New(student.Configured(small, c.ctx.Problem, c.ctx.View, 1), 1)
	tauH := dense.Vector([]float64{h.TauH})
	measured := func(sh *rollout.Shard) (tune.Program, student.Dataset) {
		checked, err := heuristic.Check(h.Source)
		if err != nil {
			t.Fatal(err)
		}
		var p tune.Program
		for _, w := range checked.Weights() {
			p.Weights, p.Min, p.Max = append(p.Weights, w.Value), append(p.Min, w.Min), append(p.Max, w.Max)
		}
		scores, jacobian, err := m.Jacobian(t.Context(), sh, heuristic.WeightValues(checked.Weights()), p.Steps())
		if err != nil {
			t.Fatal(err)
		}
		return p, student.Dataset{
			Shard: sh, Scores: []*tensor.Dense{scores}, Jacobian: []*tensor.Dense{jacobian},
		}
	}
	for round := range rounds {
		p, set := measured(train)
		_, values, err := tune.Round(t.Context(), router, tauH, []tune.Program{p}, []student.Dataset{set}, tune.Config{
			Epochs: 6, Batch: 128, LR: 0.01, Rate: 10, Seed: uint64(round),
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if h.Source, err = rewrite.SetWeights(h.Source, values[0]); err != nil {
			t.Fatal(err)
		}
	}
	h.TauH = dense.Must[float64]("τ_h", tauH, 1)[0]
	_, seen := measured(train)
	_, held := measured(val)
	return agreement.Of(val, held.Scores[0], h.TauH), seen.Scores[0]
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

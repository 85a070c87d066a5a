package student

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
)

func training() TrainConfig {
	return TrainConfig{LR: 3e-3, BatchStates: 64, GradClip: 1, WarmupSteps: 3, Schedule: Cosine, TotalEpochs: 8}
}

func epochs(t *testing.T, tr *Trainer, sets []Dataset, tauH []float64, from, to int) (last float64) {
	t.Helper()
	for e := from; e < to; e++ {
		var err error
		if last, err = tr.Epoch(context.Background(), sets, dense.Vector(tauH), e, nil); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

func marshal(t *testing.T, x interface{ Marshal() ([]byte, error) }) []byte {
	t.Helper()
	data, err := x.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustEvaluate(t *testing.T, m *Model, set Dataset, tauH []float64) Eval {
	t.Helper()
	e, err := Evaluate(context.Background(), m, []Dataset{set}, dense.Vector(tauH))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The second program is the teacher itself and the others alternate in their noise, so a router that learns anything
// distinguishes them.
func TestOverfitsOneBatch(t *testing.T) {
	for _, kind := range kinds(4) {
		t.Run(kind.name, func(t *testing.T) {
			set, tauH := kind.toy(4, 10, 1, 4, 1)
			for k, p := range floats(set.Shard.Probs) {
				floats(set.Scores[1])[k] = float32(tauH[1] * math.Log(float64(p)))
			}
			sets := []Dataset{set}
			cfg := TrainConfig{LR: 2e-3, BatchStates: 1000, Schedule: Cosine, TotalEpochs: 300}
			tr := NewTrainer(New(kind.cfg, 1), cfg, 1)
			before := mustEvaluate(t, tr.Model, set, tauH)
			epochs(t, tr, sets, tauH, 0, 300)
			after := mustEvaluate(t, tr.Model, set, tauH)
			if after.Loss > before.Loss/4 || after.Top1 < before.Top1 {
				t.Errorf("loss %v -> %v, top-1 %v -> %v", before.Loss, after.Loss, before.Top1, after.Top1)
			}
			if tr.step != 300 {
				t.Errorf("%d steps, want 300", tr.step)
			}
		})
	}
}

func TestSameBytesWhateverGOMAXPROCS(t *testing.T) {
	for _, kind := range kinds(3) {
		t.Run(kind.name, func(t *testing.T) {
			a, tauH := kind.toy(40, 9, 2, 3, 1)
			b, _ := kind.toy(30, 12, 1, 3, 2)
			run := func(procs int) []byte {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				cfg := kind.cfg
				cfg.LearnTauH = true
				train := training()
				train.BatchStates = 700 // several lanes
				tau := slices.Clone(tauH)
				tr := NewTrainer(New(cfg, 1), train, 9)
				loss := epochs(t, tr, []Dataset{a, b}, tau, 0, 2)
				eval, err := Evaluate(context.Background(), tr.Model, []Dataset{a, b}, dense.Vector(tau))
				if err != nil {
					t.Fatal(err)
				}
				return append(marshal(t, tr), fmt.Sprint(loss, tau, eval)...)
			}
			want := run(1)
			t.Logf("trained bytes %x", sha256.Sum256(want)) // infra/cpus.sh compares them between CPUs
			for _, procs := range []int{2, 4} {
				if !bytes.Equal(run(procs), want) {
					t.Errorf("GOMAXPROCS=%d: other bytes than with 1", procs)
				}
			}
		})
	}
}

func TestResumeIsBitForBit(t *testing.T) {
	set, tauH := toy(12, 9, 1, 3, 1)
	sets := []Dataset{set}
	cfg := small(true)
	cfg.LearnTauH = true

	straightTau := slices.Clone(tauH)
	straight := NewTrainer(New(cfg, 1), training(), 9)
	epochs(t, straight, sets, straightTau, 0, 5)

	resumedTau := slices.Clone(tauH)
	resumed := NewTrainer(New(cfg, 1), training(), 9)
	epochs(t, resumed, sets, resumedTau, 0, 2)
	resumed, err := UnmarshalTrainer(marshal(t, resumed))
	if err != nil {
		t.Fatal(err)
	}
	epochs(t, resumed, sets, resumedTau, 2, 5)

	if !bytes.Equal(marshal(t, straight), marshal(t, resumed)) || !slices.Equal(straightTau, resumedTau) {
		t.Error("2+3 epochs through a checkpoint differ from 5")
	}
	if slices.Equal(straightTau, tauH) {
		t.Error("τ_h did not learn")
	}
}

func TestWeightZeroRemovesAState(t *testing.T) {
	set, tauH := toy(6, 9, 1, 3, 1)
	half := set
	half.Weight = dense.Vector(make([]float32, set.Shard.States()))
	for s := range floats(half.Weight) {
		if set.Shard.InstanceOf[set.Shard.Traj[s]] < 3 {
			floats(half.Weight)[s] = 1
		}
	}
	m := New(small(true), 1)
	got := mustEvaluate(t, m, half, tauH)
	out, err := Forward(context.Background(), m, set, dense.Vector(tauH), WantMix)
	if err != nil {
		t.Fatal(err)
	}
	want, n := 0.0, 0
	for s, w := range floats(half.Weight) {
		if w == 1 {
			a, b := set.Shard.Offset[s], set.Shard.Offset[s+1]
			want += agreement.KL(floats(set.Shard.Probs)[a:b], floats(out.Mix)[a:b])
			n++
		}
	}
	plain, weighted := mustEvaluate(t, m, set, tauH), mustEvaluate(t, m, half, tauH)
	if weighted.Plain != plain.Loss || plain.Plain != plain.Loss {
		t.Errorf("plain loss %v with weights and %v without, want %v twice", weighted.Plain, plain.Plain, plain.Loss)
	}
	if want /= float64(n); got.Loss < want*(1-1e-9) || got.Loss > want*(1+1e-9) {
		t.Errorf("loss %v, want %v", got.Loss, want)
	}
}

func TestEpochRefuses(t *testing.T) {
	set, tauH := toy(2, 6, 1, 2, 1)
	vehicles, _ := toyCVRP(2, 6, 1, 2, 1, true)
	short := set
	short.Scores = []*tensor.Dense{set.Scores[0], dense.Vector(floats(set.Scores[1])[1:])}
	for _, c := range []struct {
		name string
		set  Dataset
		tauH []float64
		want string
	}{
		{"empty bank", set, nil, "bank is empty"},
		{"other bank", set, tauH[:1], "scores of 2 heuristics, the bank has 1"},
		{"zero temperature", set, []float64{0.1, 0}, "heuristic 1 is 0"},
		{"short scores", short, tauH, "heuristic 1"},
		{
			"weights", Dataset{Shard: set.Shard, Scores: set.Scores, Weight: dense.Vector([]float32{1})}, tauH,
			"tensor weight has shape [1], want [8]",
		},
		{"another problem", vehicles, tauH, "set 0 is of problem cvrp, the student of tsp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewTrainer(New(small(true), 1), training(), 1).Epoch(
				context.Background(), []Dataset{c.set}, dense.Vector(c.tauH), 0, nil,
			)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	cvrp := small(true)
	cvrp.Problem = routing.CVRP
	if _, err := Evaluate(
		context.Background(), New(cvrp, 1), []Dataset{vehicles}, dense.Vector(tauH),
	); err == nil || !strings.Contains(err.Error(), "need a student of arch lehd") {
		t.Errorf("error %v for candidates by way of the depot", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewTrainer(New(small(true), 1), training(), 1).Epoch(
		ctx, []Dataset{set}, dense.Vector(tauH), 0, nil,
	); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestProgressCoversEveryState(t *testing.T) {
	set, tauH := toy(20, 8, 1, 2, 1)
	last := 0
	_, err := NewTrainer(
		New(small(true), 1), training(), 1,
	).Epoch(context.Background(), []Dataset{set}, dense.Vector(tauH), 0, func(done, total int) {
		if done <= last || total != set.Shard.States() {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	})
	if err != nil || last != set.Shard.States() {
		t.Errorf("ended at %d of %d states, error %v", last, set.Shard.States(), err)
	}
}

// TestLargestScores: with scores and τ_h at the limits of their ranges, every gradient is finite, and τ_h stays in its
// range.
func TestLargestScores(t *testing.T) {
	for _, kind := range kinds(3) {
		t.Run(kind.name, func(t *testing.T) {
			set, tauH := kind.toy(3, 8, 1, 3, 1)
			cfg := kind.cfg
			cfg.LearnTauH = true
			const most = 1e30 // runtime.MaxScore
			for k := range floats(set.Scores[0]) {
				floats(set.Scores[0])[k] = most * float32(1-k%2*2)
				floats(set.Scores[1])[k] = most * float32(k%2*2-1)
			}
			tauH[0], tauH[1] = agreement.MinTauH, agreement.MaxTauH
			epochs(t, NewTrainer(New(cfg, 1), training(), 1), []Dataset{set}, tauH, 0, 4)
			for m, tau := range tauH {
				if !agreement.ValidTauH(tau) {
					t.Errorf("τ_h of heuristic %d is %v", m, tau)
				}
			}
			tauH[0] = 1e-300
			if _, err := NewTrainer(New(cfg, 1), training(), 1).Epoch(
				t.Context(), []Dataset{set}, dense.Vector(tauH), 0, nil,
			); err == nil || !strings.Contains(err.Error(), "τ_h of heuristic 0 is 1e-300, want a number from 1e-06") {
				t.Errorf("a vanishing τ_h: %v", err)
			}
		})
	}
}

package student

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Numbers beyond float32 end an epoch with an error, and must not become a τ_h.
func TestEpochEndsWhereNumbersDo(t *testing.T) {
	set, tau := toy(2, 8, 2, 3, 1)
	scores := floats(set.Scores[1])
	for k := range scores {
		scores[k] = math.MaxFloat32 * float32(1-2*(k%2))
	}
	if w := scoreWidths([]Dataset{set}, dense.Vector(tau)); !math.IsInf(w[1], 1) || !finite(w[0]) || !finite(w[2]) {
		t.Errorf("widths %v, want the second to be infinite", w)
	}
	for _, learn := range []bool{false, true} { // softmax takes any score, but the gradient of τ_h does not
		cfg := small(true)
		cfg.LearnTauH = learn
		trainer := NewTrainer(New(cfg, 1), TrainConfig{LR: 1e-3, BatchStates: 16}, 1)
		if _, err := trainer.Epoch(
			t.Context(), []Dataset{set}, dense.Vector(tau), 0, nil,
		); errors.Is(err, ErrNotFinite) != learn || !learn && err != nil {
			t.Errorf("learned τ_h %v: error %v", learn, err)
		}
		for m, tau := range tau {
			if !finite(tau) {
				t.Errorf("τ_h of heuristic %d has become %v", m, tau)
			}
		}
	}
}

// A validation loss that is not a number is an error for every caller.
func TestLossIsANumber(t *testing.T) {
	set, tau := toy(2, 8, 2, 3, 1)
	m := New(small(true), 1)
	for _, spoilt := range []bool{false, true} {
		if spoilt {
			m.w.embed[0] = float32(math.NaN())
		}
		eval, err := Evaluate(t.Context(), m, []Dataset{set}, dense.Vector(tau))
		if err != nil {
			t.Fatal(err)
		}
		if err := eval.Finite(); errors.Is(err, ErrNotFinite) != spoilt {
			t.Errorf("spoilt %v: loss %v, %v", spoilt, eval.Loss, err)
		}
	}
}

// Data that does not fit gives another kind of error than a failure that may pass.
func TestUnfitData(t *testing.T) {
	set, tau := toy(2, 8, 2, 3, 1)
	set.Scores[0] = dense.Vector(floats(set.Scores[0])[1:])
	if _, err := Evaluate(
		t.Context(), New(small(true), 1), []Dataset{set}, dense.Vector(tau),
	); !errors.Is(err, ErrUnfit) {
		t.Errorf("error %v, want %v", err, ErrUnfit)
	}
}

// If training leaves the range of float32, the error names the programs with the widest scores.
func TestDivergedTrainingNamesPrograms(t *testing.T) {
	shard := &rollout.Shard{
		Problem: routing.TSP, N: 3, Traj: []int32{0}, Step: []int32{1},
		Candidates: []uint16{1, 2}, Probs: dense.Vector([]float32{1, 0}), Offset: []int64{0, 2},
	}
	sets := []Dataset{{Shard: shard, Scores: []*tensor.Dense{
		dense.Vector([]float32{1, 2}), dense.Vector([]float32{-3, 3}), dense.Vector([]float32{1, 9}),
	}}}
	tauH, names := dense.Vector([]float64{1, 1, 1}), []string{"low", "mid", "top"}
	err := ExplainDivergence(fmt.Errorf("epoch 1: %w", ErrNotFinite), sets, tauH, names)
	if !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "top (8), mid (6), low (1)") {
		t.Errorf("%v, want all by width", err)
	}
	if other := errors.New("other"); ExplainDivergence(other, nil, tauH, names) != other {
		t.Error("another error has changed")
	}
}

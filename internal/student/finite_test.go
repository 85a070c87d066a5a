package student

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// Numbers beyond float32 end an epoch with an error, and never become a τ_h.
func TestEpochEndsWhereNumbersDo(t *testing.T) {
	for name, spoil := range map[string]func(set *Set, tau []float64){
		"scores": func(set *Set, _ []float64) {
			for k := range set.Scores[1] {
				set.Scores[1][k] = math.MaxFloat32 * float32(1-2*(k%2))
			}
		},
		"τ_h": func(_ *Set, tau []float64) { tau[1] = 1e-300 },
	} {
		set, tau := toy(2, 8, 2, 3, 1)
		spoil(&set, tau)
		if w := Widths([]Set{set}, tau); !math.IsInf(w[1], 1) || !finite(w[0]) || !finite(w[2]) {
			t.Errorf("%s: widths %v, want the second to be infinite", name, w)
		}
		for _, learn := range []bool{false, true} {
			cfg := small(true)
			cfg.LearnTauH = learn
			trainer := NewTrainer(New(cfg, 1), TrainConfig{LR: 1e-3, BatchStates: 16}, 1)
			_, err := trainer.Epoch(t.Context(), []Set{set}, tau, 0, nil)
			if want := learn || tau[1] < 0.1; errors.Is(err, ErrNotFinite) != want || !want && err != nil { // softmax itself bears any score
				t.Errorf("%s, learned τ_h %v: error %v, want %v: %v", name, learn, err, ErrNotFinite, want)
			}
			for m, tau := range tau {
				if !finite(tau) {
					t.Errorf("%s: τ_h of heuristic %d has become %v", name, m, tau)
				}
			}
		}
	}
}

// A validation loss that is no number is an error for whoever wants one.
func TestLossIsANumber(t *testing.T) {
	set, tau := toy(2, 8, 2, 3, 1)
	for _, first := range []float64{tau[0], 1e-300} {
		tau[0] = first
		eval, err := Evaluate(t.Context(), New(small(true), 1), []Set{set}, tau)
		if err != nil {
			t.Fatal(err)
		}
		if err := eval.Finite(); errors.Is(err, ErrNotFinite) != (first < 0.1) {
			t.Errorf("τ_h %g: loss %v, %v", first, eval.Loss, err)
		}
	}
}

// Data that does not fit is told from trouble that may pass.
func TestUnfitData(t *testing.T) {
	set, tau := toy(2, 8, 2, 3, 1)
	set.Scores[0] = set.Scores[0][1:]
	if _, err := Evaluate(t.Context(), New(small(true), 1), []Set{set}, tau); !errors.Is(err, ErrUnfit) {
		t.Errorf("error %v, want %v", err, ErrUnfit)
	}
}

// A panic on another goroutine reaches the caller.
func TestEachPanicsInItsCaller(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "seven") {
			t.Errorf("recovered %v", p)
		}
	}()
	each(2, 10, func(_, i int) {
		if i == 7 {
			panic("seven")
		}
	})
}

func TestCheckSize(t *testing.T) {
	for _, c := range []Config{
		{D: 1_000_000_000, FF: 1, Layers: 1}, {D: 16, FF: 1, Layers: math.MaxInt},
		{D: 16, FF: math.MaxInt, Layers: 1}, {D: 16, FF: 1, StaticKeys: math.MaxInt},
	} {
		if c.CheckSize() == nil {
			t.Errorf("%+v passes", c)
		}
	}
	for _, c := range []Config{Default(), DefaultLEHD()} {
		if err := c.CheckSize(); err != nil {
			t.Error(err)
		}
	}
}

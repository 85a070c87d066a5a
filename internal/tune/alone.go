package tune

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/student"
	ops "github.com/epb-nco/epb/tensorops"
)

// How Alone descends. There are few weights, so that it can afford all states in every step.
const (
	aloneSteps = 150
	aloneRate  = 0.03 // in units that move a state's scores by τ_h, and of log τ_h
)

// Alone trains the weights of one program by itself, with its τ_h: on the mean KL(π_T‖V_m) over some states of each
// set. A candidate that is no part of a bank yet is tuned so. It returns the weights, not rounded, and τ_h.
//
// The sets hold the scores of this program alone, at its weights, and their Jacobian; Alone scales the Jacobian in
// place. states[i] are of sets[i].
func Alone(p Program, tauH float64, sets []student.Dataset, states [][]int32) ([]float64, float64, error) {
	units, err := scale([]Program{p}, []float64{tauH}, sets)
	if err != nil {
		return nil, 0, fmt.Errorf("tune: %w", err)
	}
	lo, hi := bounds([]Program{p}, units)
	W := len(p.Weights)
	x, g := make([]float32, W+1), make([]float32, W+1) // the last one is log(τ_h/tauH)
	first, second := make([]float32, W+1), make([]float32, W+1)
	for step := 1; step <= aloneSteps; step++ {
		count := 0
		clear(g)
		for i, set := range sets {
			if err := descend(g, x, tauH, set, states[i]); err != nil {
				return nil, 0, fmt.Errorf("tune: %w", err)
			}
			count += len(states[i])
		}
		ops.Adam(x, first, second, g, 1/float32(max(count, 1)), aloneRate, step)
		for j := range W {
			if y := min(max(x[j], lo[j]), hi[j]); y != x[j] {
				x[j], first[j] = y, 0
			}
		}
	}
	values := make([]float64, W)
	for j := range values {
		values[j] = p.moved(j, x[j], units[0][j])
	}
	return values, agreement.ClampTauH(tauH * math.Exp(float64(x[W]))), nil
}

// descend adds the gradient of Σ KL(π_T‖softmax((c + Σ_j x_j·J_j)/τ)) over some states of a set to g.
func descend(g, x []float32, tauH float64, set student.Dataset, states []int32) error {
	W := len(x) - 1
	C := len(set.Shard.Candidates)
	c, err := dense.Values[float32]("scores", set.Scores[0], C)
	if err != nil {
		return err
	}
	var J []float32
	if W > 0 {
		if J, err = dense.Values[float32]("Jacobian", set.Jacobian[0], W, C); err != nil {
			return err
		}
	}
	piT, inverse := dense.Open[float32](set.Shard.Probs), float32(math.Exp(-float64(x[W]))/tauH)
	var logits, V []float32
	for _, s := range states {
		a, b := int(set.Shard.Offset[s]), int(set.Shard.Offset[s+1])
		logits, V = append(logits[:0], c[a:b]...), append(V[:0], c[a:b]...)
		for j, v := range x[:W] {
			for k := range logits {
				logits[k] += v * J[j*C+a+k]
			}
		}
		for k := range logits {
			logits[k] *= inverse
		}
		ops.Softmax(V, logits, b-a)
		for k, v := range V { // the gradient by the logit of candidate k is V(k) − π_T(k)
			d := v - piT[a+k]
			for j := range W {
				g[j] += d * inverse * J[j*C+a+k]
			}
			g[W] -= d * logits[k]
		}
	}
	return nil
}

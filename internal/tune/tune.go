package tune

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/student"
)

// Program is one program of the bank, as far as its weights are concerned. One whose weights stay has none here.
type Program struct {
	Weights  []float64 // θ⁰, at which the sets were scored
	Min, Max []float64 // bounds of each weight
}

// Of returns what the training of weights must know of a program.
func Of(h bank.Heuristic) (Program, error) {
	var p Program
	ws, err := h.Weights()
	for _, w := range ws {
		p.Weights, p.Min, p.Max = append(p.Weights, w.Value), append(p.Min, w.Min), append(p.Max, w.Max)
	}
	return p, err
}

// Config says how long and how fast weights are trained.
type Config struct {
	Epochs int
	Batch  int     // states of a step
	LR     float64 // of the router, falling to a hundredth over the epochs
	Rate   float64 // of the weights, as a multiple of LR, in units that move a state's scores by τ_h
	Seed   uint64  // of the order of the data
}

// trust is how far a weight may move before the programs are scored again, in units that move the scores of a state by
// τ_h: further away the scores need not be linear in it.
const trust = 2

// Round trains the weights of programs, τ_h and the router together. It changes tauH in place and returns the router
// and the weights, not rounded.
//
// The sets hold the scores at θ⁰ and their Jacobian, [W_m,C] for every program; Round scales the Jacobian in place.
func Round(
	ctx context.Context, router *student.Model, tauH *tensor.Dense, programs []Program, sets []student.Dataset,
	c Config, progress func(done, total int),
) (*student.Model, [][]float64, error) {
	units, err := scale(programs, dense.Must[float64]("τ_h", tauH, len(programs)), sets)
	if err != nil {
		return nil, nil, fmt.Errorf("tune: %w", err)
	}
	sizes := make([]int, len(programs))
	for m, p := range programs {
		sizes[m] = len(p.Weights)
	}
	model, x := router.WithWeights(sizes)
	t := student.NewTrainer(model, student.TrainConfig{
		LR: c.LR, BatchStates: c.Batch, GradClip: 1, WarmupSteps: 10, Schedule: student.Cosine, TotalEpochs: c.Epochs,
	}, c.Seed)
	t.Programs = student.ProgramTraining{Rate: c.Rate}
	t.Programs.Lo, t.Programs.Hi = bounds(programs, units)
	for e := range c.Epochs {
		if _, err := t.Epoch(ctx, sets, tauH, e, nil); err != nil {
			return nil, nil, fmt.Errorf("tune: %w", err)
		}
		if progress != nil {
			progress(e+1, c.Epochs)
		}
	}
	values := make([][]float64, len(programs))
	at := 0
	for m, p := range programs {
		values[m] = slices.Clone(p.Weights)
		for j := range p.Weights {
			values[m][j] = p.moved(j, x[at], units[m][j])
			at++
		}
	}
	return model.WithoutWeights(), values, nil
}

// scale brings the Jacobian to units, one of which moves the scores of a state by τ_h (as a root mean square over its
// candidates), and returns these units of every weight.
func scale(programs []Program, tauH []float64, sets []student.Dataset) ([][]float64, error) {
	units := make([][]float64, len(programs))
	for m, p := range programs {
		units[m] = make([]float64, len(p.Weights))
		if len(p.Weights) == 0 {
			continue
		}
		size, err := magnitude(m, sets)
		if err != nil {
			return nil, err
		}
		steps := p.Steps()
		for j := range p.Weights {
			sum, count := 0.0, 0
			for _, s := range sets {
				row, err := row(s, m, j, len(p.Weights))
				if err != nil {
					return nil, err
				}
				square, n := within(row, s.Shard.Offset)
				sum, count = sum+square, count+n
			}
			spread := math.Sqrt(sum / math.Max(float64(count), 1))
			noise := scoreNoise * size / math.Abs(float64(steps[j]))
			if spread < math.Max(noise, leastDerivative*math.Max(tauH[m], 1)) {
				continue // the weight changes nothing within a state: its unit is 0, and it stays
			}
			units[m][j] = tauH[m] / spread
			for _, s := range sets {
				row, err := row(s, m, j, len(p.Weights))
				if err != nil {
					return nil, err
				}
				for k := range row {
					row[k] *= float32(units[m][j])
				}
			}
		}
	}
	return units, nil
}

// leastDerivative is the smallest derivative that counts.
const leastDerivative = 1e-9

// scoreNoise is by how much two scores that should be the same may differ, as a share of their size: 16 roundings to
// float32. The derivative is a difference of scores, so that it is noise below this size by the step.
const scoreNoise = 16.0 / (1 << 24)

// magnitudeSample is how many scores of a set tell how large scores are.
const magnitudeSample = 4096

// magnitude returns the median size of program m's scores, by some of each set. A few candidates may have huge ones, as
// a program's way to rule them out.
func magnitude(m int, sets []student.Dataset) (float64, error) {
	var sizes []float64
	for _, s := range sets {
		c, err := dense.Values[float32](fmt.Sprintf("scores of program %d", m), s.Scores[m], len(s.Shard.Candidates))
		if err != nil {
			return 0, err
		}
		for k := 0; k < len(c); k += 1 + len(c)/magnitudeSample {
			sizes = append(sizes, math.Abs(float64(c[k])))
		}
	}
	if len(sizes) == 0 {
		return 0, nil
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2], nil
}

// row returns the derivative of program m's scores by its weight j.
func row(s student.Dataset, m, j, weights int) ([]float32, error) {
	C := len(s.Shard.Candidates)
	x, err := dense.Values[float32](fmt.Sprintf("Jacobian of program %d", m), s.Jacobian[m], weights, C)
	if err != nil {
		return nil, err
	}
	return x[j*C : (j+1)*C], nil
}

// within returns the sum of squared differences from the mean of a state, over all states, and how many they are.
func within(x []float32, offset []int64) (sum float64, count int) {
	for s := range len(offset) - 1 {
		part := x[offset[s]:offset[s+1]]
		mean := 0.0
		for _, v := range part {
			mean += float64(v)
		}
		mean /= float64(len(part))
		for _, v := range part {
			sum += (float64(v) - mean) * (float64(v) - mean)
		}
		count += len(part)
	}
	return sum, count
}

// bounds returns how far each weight may move, in its units.
func bounds(programs []Program, units [][]float64) (lo, hi []float32) {
	for m, p := range programs {
		for j, v := range p.Weights {
			u := units[m][j]
			if u == 0 {
				lo, hi = append(lo, 0), append(hi, 0)
				continue
			}
			lo = append(lo, float32(min(max((p.Min[j]-v)/u, -trust), 0)))
			hi = append(hi, float32(max(min((p.Max[j]-v)/u, trust), 0)))
		}
	}
	return lo, hi
}

// moved returns weight j after it has moved by x units. Where x is a bound that the range sets, that is the end of the
// range itself: x is a float32, and x units would miss the end by a little. A weight that falls to 0 is then 0, not
// 1e-8.
func (p Program) moved(j int, x float32, unit float64) float64 {
	v := p.Weights[j]
	switch {
	case x == 0 || unit == 0:
		return v
	case x == float32((p.Min[j]-v)/unit):
		return p.Min[j]
	case x == float32((p.Max[j]-v)/unit):
		return p.Max[j]
	}
	return v + float64(x)*unit
}

// At returns the weights as the sandbox takes them.
func (p Program) At() []float32 {
	at := make([]float32, len(p.Weights))
	for j, v := range p.Weights {
		at[j] = float32(v)
	}
	return at
}

// Steps returns how far each weight is moved to measure the derivative: a part of its size, towards the wider side of
// its range, and no farther than to its end.
func (p Program) Steps() []float32 {
	steps := make([]float32, len(p.Weights))
	for j, v := range p.Weights {
		up, down := p.Max[j]-v, v-p.Min[j]
		step := 0.05 + 0.1*math.Abs(v)
		if end := max(up, down); float32(v)+float32(end) > float32(v) { // a step that float32 takes
			step = min(step, end)
		}
		if up < down {
			step = -step
		}
		steps[j] = float32(step)
	}
	return steps
}

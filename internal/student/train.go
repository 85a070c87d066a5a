package student

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/parallel"
	ops "github.com/epb-nco/epb/tensorops"
)

// Trainer is a model in training: its weights, Adam's moments and the number of steps taken. It is not safe for
// concurrent use.
type Trainer struct {
	Model  *Model
	Config TrainConfig

	// Programs says how the weights of programs are trained, where the model has such.
	Programs ProgramTraining

	seed uint64
	step int       // Adam steps taken
	m, v []float32 // Adam's moments, as Model.theta
	tau  tauAdam

	columnStep []int64 // [M] Adam steps taken on each column of weights.columns, see tauAdam

	lanes  []*lane
	passes []*pass
	sums   []float64 // squared gradient norm, block by block
	work   [][]unit
	column [4][]float32 // [D] of one heuristic: parameters, moments, gradient
}

// NewTrainer starts training model; seed decides the order of the data. It panics if cfg is not valid.
func NewTrainer(model *Model, cfg TrainConfig, seed uint64) *Trainer {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Trainer{
		Model: model, Config: cfg, seed: seed, m: make([]float32, model.Size()), v: make([]float32, model.Size()),
		columnStep: make([]int64, model.Config.OwnParameters()),
	}
}

// lane accumulates gradients of its share of a batch's chunks, in order. The number of lanes depends on the batch
// alone.
type lane struct {
	flat         []float32
	g            weights
	dLogTauH     []float64
	loss, weight float64
}

// Every lane costs one gradient to clear and to sum, so each lane gets at least chunksPerLane chunks.
const (
	maxLanes      = 32
	chunksPerLane = 2
	sumBlock      = 1 << 14 // parameters per piece of the sum over lanes
)

func lanesFor(chunks int) int {
	n := 1
	for n < maxLanes && 2*n*chunksPerLane <= chunks {
		n *= 2
	}
	return n
}

// Epoch takes one pass over all trajectories of the sets, in an order drawn from the trainer's seed and the number of
// the epoch (from 0), and returns the weighted mean of Eq. 6, in nats: each batch is measured before its step. tauH,
// float64 [M], holds τ_h of Eq. 2; with Config.LearnTauH it is updated in place. progress, unless nil, is told the
// states done and their total after every step.
//
// After an error part of the epoch's steps have been taken: go back to a checkpoint.
func (t *Trainer) Epoch(
	ctx context.Context, sets []Dataset, tauH *tensor.Dense, epoch int, progress func(done, total int),
) (float64, error) {
	data, tau, err := t.Model.Config.open(sets, tauH)
	if err != nil {
		return 0, err
	}
	us := units(data)
	r := rand.New(rand.NewPCG(t.seed, uint64(epoch)))
	r.Shuffle(len(us), func(i, j int) { us[i], us[j] = us[j], us[i] })
	t.tau.fit(t.Model.Config, len(tau))

	total, done := States(sets), 0
	var loss, weight float64
	for len(us) > 0 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		take, states := 0, 0
		for take < len(us) && states < t.Config.BatchStates {
			states += us[take].states
			take++
		}
		batch := us[:take]
		us = us[take:]
		var reading sync.WaitGroup
		reading.Go(func() { expect(data, us[:min(take, len(us))]) }) // about the next batch
		lanes := t.gradient(data, batch, tau)
		reading.Wait()
		var w float64
		for _, l := range lanes {
			loss, w = loss+l.loss, w+l.weight
		}
		weight += w
		if w > 0 {
			if err := t.descend(lanes, 1/w, tau, float64(epoch)+float64(done)/float64(total)); err != nil {
				return 0, fmt.Errorf("student: epoch %d, step %d: %w", epoch, t.step, err)
			}
		}
		done += states
		if progress != nil {
			progress(done, total)
		}
	}
	return loss / max(weight, math.SmallestNonzeroFloat64), nil
}

// gradient runs the batch forward and backward. It returns the lanes, which hold the parts of the gradient.
func (t *Trainer) gradient(sets []opened, batch []unit, tauH []float64) []*lane {
	t.work = t.Model.Config.chunks(t.work[:0], batch)
	n := lanesFor(len(t.work))
	for len(t.lanes) < n {
		flat := make([]float32, t.Model.Size())
		t.lanes = append(t.lanes, &lane{flat: flat, g: t.Model.Config.over(flat)})
	}
	workers := parallel.Workers(n) // asked once: the number of cores may change
	for len(t.passes) < workers {
		t.passes = append(t.passes, t.Model.newPass())
	}
	for _, p := range t.passes {
		p.route.harden = float32(t.Config.Harden)
	}
	parallel.Each(workers, n, func(worker, i int) {
		l, p := t.lanes[i], t.passes[worker]
		clear(l.flat)
		l.loss, l.weight = 0, 0
		if t.Model.Config.LearnTauH {
			l.dLogTauH = dense.Sized(l.dLogTauH, len(tauH))
			clear(l.dLogTauH)
		}
		for c := i; c < len(t.work); c += n {
			p.learn(sets, t.work[c], tauH, &l.g, l.dLogTauH, func() {
				loss, weight := p.route.loss(&p.st)
				l.loss, l.weight = l.loss+loss, l.weight+weight
			})
		}
	})
	return t.lanes[:n]
}

// descend sums the lanes into the first, scales to the mean loss, clips and takes one step of Adam.
func (t *Trainer) descend(lanes []*lane, scale float64, tauH []float64, epochs float64) error {
	blocks := (len(t.m) + sumBlock - 1) / sumBlock
	t.sums = dense.Sized(t.sums, blocks)
	block := func(x []float32, i int) []float32 { return x[i*sumBlock : min((i+1)*sumBlock, len(x))] }
	g := lanes[0].flat
	parallel.Each(parallel.Workers(blocks), blocks, func(_, i int) {
		for _, l := range lanes[1:] {
			ops.Add(block(g, i), block(l.flat, i))
		}
	})
	if t.Model.Config.Sparse { // what was pruned does not move, and counts nothing in the norm
		t.Model.w.named.maskPruned(&lanes[0].g.named, t.Model.Config.Programs)
	}
	parallel.Each(parallel.Workers(blocks), blocks, func(_, i int) { t.sums[i] = ops.SumSquares(block(g, i)) })
	square := 0.0
	for _, s := range t.sums {
		square += s
	}
	norm := scale * math.Sqrt(square)
	if !finite(norm) {
		return fmt.Errorf("the gradient's norm is %v, %w", norm, ErrNotFinite)
	}
	if c := t.Config.GradClip; c > 0 && norm > c {
		scale *= c / norm
	}
	t.step++
	lr := t.Config.rate(t.step, epochs)
	programs, g, columns := t.Model.parts(g)
	if len(programs) > 0 {
		t.descendPrograms(programs, scale, lr)
	}
	t.descendColumns(columns, float32(scale), lr)
	_, theta, _ := t.Model.parts(t.Model.theta)
	_, m, _ := t.Model.parts(t.m)
	_, v, _ := t.Model.parts(t.v)
	blocks = (len(g) + sumBlock - 1) / sumBlock
	parallel.Each(parallel.Workers(blocks), blocks, func(_, i int) {
		ops.Adam(block(theta, i), block(m, i), block(v, i), block(g, i), float32(scale), lr, t.step)
	})
	if t.Model.Config.LearnTauH {
		return t.tau.descend(lanes, scale, tauH, lr)
	}
	return nil
}

// descendColumns takes one step of Adam on the column of each heuristic, with the bias correction of its own number of
// steps. g is the gradient of weights.columns.
func (t *Trainer) descendColumns(g []float32, scale float32, lr float64) {
	w, M := t.Model.w.columns(), len(t.columnStep)
	_, _, moment := t.Model.parts(t.m)
	_, _, square := t.Model.parts(t.v)
	matrices := [...][]float32{w, moment, square, g} // each [D,M]
	for m := range M {
		D := len(w) / M
		for i, x := range matrices {
			t.column[i] = dense.Sized(t.column[i], D)
			for d := range D {
				t.column[i][d] = x[d*M+m]
			}
		}
		t.columnStep[m]++
		ops.Adam(t.column[0], t.column[1], t.column[2], t.column[3], scale, lr, int(t.columnStep[m]))
		for i, x := range matrices[:3] {
			for d := range D {
				x[d*M+m] = t.column[i][d]
			}
		}
	}
}

// Adopt makes the parameters of another model of the same configuration the trainer's own. Adam's moments and the
// number of steps stay.
func (t *Trainer) Adopt(m *Model) error {
	if len(m.theta) != len(t.Model.theta) {
		return fmt.Errorf("student: adopt a model of %d parameters in place of %d", len(m.theta), len(t.Model.theta))
	}
	copy(t.Model.theta, m.theta)
	return nil
}

package teacher

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/tensorops"
)

// pointerDecoder builds solutions with a network: it encodes once, then points at the next node again and again. The R
// runs on one instance take their steps together, so each matrix product of a step serves all of them. Steps allocate
// nothing.
type pointerDecoder struct {
	net  *network
	enc  encoder
	proj []float32 // [B,n,blocks·d] projections of the embeddings

	mean    []float32 // [d] mean embedding
	context []float32 // [d] query term of all steps
	keyT    []float32 // [d,n] glimpse keys, transposed: this makes products with them five times as fast
	bias    []float32 // [n] logit bias of each node
	first   []float32 // [R,d] context plus the first node's query term
	q, o    []float32 // [R,d] queries, glimpses
	score   []float32 // [heads,R,n]
	u       []float32 // [R,n] logits, then π
	mask    []bool    // [heads,R,n] true where visited
	current []int32   // [R]

	demand []float32 // [n] CVRP: as fractions of the capacity
	x      []float32 // [R] CVRP: the model's own value for the room in each vehicle
}

func newPointerDecoder(net *network) *pointerDecoder {
	return &pointerDecoder{net: net, enc: newEncoder(&net.encoderWeights)}
}

// Close implements routing.Decoder.
func (d *pointerDecoder) Close() error { return nil }

// BatchSize implements routing.BatchDecoder. It returns enough instances to use matrix products well.
func (d *pointerDecoder) BatchSize(n int) int { return max(1, encoderRows/n) }

// encoderRows is the number of nodes encoded together.
const encoderRows = 256

// Decode implements routing.Decoder. At its own start, AM chooses; POMO takes the first node or customer.
func (d *pointerDecoder) Decode(inst *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	trs, err := d.DecodeBatch([]routing.Instance{*inst}, [][]routing.Run{runs})
	if err != nil {
		return nil, err
	}
	return trs[0], nil
}

// DecodeBatch implements routing.BatchDecoder.
func (d *pointerDecoder) DecodeBatch(insts []routing.Instance, runs [][]routing.Run) ([][]routing.Trajectory, error) {
	if len(insts) == 0 {
		return nil, nil
	}
	if err := checkBatch(d.net.problem, insts, runs); err != nil {
		return nil, err
	}
	d.enc.forward(insts)
	n, w, ld := insts[0].N(), d.net.d, d.net.blocks*d.net.d
	d.proj = dense.Sized(d.proj, len(insts)*n*ld)
	tensorops.Gemm(false, false, len(insts)*n, ld, w, 1, d.enc.h, w, d.net.project, ld, 0, d.proj, ld)
	out := make([][]routing.Trajectory, len(insts))
	for i := range insts {
		d.prepare(d.enc.h[i*n*w:(i+1)*n*w], n)
		trs, err := d.net.solve(d, &insts[i], runs[i], d.proj[i*n*ld:(i+1)*n*ld])
		if err != nil {
			return nil, err
		}
		out[i] = trs
	}
	return out, nil
}

// checkBatch reports the first instance or run that cannot be solved.
func checkBatch(problem routing.Problem, insts []routing.Instance, runs [][]routing.Run) error {
	for i := range insts {
		if err := problems.Validate(&insts[i]); err != nil {
			return err
		}
		if insts[i].Problem != problem {
			return fmt.Errorf(
				"instance %s: the teacher solves %s only, this is %s", insts[i].Name, problem, insts[i].Problem,
			)
		}
		if insts[i].N() != insts[0].N() {
			panic("teacher: a batch holds instances of one size")
		}
		for _, run := range runs[i] {
			if err := run.Validate(problems.Must(problem), &insts[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare computes from an instance's embeddings h [n,d] what all its steps share.
func (d *pointerDecoder) prepare(h []float32, n int) {
	net, w := d.net, d.net.d
	d.keyT = dense.Sized(d.keyT, w*n)
	tensorops.Gemm(true, true, w, n, w, 1, net.key, w, h, w, 0, d.keyT, n)
	d.context = dense.Sized(d.context, w)
	clear(d.context)
	if net.fixed != nil {
		d.mean = dense.Sized(d.mean, w)
		clear(d.mean)
		for r := 0; r < len(h); r += w {
			tensorops.Add(d.mean, h[r:r+w])
		}
		tensorops.Gemm(false, false, 1, w, w, 1/float32(n), d.mean, w, net.fixed, w, 0, d.context, w)
	}
	d.bias = dense.Sized(d.bias, n)
	clear(d.bias)
	if net.logitB != nil {
		tensorops.Gemm(false, false, n, 1, w, float32(1/math.Sqrt(float64(w))), h, w, net.logitB, 1, 0, d.bias, 1)
	}
}

// solveTSP builds the tours of all runs on one instance from its projections proj [n,4d].
func (d *pointerDecoder) solveTSP(
	inst *routing.Instance, runs []routing.Run, proj []float32,
) ([]routing.Trajectory, error) {
	n, w, R := inst.N(), d.net.d, len(runs)
	d.reserve(R, n)
	trs := make([]routing.Trajectory, R)
	states := make([]*tsp.State, R)
	needProbs := false
	for r, run := range runs {
		states[r] = tsp.NewState(inst)
		needProbs = needProbs || run.Record || run.Sample != 0
		if run.Record {
			trs[r].Probs = make([]float32, n*n)
		}
	}
	for t := range n {
		chooses := d.queries(t, proj)
		if chooses {
			d.attend(proj, n, R)
		}
		for r, run := range runs {
			d.decide(r, run, t, n)
		}
		if chooses && needProbs {
			tensorops.MaskedSoftmax(d.u, d.u, d.mask[:R*n], n)
			d.draw(runs, t, n)
			for r, run := range runs {
				if run.Record && (t > 0 || run.Start == routing.OwnStart) {
					copy(trs[r].Probs[t*n:(t+1)*n], d.u[r*n:(r+1)*n])
				}
			}
		}
		for r, a := range d.current {
			if err := states[r].Step(a); err != nil {
				return nil, err
			}
			for m := range d.net.heads {
				d.mask[(m*R+r)*n+int(a)] = true
			}
		}
		if t == 0 {
			for r := range R {
				copy(d.first[r*w:(r+1)*w], d.context)
			}
			tensorops.GatherAdd(d.first, proj[blockFirst*w:], d.net.blocks*w, d.current, w)
		}
	}
	for r := range runs {
		trs[r].Actions, trs[r].Cost = states[r].Actions(), states[r].Cost()
	}
	return trs, nil
}

// decide sets the action of run r at step t: the one that the run gives, else the first node or customer if the model
// does not choose it, else the model's best.
func (d *pointerDecoder) decide(r int, run routing.Run, t, n int) {
	if a, ok := given(run, t); ok {
		d.current[r] = a
	} else if t == 0 && !d.net.ownStart {
		d.current[r] = int32(problems.Must(d.net.problem).Traits().Depots())
	} else {
		d.current[r] = argmax(d.u[r*n:(r+1)*n], d.mask[r*n:(r+1)*n])
	}
}

// given returns the action that a run gives for step t, if it gives one.
func given(run routing.Run, t int) (a int32, ok bool) {
	switch {
	case t < len(run.Force):
		return run.Force[t], true
	case t == 0 && run.Start != routing.OwnStart:
		return int32(run.Start), true
	}
	return 0, false
}

// draw replaces the choices of the runs that sample by draws from the distributions in u. It leaves given actions as
// they are.
func (d *pointerDecoder) draw(runs []routing.Run, t, n int) {
	for r, run := range runs {
		if _, ok := given(run, t); !ok && run.Sample != 0 && (t > 0 || d.net.ownStart) {
			d.current[r] = int32(routing.Draw(run.Sample, t, d.u[r*n:(r+1)*n]))
		}
	}
}

// queries sets q for step t. It returns false if the model has nothing to choose: at the first step, if it has no
// placeholder.
func (d *pointerDecoder) queries(t int, proj []float32) bool {
	w := d.net.d
	if t > 0 {
		copy(d.q, d.first)
		tensorops.GatherAdd(d.q, proj[blockCurrent*w:], d.net.blocks*w, d.current, w)
		return true
	}
	if d.net.placeholder == nil {
		return false
	}
	for r := 0; r < len(d.q); r += w {
		copy(d.q[r:r+w], d.context)
		tensorops.Add(d.q[r:r+w], d.net.placeholder)
	}
	return true
}

// attend turns q into the logits u = C·tanh(glimpse·key/√d). Visited nodes have logits too.
func (d *pointerDecoder) attend(proj []float32, n, R int) {
	w, heads, ld := d.net.d, d.net.heads, d.net.blocks*d.net.d
	dh := w / heads
	tensorops.GemmBatch(
		heads, false, false, R, n, dh, float32(1/math.Sqrt(float64(dh))), d.q, w, dh, d.keyT, n, dh*n, 0, d.score, n,
		R*n,
	)
	tensorops.MaskedSoftmax(d.score, d.score, d.mask, n)
	tensorops.GemmBatch(heads, false, false, R, dh, n, 1, d.score, n, R*n, proj[blockValue*w:], ld, dh, 0, d.o, w, dh)
	for r := range R {
		copy(d.u[r*n:(r+1)*n], d.bias)
	}
	tensorops.Gemm(false, true, R, n, w, float32(1/math.Sqrt(float64(w))), d.o, w, proj[blockLogit*w:], ld, 1, d.u, n)
	for i, v := range d.u {
		d.u[i] = d.net.clip * tanh(v)
	}
}

// argmax returns the unmasked node with the largest logit, the lowest node on a tie.
func argmax(u []float32, mask []bool) int32 {
	best := -1
	for j, v := range u {
		if !mask[j] && (best < 0 || v > u[best]) {
			best = j
		}
	}
	return int32(best)
}

func (d *pointerDecoder) reserve(R, n int) {
	w, heads := d.net.d, d.net.heads
	d.first = dense.Sized(d.first, R*w)
	d.q = dense.Sized(d.q, R*w)
	d.o = dense.Sized(d.o, R*w)
	d.score = dense.Sized(d.score, heads*R*n)
	d.u = dense.Sized(d.u, R*n)
	d.mask = dense.Sized(d.mask, heads*R*n)
	clear(d.mask)
	d.current = dense.Sized(d.current, R)
}

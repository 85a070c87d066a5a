package evaluate

import (
	"context"
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// Reading holds the statistics of a student's decisions on the states of a shard.
type Reading struct {
	Fidelity   student.Eval `json:"fidelity"`
	Activation Activation   `json:"activation"`
	// share of states where the teacher's top action is the nearest candidate
	NearestTop1 float64 `json:"nearest_top1"`
}

// Inspect runs the student on held-out states, with b's scores on them.
func Inspect(ctx context.Context, m *student.Model, b *bank.Bank, set student.Dataset) (Reading, error) {
	r, err := read(ctx, m, b, set)
	if err == nil {
		err = r.categorise(b)
	}
	return r, err
}

// InspectAlong is Inspect on the states of p's own solutions of insts, which are recorded and scored in pieces: memory
// does not grow with the number of instances. These must be of one size. progress is as for routing.Each.
func InspectAlong(ctx context.Context, p routing.Policy, s *Student, insts []routing.Instance,
	progress func(done int)) (Reading, error) {
	var total Reading
	err := rollout.RecordPieces(ctx, p, insts, routing.SingleRun, progress, func(piece *rollout.Shard) error {
		set, err := s.Programs.Score(ctx, piece)
		if err != nil {
			return err
		}
		r, err := read(ctx, s.Model, s.Programs.Bank, set)
		if err != nil {
			return err
		}
		total.add(r)
		return nil
	})
	if err == nil {
		err = total.categorise(s.Programs.Bank)
	}
	return total, err
}

// read is Inspect without the programs' categories.
func read(ctx context.Context, m *student.Model, b *bank.Bank, set student.Dataset) (Reading, error) {
	fidelity, err := student.Evaluate(ctx, m, []student.Dataset{set}, b.TauH())
	if err != nil {
		return Reading{}, fmt.Errorf("inspect student: %w", err)
	}
	d, err := Decide(ctx, m, b, set)
	if err != nil {
		return Reading{}, fmt.Errorf("inspect student: %w", err)
	}
	r := Reading{Fidelity: fidelity, Activation: activate(set.Shard, b.Names(), d)}
	if r.Activation.States > 0 {
		r.NearestTop1 = 1 - float64(r.Activation.Deviations)/float64(r.Activation.States)
	}
	return r, nil
}

// categorise says which signals each program looks at.
func (r *Reading) categorise(b *bank.Bank) (err error) {
	for i := range r.Activation.Heuristics {
		h := &b.Heuristics[i]
		if r.Activation.Heuristics[i].Category, err = h.Category(); err != nil {
			return fmt.Errorf("inspect student: heuristic %s: %w", h.Name, err)
		}
	}
	return nil
}

// add joins the reading of further states of the same student. All states count alike.
func (r *Reading) add(o Reading) {
	if r.Fidelity.States == 0 {
		*r = o
		return
	}
	f, g := &r.Fidelity, o.Fidelity
	a, b := r.Activation, o.Activation
	mean := func(x *float64, n int, y float64, m int) { *x += (y - *x) * float64(m) / math.Max(1, float64(n+m)) }
	each := func(x *float64, y float64) { mean(x, a.States, y, b.States) }
	each(&f.Loss, g.Loss)
	each(&f.Plain, g.Plain)
	each(&f.Top1, g.Top1)
	each(&f.Top2, g.Top2)
	each(&f.Coverage, g.Coverage)
	each(&f.Hard, g.Hard)
	each(&f.Mixed, g.Mixed)
	each(&f.Leader, g.Leader)
	each(&f.Margin, g.Margin)
	each(&r.NearestTop1, o.NearestTop1)
	for m := range f.Heuristics {
		h, k := &f.Heuristics[m], g.Heuristics[m]
		each(&h.Top1, k.Top1)
		each(&h.MeanWeight, k.MeanWeight)
		each(&h.KL, k.KL)
		each(&h.Dominant, k.Dominant)
		u, v := &a.Heuristics[m], b.Heuristics[m]
		each(&u.MeanWeight, v.MeanWeight)
		each(&u.Dominant, v.Dominant)
		mean(&u.DeviationWeight, a.Deviations, v.DeviationWeight, b.Deviations)
		for bin := range u.ByProgress {
			mean(&u.ByProgress[bin], a.StageStates[bin], v.ByProgress[bin], b.StageStates[bin])
			mean(&u.LedByProgress[bin], a.StageStates[bin], v.LedByProgress[bin], b.StageStates[bin])
		}
		u.Deviations, u.DeviationsSolved = u.Deviations+v.Deviations, u.DeviationsSolved+v.DeviationsSolved
	}
	for bin := range b.StageStates {
		r.Activation.StageStates[bin] += b.StageStates[bin]
	}
	f.States += g.States
	r.Activation.States, r.Activation.Deviations = a.States+b.States, a.Deviations+b.Deviations
}

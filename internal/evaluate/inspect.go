package evaluate

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
)

// Reading is what a student's decisions on the states of a shard say about it.
type Reading struct {
	Fidelity    student.Eval `json:"fidelity"`
	Activation  Activation   `json:"activation"`
	NearestTop1 float64      `json:"nearest_top1"` // share of states where the teacher's top action is the nearest candidate
}

// Inspect runs the student on held-out states, with b's scores on them.
func Inspect(ctx context.Context, m *student.Model, b *bank.Bank, set student.Set) (Reading, error) {
	tauH, names := b.TauH(), make([]string, len(b.Heuristics))
	for i, h := range b.Heuristics {
		names[i] = h.Name
	}
	fidelity, err := student.Evaluate(ctx, m, []student.Set{set}, tauH)
	if err != nil {
		return Reading{}, fmt.Errorf("inspect student: %w", err)
	}
	out, err := student.Forward(ctx, m, set, tauH, student.WantW)
	if err != nil {
		return Reading{}, fmt.Errorf("inspect student: %w", err)
	}
	top := make([][]int32, len(names))
	for i := range top {
		top[i] = topActions(set.Shard, set.Scores[i])
	}
	r := Reading{Fidelity: fidelity, Activation: Activate(set.Shard, names, out.W, top)}
	for i := range b.Heuristics {
		if r.Activation.Heuristics[i].Category, err = b.Heuristics[i].Category(); err != nil {
			return Reading{}, fmt.Errorf("inspect student: heuristic %s: %w", names[i], err)
		}
	}
	if r.Activation.States > 0 {
		r.NearestTop1 = 1 - float64(r.Activation.Deviations)/float64(r.Activation.States)
	}
	return r, nil
}

// topActions returns the best-scored candidate of every state, as an index into its candidates.
func topActions(sh *rollout.Shard, scores []float32) []int32 {
	top := make([]int32, sh.States())
	for s := range top {
		top[s] = int32(agreement.Argmax(scores[sh.Offset[s]:sh.Offset[s+1]]))
	}
	return top
}

package evidence

import (
	"context"
	"errors"
	"slices"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// Term is what one weight of a program contributes to the scores of two candidates: the score as it is, minus the score
// with this weight at 0. For a sum of weighted terms it is the term itself.
type Term struct {
	Name, Says       string
	Weight           float64
	Program, Teacher float64 // for the program's pick and for the teacher's
}

// Terms returns what each weight of a program that is not 0 contributes to two candidates of state s, in the order of
// the source. The program scores all states of the state's instance once, and once more for each weight. A program that
// crashes without one of its weights, for example because it divides by it, has no terms.
func Terms(
	ctx context.Context, m *runtime.Module, ws []compile.Weight, sh *rollout.Shard, s int32, program, teacher int,
) ([]Term, error) {
	if len(ws) == 0 {
		return nil, nil
	}
	values := compile.WeightValues(ws)
	step := make([]float32, len(values))
	for j, v := range values {
		if step[j] = -v; v == 0 {
			step[j] = 1 // left out below
		}
	}
	instance := sh.InstanceOf[sh.Traj[s]]
	first := slices.IndexFunc(sh.Traj, func(r int32) bool { return sh.InstanceOf[r] == instance })
	part := sh.Slice(int(instance), int(instance)+1)
	_, J, err := m.Jacobian(ctx, part, values, step)
	if crash := (*runtime.Crash)(nil); errors.As(err, &crash) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	C, at := len(part.Candidates), int(part.Offset[int(s)-first])
	jacobian := dense.Must[float32]("evidence: Jacobian", J, len(ws), C)
	var terms []Term
	for j, w := range ws {
		if values[j] == 0 {
			continue
		}
		of := func(k int) float64 { return float64(jacobian[j*C+at+k]) * w.Value }
		terms = append(terms, Term{w.Name, w.Says, w.Value, of(program), of(teacher)})
	}
	return terms, nil
}

package evidence

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// Term is what one weight of a program contributes to the scores of two candidates: the score as it is, minus the score
// with this weight at 0. For a sum of weighted terms it is the term itself.
type Term struct {
	Name             string  // of the weight
	Program, Teacher float64 // for the program's pick and for the teacher's
}

// Pair is a number for the program's pick and one for the teacher's.
type Pair struct{ Program, Teacher float64 }

// Score is the scores of two candidates, and the part of them that no Term explains: what stands in the program
// without a weight, and what weights do together. The rest is 0 for a sum of weighted terms.
type Score struct{ Total, Rest Pair }

// HasRest reports whether there is a part that no Term explains.
func (s *Score) HasRest() bool { return s.Rest != Pair{} }

// rounding is the largest share of a score's parts that a rest has from rounding alone: scores are float32.
const rounding = 1e-5

// Terms returns what each weight of a program that is not 0 contributes to two candidates of state s, in the order of
// the source, and the scores that they are parts of. A threshold adds nothing, so only weights that multiply something
// are looked at. The program scores all states of the state's instance once, and once more for each of these. A program
// that crashes without one of them has neither terms nor scores.
func Terms(
	ctx context.Context, m *runtime.Module, source string, sh *rollout.Shard, s int32, program, teacher int,
) ([]Term, *Score, error) {
	checked, err := heuristic.Check(source)
	if err != nil {
		return nil, nil, err
	}
	ws := checked.Weights()
	if len(ws) == 0 {
		return nil, nil, nil
	}
	multiply, err := rewrite.Terms(source)
	if err != nil {
		return nil, nil, err
	}
	values := heuristic.WeightValues(ws)
	step := make([]float32, len(values)) // 0 asks for no row
	for j, w := range ws {
		if slices.Contains(multiply, w) {
			step[j] = -values[j]
		}
	}
	instance := sh.InstanceOf[sh.Traj[s]]
	first := slices.IndexFunc(sh.Traj, func(r int32) bool { return sh.InstanceOf[r] == instance })
	part := sh.Slice(int(instance), int(instance)+1)
	scores, J, err := m.Jacobian(ctx, part, values, step)
	if _, ok := errors.AsType[*runtime.Crash](err); ok {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	C, at := len(part.Candidates), int(part.Offset[int(s)-first])
	jacobian := dense.Must[float32]("evidence: Jacobian", J, len(ws), C)
	c := dense.Must[float32]("evidence: scores", scores, C)
	total := Pair{float64(c[at+program]), float64(c[at+teacher])}
	rest, size := total, max(math.Abs(total.Program), math.Abs(total.Teacher))
	var terms []Term
	for j, w := range ws {
		if step[j] == 0 {
			continue
		}
		of := func(k int) float64 { return float64(jacobian[j*C+at+k]) * w.Value }
		t := Term{w.Name, of(program), of(teacher)}
		rest.Program, rest.Teacher = rest.Program-t.Program, rest.Teacher-t.Teacher
		size = max(size, math.Abs(t.Program), math.Abs(t.Teacher))
		terms = append(terms, t)
	}
	if max(math.Abs(rest.Program), math.Abs(rest.Teacher)) <= rounding*size {
		rest = Pair{}
	}
	return terms, &Score{total, rest}, nil
}

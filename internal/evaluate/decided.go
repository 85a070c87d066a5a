package evaluate

import (
	"context"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
)

// Decided is what a student decides in the S states of a shard. First choices are indices into a state's candidates.
type Decided struct {
	Choices []int32   // [S] first choices of the student
	Firsts  [][]int32 // [M][S] first choices of the programs
	Leaders []int32   // [S] programs of the largest weight
	Weights []float32 // [S,M] w_m(s), Eq. 3
}

// Decide has a student decide in the states of a shard, with b's scores on them.
func Decide(ctx context.Context, m *student.Model, b *bank.Bank, set student.Dataset) (Decided, error) {
	out, err := student.Forward(ctx, m, set, b.TauH(), student.WantW|student.WantMix)
	if err != nil {
		return Decided{}, err
	}
	sh := set.Shard
	d := Decided{
		Choices: agreement.FirstChoices(sh.Offset, dense.Must[float32]("π_S", out.Mix, len(sh.Candidates))),
		Firsts:  agreement.FirstChoicesOf(sh, set.Scores),
		Leaders: make([]int32, sh.States()),
		Weights: dense.Must[float32]("w", out.W, sh.States(), len(set.Scores)),
	}
	for s := range d.Leaders {
		d.Leaders[s] = int32(agreement.Argmax(d.WeightsAt(s)))
	}
	return d, nil
}

// WeightsAt returns w [M] of state s.
func (d Decided) WeightsAt(s int) []float32 {
	M := len(d.Firsts)
	return d.Weights[s*M : (s+1)*M]
}

// Nearest returns the nearest candidate of every state of a shard, as an index into the state's candidates.
func Nearest(sh *rollout.Shard) []int32 {
	nearest := make([]int32, sh.States())
	for s := range nearest {
		st := sh.State(s)
		in := sh.Instance(int(sh.InstanceOf[st.Traj]))
		nearest[s] = int32(problems.Nearest(&in, st.Current, st.Candidates))
	}
	return nearest
}

package certify

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
)

// decisions holds what teacher, student and programs think of every candidate of a shard's states.
type decisions struct {
	sh    *rollout.Shard
	set   student.Dataset
	tauH  *tensor.Dense // float64 [M]
	M     int
	names []string    // of the programs [M]
	seed  uint64      // of what is drawn by lot, and of the bootstraps
	hard  bool        // the leader decides alone
	piT   []float32   // [C]
	w     []float32   // [S,M]
	Vm    [][]float32 // [M][C] Eq. 2

	teacher, student []int32   // [S] first choices, as indices into the state's candidates
	first            [][]int32 // [M][S] first choices of the programs
	leader           []int32   // [S]
	nearest          []int32   // [S]
	instance         []int32   // [S]
}

// decide has the student decide in every state of a shard.
func decide(ctx context.Context, s *evaluate.Student, sh *rollout.Shard) (*decisions, error) {
	set, err := s.Programs.Score(ctx, sh)
	if err != nil {
		return nil, fmt.Errorf("certify: %w", err)
	}
	b := s.Programs.Bank
	decided, err := evaluate.Decide(ctx, s.Model, b, set)
	if err != nil {
		return nil, fmt.Errorf("certify: %w", err)
	}
	C := len(sh.Candidates)
	d := &decisions{
		sh: sh, set: set, tauH: b.TauH(), M: len(b.Heuristics), names: b.Names(),
		hard: s.Model.Config.Routing == student.Hard, piT: dense.Must[float32]("π_T", sh.Probs, C), w: decided.Weights,
		student: decided.Choices, first: decided.Firsts, leader: decided.Leaders, nearest: evaluate.Nearest(sh),
	}
	d.teacher = agreement.FirstChoices(sh.Offset, d.piT)
	for _, V := range agreement.Distributions(sh, set.Scores, d.tauH) {
		d.Vm = append(d.Vm, dense.Must[float32]("V_m", V, C))
	}
	for _, r := range sh.Traj {
		d.instance = append(d.instance, sh.InstanceOf[r])
	}
	return d, nil
}

// weights returns w [M] of a state.
func (d *decisions) weights(s int) []float32 { return d.w[s*d.M : (s+1)*d.M] }

// chosen returns the first choice in a state with any weights: of Σ_m w_m·V_m (Eq. 5), or of the program with the
// largest one if the leader decides alone. mix [K] is what is chosen from; it is scratch.
func (d *decisions) chosen(s int, w, mix []float32) int32 {
	if d.hard {
		return d.first[agreement.Argmax(w)][s]
	}
	d.mix(s, w, mix)
	return int32(agreement.Argmax(mix))
}

// mix stores Σ_m w_m·V_m of a state.
func (d *decisions) mix(s int, w, mix []float32) {
	a, b := d.sh.Offset[s], d.sh.Offset[s+1]
	clear(mix)
	for m, V := range d.Vm {
		if w[m] == 0 {
			continue
		}
		for k, v := range V[a:b] {
			mix[k] += w[m] * v
		}
	}
}

// candidates returns K of a state.
func (d *decisions) candidates(s int) int { return int(d.sh.Offset[s+1] - d.sh.Offset[s]) }

// mean returns the mean of a value over the decisions, with an interval over instances.
func (d *decisions) mean(value func(s int) float64) (float64, bootstrap.Interval) {
	t := bootstrap.NewTally(d.sh.Instances())
	for s, i := range d.instance {
		t.Add(i, value(s))
	}
	return t.Mean(), t.Interval(d.seed)
}

// share counts the decisions that where selects (nil: all), and hits among them.
func (d *decisions) share(where, hit func(s int) bool) Share {
	c := newCounter(d.sh.Instances())
	for s, i := range d.instance {
		if where == nil || where(s) {
			c.count(i, hit(s))
		}
	}
	return c.share(d.seed)
}

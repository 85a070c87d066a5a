package student

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

// Dataset is a shard with the bank's raw outputs on it. C candidates, S states, M heuristics; all float32.
type Dataset struct {
	Shard *rollout.Shard
	// Scores [M] of [C] are c_m aligned with Shard.Candidates: one tensor per program, since programs join and leave
	// the bank one at a time.
	Scores []*tensor.Dense
	Weight *tensor.Dense // [S] weight ω ≥ 0 of each state in the loss; nil means 1

	// Jacobian [M] of [W_m,C] is what the scores gain per unit of each weight: see terms.go. While weights are trained
	// and it is nil, programs are sums of all named features.
	Jacobian []*tensor.Dense
	Memo     *Memo // of the named features of the shard's states, or nil
}

// opened is a Dataset with its tensors opened once, for the loops.
type opened struct {
	Shard  *rollout.Shard
	Scores [][]float32 // [M] of [C]
	Weight []float32   // [S] or nil

	Jacobian [][][]float32 // [M][W_m] of [C], or nil
	Memo     *Memo
}

// States returns the number of states of all sets.
func States(sets []Dataset) int {
	n := 0
	for _, s := range sets {
		n += s.Shard.States()
	}
	return n
}

// ErrUnfit is in the chain of every error about data that does not fit the student or the bank, at any attempt.
var ErrUnfit = errors.New("the data does not fit")

// open checks datasets and τ_h [M], float64, against the student and each other, and opens them. The τ_h returned are
// those of the tensor.
func (c Config) open(sets []Dataset, tauH *tensor.Dense) ([]opened, []float64, error) {
	data, tau, err := c.fit(sets, tauH)
	if err != nil {
		return nil, nil, fmt.Errorf("student: %w: %w", err, ErrUnfit)
	}
	return data, tau, nil
}

func (c Config) fit(sets []Dataset, tauH *tensor.Dense) ([]opened, []float64, error) {
	tau, err := dense.Values[float64]("τ_h", tauH, dense.Any)
	if err != nil {
		return nil, nil, err
	}
	M := len(tau)
	if M == 0 {
		return nil, nil, errors.New("the bank is empty")
	}
	if c.StaticKeys != 0 && c.StaticKeys != M {
		return nil, nil, fmt.Errorf(
			"there are %d static keys for %d heuristics: resize the trainer with the bank", c.StaticKeys, M,
		)
	}
	if c.named() && c.Programs != M {
		return nil, nil, fmt.Errorf("the named router is for %d heuristics, the bank has %d: resize the trainer with "+
			"the bank", c.Programs, M)
	}
	for m, x := range tau {
		if !agreement.ValidTauH(x) {
			return nil, nil, fmt.Errorf(
				"τ_h of heuristic %d is %v, want a number from %g to %g", m, x, agreement.MinTauH, agreement.MaxTauH,
			)
		}
	}
	data := make([]opened, len(sets))
	for i, s := range sets {
		if data[i], err = c.fitSet(s, M); err != nil {
			return nil, nil, fmt.Errorf("set %d %w", i, err)
		}
	}
	return data, tau, nil
}

func (c Config) fitSet(s Dataset, M int) (opened, error) {
	switch {
	case s.Shard.Problem != c.For():
		return opened{}, fmt.Errorf("is of problem %s, the student of %s", s.Shard.Problem, c.For())
	case s.Shard.ViaDepot && !c.lehd():
		return opened{}, fmt.Errorf("has candidates by way of the depot: they need a student of arch %s", LEHD)
	case len(s.Scores) != M:
		return opened{}, fmt.Errorf("has scores of %d heuristics, the bank has %d", len(s.Scores), M)
	}
	if set := c.featureSet(); s.Memo != nil && c.named() && (s.Memo.F != len(set.Node) || s.Memo.Z != len(set.State)) {
		return opened{}, fmt.Errorf("has a memo of %d and %d features of candidates and states, the router reads %d "+
			"and %d", s.Memo.F, s.Memo.Z, len(set.Node), len(set.State))
	}
	if err := c.checkWeights(s); err != nil {
		return opened{}, err
	}
	o, err := s.open()
	if err != nil {
		return opened{}, fmt.Errorf("does not hold together: %w", err)
	}
	return o, nil
}

func (s Dataset) open() (opened, error) {
	o := opened{Shard: s.Shard, Memo: s.Memo, Scores: make([][]float32, len(s.Scores))}
	var err error
	for m, c := range s.Scores {
		if o.Scores[m], err = dense.Values[float32](
			fmt.Sprintf("tensor scores of heuristic %d", m), c, len(s.Shard.Candidates),
		); err != nil {
			return opened{}, err
		}
	}
	if s.Weight != nil {
		o.Weight, err = dense.Values[float32]("tensor weight", s.Weight, s.Shard.States())
	}
	C := len(s.Shard.Candidates)
	for m, j := range s.Jacobian {
		if j == nil { // a program without weights
			o.Jacobian = append(o.Jacobian, nil)
			continue
		}
		rows := make([][]float32, j.Shape()[0])
		x, jerr := dense.Values[float32](fmt.Sprintf("Jacobian of heuristic %d", m), j, len(rows), C)
		if jerr != nil {
			return opened{}, jerr
		}
		for i := range rows {
			rows[i] = x[i*C : (i+1)*C]
		}
		o.Jacobian = append(o.Jacobian, rows)
	}
	return o, err
}

// The limits of a chunk. They are part of the result: other values give other rounding.
const (
	unitStates = 256 // states beyond which an instance's trajectories are split into several units
	chunkNodes = 256 // nodes per chunk: enough rows for fast matrix products, few enough for the caches
	namedNodes = 64  // the same for a named router, which has many features of every candidate and no encoder
)

// span is the states of one trajectory, from:to in its shard.
type span struct{ from, to int32 }

// unit is some trajectories of one instance: the encoder runs once for all of them.
type unit struct {
	set, inst int
	n, states int
	spans     []span
}

// units cuts the sets into units, in order of set, instance and trajectory. Trajectories without states are left out.
func units(sets []opened) []unit {
	var all []unit
	for i, set := range sets {
		sh := set.Shard
		perInst := make([][]span, sh.Instances())
		S := sh.States()
		for from := 0; from < S; {
			r := sh.Traj[from]
			to := from + sort.Search(S-from, func(k int) bool { return sh.Traj[from+k] > r })
			inst := sh.InstanceOf[r]
			perInst[inst] = append(perInst[inst], span{int32(from), int32(to)})
			from = to
		}
		for inst, spans := range perInst {
			for len(spans) > 0 {
				u := unit{set: i, inst: inst, n: sh.N}
				take := 0
				for take < len(spans) && (take == 0 || u.states+int(spans[take].to-spans[take].from) <= unitStates) {
					u.states += int(spans[take].to - spans[take].from)
					take++
				}
				u.spans, spans = spans[:take], spans[take:]
				all = append(all, u)
			}
		}
	}
	return all
}

// chunks groups units of the same number of nodes into chunks of at most chunkNodes nodes, at least one unit each.
// It sorts us by that number, stably, and appends to buf.
func (c Config) chunks(buf [][]unit, us []unit) [][]unit {
	limit := chunkNodes
	if c.named() {
		limit = namedNodes
	}
	slices.SortStableFunc(us, func(a, b unit) int { return a.n - b.n })
	for len(us) > 0 {
		n, take := us[0].n, 1
		for take < len(us) && us[take].n == n && (take+1)*n <= limit {
			take++
		}
		buf = append(buf, us[:take])
		us = us[take:]
	}
	return buf
}

package student

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/rollout"
)

// Dataset is a shard with the bank's raw outputs on it.
type Dataset struct {
	Shard  *rollout.Shard
	Scores [][]float32 // [M] ragged, c_m aligned with Shard.Candidates
	Weight []float32   // [S] weight ω ≥ 0 of each state in the loss; nil means 1
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

func (c Config) checkSets(sets []Dataset, tauH []float64) error {
	if err := c.misfit(sets, tauH); err != nil {
		return fmt.Errorf("%w: %w", err, ErrUnfit)
	}
	return nil
}

func (c Config) misfit(sets []Dataset, tauH []float64) error {
	if len(tauH) == 0 {
		return errors.New("student: the bank is empty")
	}
	if c.StaticKeys != 0 && c.StaticKeys != len(tauH) {
		return fmt.Errorf("student: there are %d static keys for %d heuristics: resize the trainer with the bank", c.StaticKeys, len(tauH))
	}
	for m, tau := range tauH {
		if !agreement.ValidTauH(tau) {
			return fmt.Errorf("student: τ_h of heuristic %d is %v, want a number from %g to %g", m, tau, agreement.MinTauH, agreement.MaxTauH)
		}
	}
	for i, s := range sets {
		if s.Shard.Problem != c.For() {
			return fmt.Errorf("student: set %d is of problem %s, the student of %s", i, s.Shard.Problem, c.For())
		}
		if s.Shard.ViaDepot && !c.lehd() {
			return fmt.Errorf("student: set %d has candidates by way of the depot: they need a student of arch %s", i, LEHD)
		}
		if len(s.Scores) != len(tauH) {
			return fmt.Errorf("student: set %d has scores of %d heuristics, the bank has %d", i, len(s.Scores), len(tauH))
		}
		for m, c := range s.Scores {
			if len(c) != len(s.Shard.Candidates) {
				return fmt.Errorf("student: set %d, heuristic %d: %d scores for %d candidates", i, m, len(c), len(s.Shard.Candidates))
			}
		}
		if s.Weight != nil && len(s.Weight) != s.Shard.States() {
			return fmt.Errorf("student: set %d: %d weights for %d states", i, len(s.Weight), s.Shard.States())
		}
	}
	return nil
}

// Cutting data into work. Both limits are part of the result: other values give other rounding.
const (
	unitStates = 256 // states beyond which an instance's trajectories are split into several units
	chunkNodes = 256 // nodes per chunk: enough rows for fast matrix products, few enough for the caches
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
func units(sets []Dataset) []unit {
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
// It sorts us by that number, keeping the order otherwise, and appends to buf.
func chunks(buf [][]unit, us []unit) [][]unit {
	slices.SortStableFunc(us, func(a, b unit) int { return a.n - b.n })
	for len(us) > 0 {
		n, take := us[0].n, 1
		for take < len(us) && us[take].n == n && (take+1)*n <= chunkNodes {
			take++
		}
		buf = append(buf, us[:take])
		us = us[take:]
	}
	return buf
}

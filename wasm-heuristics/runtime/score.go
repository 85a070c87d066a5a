package runtime

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// MaxScore is the largest absolute value of a score. Because of it, the difference of two scores divided by the
// smallest τ_h (agreement.MinTauH) is finite in float32, and so is everything computed from V_m (Eq. 2).
const MaxScore = 1e30

// Score scores states of the instance that was last set. The scores of state t go to out[Offset[t]:Offset[t+1]]. The
// State of a *Crash is an index in 0 … T-1. When ctx is done, the call ends within about a second; the guest cannot be
// used again if it was running.
func (g *Guest) Score(ctx context.Context, s *States, out []float32) error {
	return g.scoreAll(ctx, s, variants{1, g.module.weights, func(int) []float32 { return out }})
}

// ScoreWithout scores states as Score does, once for each weight, with this weight at 0: [W] rows like Score's out.
func (g *Guest) ScoreWithout(ctx context.Context, s *States, out [][]float32) error {
	W := g.module.count
	if W == 0 {
		return nil
	}
	values := slices.Repeat(g.module.weights, W)
	for j := range W {
		values[j*W+j] = 0
	}
	return g.scoreAll(ctx, s, variants{W, values, func(j int) []float32 { return out[j] }})
}

// variants are values of the weights that states are scored with, one after the other.
type variants struct {
	n      int
	values []float64                   // [n,W]
	row    func(variant int) []float32 // where the scores of a variant go, as Score's
}

// scoreAll is Score for any number of variants.
func (g *Guest) scoreAll(ctx context.Context, s *States, v variants) error {
	T := s.Len()
	if !s.fits() {
		panic(fmt.Sprintf("runtime: %d first, %d current, %d step, %d offsets, %d remaining, %d waiting offsets",
			T, len(s.Current), len(s.Step), len(s.Offset), len(s.Remaining), len(s.WaitingOffset)))
	}
	if g.n == 0 || g.spent {
		return g.crash(ABI, -1, "the guest has no instance, or trapped before and is spent")
	}
	if v.n < 1 || v.n > int(g.layout.maxVariants) || len(v.values) != v.n*g.module.count {
		panic(fmt.Sprintf("runtime: %d variants with %d values, the program has %d weights",
			v.n, len(v.values), g.module.count))
	}
	most := min(int(g.layout.maxCandidates), int(g.layout.maxScores)/v.n)
	waits := int(g.layout.maxCandidates)
	for a := 0; a < T; {
		b := a
		fits := func(b int) bool { return s.Offset[b]-s.Offset[a] <= most && len(s.waiting(a, b)) <= waits }
		for b < T && b-a < int(g.layout.maxStates) && fits(b+1) {
			b++
		}
		if err := g.scoreBatch(ctx, batch{s, a, b, v}); err != nil {
			return err
		}
		a = b
	}
	return nil
}

// batch is the states a … b-1 of States. They fit the guest's buffers.
type batch struct {
	*States
	a, b int
	variants
}

// cand returns the candidates of all states.
func (s batch) cand() []uint16 { return s.Candidates[s.Offset[s.a]:s.Offset[s.b]] }

// sizes returns the number of candidates and of waiting nodes of state t.
func (s batch) sizes(t int) (k, w int) {
	return s.Offset[t+1] - s.Offset[t], len(s.waiting(t, t+1))
}

// units is the fuel of state t for one variant.
func (s batch) units(t int) uint64 {
	k, w := s.sizes(t)
	size := uint64(max(k, w))
	return budget + perPair*size*size
}

// limit returns how long a state may take with all variants, in addition to grace. state is its index in the batch.
func (s batch) limit(state uint32) time.Duration {
	t := min(s.a+int(state), s.b-1)
	return time.Duration(uint64(s.n)*s.units(t)/unitsPerSecond) * time.Second
}

// scoreBatch is Score for a batch.
func (g *Guest) scoreBatch(ctx context.Context, s batch) error {
	g.show(s)
	result, err := g.run(ctx, s)
	var crash *Crash
	beyond := errors.As(err, &crash) && crash.Kind == Trap && strings.Contains(crash.Msg, outOfBounds)
	if beyond {
		wrote, again := g.wrote(ctx, s, crash.State)
		switch {
		case again != nil:
			return again
		case wrote:
			return g.crash(Inputs, crash.State,
				"the program writes to X, Y or a Row of distances: copy the slice first")
		}
	}
	if err != nil {
		return err
	}
	if result != int32(0) {
		return g.crash(ABI, -1, "epb_score returned %v", result)
	}
	mem := g.memory.Data()
	if err := g.listsIntact(mem, s); err != nil {
		return err
	}
	size := s.Offset[s.b] - s.Offset[s.a]
	all := view[float32](mem, g.layout.scores, s.n*size)
	for j := range s.n {
		scores := s.row(j)[s.Offset[s.a]:s.Offset[s.b]]
		copy(scores, all[j*size:])
		if err := g.scoresInRange(s, scores); err != nil {
			return err
		}
	}
	return nil
}

// scoresInRange returns a crash if one of a batch's scores is not finite or beyond MaxScore.
func (g *Guest) scoresInRange(s batch, scores []float32) error {
	for i, v := range scores {
		if v >= -MaxScore && v <= MaxScore {
			continue
		}
		i += s.Offset[s.a]
		t := s.a
		for s.Offset[t+1] <= i {
			t++
		}
		k, K := i-s.Offset[t], s.Offset[t+1]-s.Offset[t]
		if v := float64(v); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return g.crash(TooLarge, t, "the score of candidate %d of %d is %v: keep scores between %g and %g",
				k, K, v, -MaxScore, MaxScore)
		}
		return g.crash(NonFinite, t, "the score of candidate %d of %d is %v: guard divisions, logarithms and roots",
			k, K, v)
	}
	return nil
}

// show copies a batch to the guest's memory.
func (g *Guest) show(s batch) {
	mem := g.memory.Data()
	heads := view[uint32](mem, g.layout.heads, headWords*(s.b-s.a))
	for t := s.a; t < s.b; t++ {
		k, w := s.sizes(t)
		first, current, n := uint32(s.First[t]), uint32(s.Current[t]), uint32(g.n)
		if k < 1 || k > 2*g.n || w < 0 || w > g.n || first >= n || current >= n {
			panic(fmt.Sprintf("runtime: state %d: first %d, current %d, %d candidates and %d waiting of %d nodes",
				t, s.First[t], s.Current[t], k, w, g.n))
		}
		h := heads[headWords*(t-s.a):][:headWords]
		h[0], h[1], h[2] = first, current, uint32(s.Step[t])
		h[3], h[4], h[5] = uint32(k), uint32(s.remaining(t)), uint32(w)
	}
	cand, waits := s.cand(), s.waiting(s.a, s.b)
	copy(view[uint16](mem, g.layout.candidates, len(cand)), cand)
	copy(view[uint16](mem, g.layout.waiting, len(waits)), waits)
	copy(view[float64](mem, g.layout.weights, len(s.values)), s.values)
}

// run lets the guest score the batch that show put into its memory.
func (g *Guest) run(ctx context.Context, s batch) (result any, err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("heuristic %s: %w", g.module.name, err)
	}
	points := uint64(0)
	for t := s.a; t < s.b; t++ {
		points += uint64(s.n) * pointsPerFuel * s.units(t)
	}
	g.setPoints(points)
	g.watch.begin(ctx, g.memory.Data(), g.layout.state, s.limit)
	result, err = g.score(int32(s.b-s.a), int32(s.n), int64(budget), int64(perPair))
	switch ended := g.watch.end(); {
	case ended == errOutrun: // perhaps without a trap: the guest may return before it touches its memory again
		g.spent = true
		state := g.stateFrom(s.a)
		return nil, g.crash(Time, state,
			"the program still ran after %v, when its fuel should have been gone long before: "+
				"it does work that fuel does not count", g.watch.grace+s.limit(uint32(state-s.a)))
	case ended != nil:
		g.spent = true
		return nil, fmt.Errorf("heuristic %s: %w", g.module.name, ended)
	case err != nil:
		return nil, g.trapped(err, s.a)
	}
	return result, nil
}

// outOfBounds is wasmer's message about an access to memory that is read-only or does not exist.
const outOfBounds = "out of bounds memory access"

// wrote reports whether a program that trapped at an access to memory did so by writing to the instance. It scores the
// state again with an instance that is not read-only. If there is no such trap now, the program wrote to the instance
// before. Calls that are nested too deep also trap at an access to memory, but they do so again. A run that the watch
// ends tells nothing; the error is that of a context that is done.
func (g *Guest) wrote(ctx context.Context, s batch, state int) (bool, error) {
	if g.unlock() != nil {
		return false, nil
	}
	one := batch{s.state(state), 0, 1, s.variants}
	g.show(one)
	_, err := g.run(ctx, one)
	var crash *Crash
	if err != nil && !errors.As(err, &crash) {
		return false, err
	}
	return err == nil || crash.Kind != Time && !strings.Contains(crash.Msg, outOfBounds), nil
}

// listsIntact returns a crash if the program changed the lists of its states. (It cannot change the instance.)
func (g *Guest) listsIntact(mem []byte, s batch) error {
	var what string
	cand, waits := s.cand(), s.waiting(s.a, s.b)
	switch {
	case !slices.Equal(view[uint16](mem, g.layout.candidates, len(cand)), cand):
		what = "Candidates"
	case !slices.Equal(view[uint16](mem, g.layout.waiting, len(waits)), waits):
		what = "Waiting"
	default:
		return nil
	}
	g.spent = true
	return g.crash(Inputs, s.a, "the program writes to %s: copy the slice first (in this state or one after it)", what)
}

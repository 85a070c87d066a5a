package runtime

import (
	"context"
	"errors"
	"fmt"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/internal/rollout"
)

// ScoreShard scores every state of a shard: c_m(s) of Eq. 2, float32 [C] over the candidates of all states, aligned
// with sh.Candidates. It works on all cores, one guest each. Result and error do not depend on the number of cores: the
// error is the *Crash of the lowest state in which the program crashes. Its State is an index into the shard.
func (m *Module) ScoreShard(ctx context.Context, sh *rollout.Shard) (*tensor.Dense, error) {
	out := make([]float32, len(sh.Candidates))
	v := variants{1, m.weights, func(int) []float32 { return out }}
	if err := m.scoreShard(ctx, sh, v); err != nil {
		return nil, err
	}
	return dense.Vector(out), nil
}

// scoreShard is ScoreShard for any number of variants.
func (m *Module) scoreShard(ctx context.Context, sh *rollout.Shard, v variants) error {
	if k := (kind{sh.Problem, sh.ViaDepot}); k != m.kind {
		return fmt.Errorf("heuristic %s is written for %s, the shard's states are of %s", m.name, m.kind, k)
	}
	spans := spansOf(sh)
	scorers := make([]*scorer, parallel.Workers(len(spans)))
	defer func() {
		for _, s := range scorers {
			if s != nil {
				s.guest.Close()
			}
		}
	}()
	return parallel.Try(len(scorers), len(spans), func(worker, i int) (err error) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if scorers[worker] == nil {
			if scorers[worker], err = m.newScorer(sh, v); err != nil {
				return err
			}
		}
		return scorers[worker].score(ctx, spans[i])
	})
}

// span is some consecutive states of a shard, from … to-1, of one instance.
type span struct{ from, to int }

// spanStates is the largest number of states of a span.
const spanStates = 4096

// spansOf divides a shard into spans.
func spansOf(sh *rollout.Shard) (spans []span) {
	for a := 0; a < sh.States(); {
		b := a + 1
		for b < sh.States() && b-a < spanStates && instanceOf(sh, b) == instanceOf(sh, a) {
			b++
		}
		spans, a = append(spans, span{a, b}), b
	}
	return spans
}

func instanceOf(sh *rollout.Shard, s int) int32 { return sh.InstanceOf[sh.Traj[s]] }

// scorer scores spans of a shard with a guest of its own.
type scorer struct {
	shard    *rollout.Shard
	variants variants
	guest    *Guest
	walk     *rollout.Walk
	states   States
	shown    int32 // the instance that the guest has; -1: none
}

func (m *Module) newScorer(sh *rollout.Shard, v variants) (*scorer, error) {
	walk, err := sh.Walk()
	if err != nil {
		return nil, fmt.Errorf("heuristic %s: %w", m.name, err)
	}
	g, err := m.NewGuest()
	if err != nil {
		return nil, err
	}
	return &scorer{shard: sh, variants: v, guest: g, walk: walk, shown: -1}, nil
}

// score scores the states of a span. After an error the guest may have trapped, and the scorer is not used again.
func (s *scorer) score(ctx context.Context, sp span) error {
	if i := instanceOf(s.shard, sp.from); i != s.shown {
		inst := s.shard.Instance(int(i))
		if err := s.guest.SetInstance(&inst); err != nil {
			return err
		}
		s.shown = i
	}
	if err := s.collect(sp); err != nil {
		return fmt.Errorf("heuristic %s: %w", s.guest.module.name, err)
	}
	err := s.guest.scoreAll(ctx, &s.states, s.variants)
	var crash *Crash
	if errors.As(err, &crash) && crash.State >= 0 {
		crash.State += sp.from
	}
	return err
}

// collect fills s.states with the states of a span. They share the shard's candidates.
func (s *scorer) collect(sp span) error {
	x := &s.states
	x.Reset()
	x.Candidates, x.Offset = s.shard.Candidates, x.Offset[:0]
	for state := sp.from; state < sp.to; state++ {
		at, err := s.walk.To(state)
		if err != nil {
			return err
		}
		x.show(at)
		x.Offset = append(x.Offset, int(s.shard.Offset[state]))
	}
	x.Offset = append(x.Offset, int(s.shard.Offset[sp.to]))
	return nil
}

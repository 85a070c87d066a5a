package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync"

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
	work := &shardWork{sh: sh, variants: v}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	guests := parallel.Workers(sh.States())
	parallel.Each(guests, guests, func(_, _ int) {
		g, err := m.NewGuest()
		if err == nil {
			defer g.Close()
			err = work.run(ctx, g)
		}
		if err != nil {
			cancel(err) // the others end, too
		}
	})
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if work.crash != nil {
		return work.crash
	}
	return nil
}

// shardWork divides a shard into spans: consecutive states of one instance, at most spanStates of them.
type shardWork struct {
	sh       *rollout.Shard
	variants variants

	mu    sync.Mutex
	next  int    // first state that is in no span yet
	crash *Crash // of the lowest state with a crash so far
}

const spanStates = 4096

// take returns the next span, empty at the end or after a crash. Spans come in increasing order, so all states below a
// crash are scored and the lowest crash is found.
func (w *shardWork) take() (a, b int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, b = w.next, w.next
	if w.crash != nil {
		return a, a
	}
	for b < w.sh.States() && b-a < spanStates && w.instance(b) == w.instance(a) {
		b++
	}
	w.next = b
	return a, b
}

func (w *shardWork) instance(s int) int32 { return w.sh.InstanceOf[w.sh.Traj[s]] }

func (w *shardWork) run(ctx context.Context, g *Guest) error {
	states := States{Candidates: w.sh.Candidates}
	walk, err := w.sh.Walk()
	if err != nil {
		return fmt.Errorf("heuristic %s: %w", g.module.name, err)
	}
	shown := int32(-1)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, b := w.take()
		if a == b {
			return nil
		}
		if i := w.instance(a); i != shown {
			inst := w.sh.Instance(int(i))
			if err := g.SetInstance(&inst); err != nil {
				return err
			}
			shown = i
		}
		if err := w.collect(&states, walk, a, b); err != nil {
			return fmt.Errorf("heuristic %s: %w", g.module.name, err)
		}
		err := g.scoreAll(ctx, &states, w.variants)
		if stop, err := w.finish(a, err); stop {
			return err
		}
	}
}

// collect fills states with the states a … b-1 of the shard. They share the shard's candidates.
func (w *shardWork) collect(states *States, walk *rollout.Walk, a, b int) error {
	candidates := states.Candidates
	states.Reset()
	states.Candidates, states.Offset = candidates, states.Offset[:0]
	for s := a; s < b; s++ {
		at, err := walk.To(s)
		if err != nil {
			return err
		}
		states.show(at)
		states.Offset = append(states.Offset, int(w.sh.Offset[s]))
	}
	states.Offset = append(states.Offset, int(w.sh.Offset[b]))
	return nil
}

// finish ends a span that begins with state a. It returns whether the worker should stop, since its guest may have
// trapped.
func (w *shardWork) finish(a int, err error) (bool, error) {
	var crash *Crash
	if !errors.As(err, &crash) {
		return err != nil, err
	}
	if crash.State >= 0 {
		crash.State += a
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.crash == nil || crash.State < w.crash.State {
		w.crash = crash
	}
	return true, nil
}

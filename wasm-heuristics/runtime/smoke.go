package runtime

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// Smoke runs a program on states in which programs often fail: one and two candidates, the depot alone, all nodes in
// one place, nodes in a row, 1000 nodes, loads that fit exactly or not at all, small instances from the first step to
// the last. Scores must be finite and within MaxScore. They must be the same if the states come together or one by one,
// in any order. The program must not change its inputs. The module runs metered here, with its own weights. The error
// is a *heuristic.Error of stage smoke, which wraps the *Crash.
func Smoke(ctx context.Context, m *Module) error {
	weights := m.weights
	m, err := load(m.name, m.wasm, true)
	if err != nil {
		return err
	}
	defer m.Close()
	m.weights = weights
	cases, err := smokeCases(m.kind)
	if err != nil {
		return fmt.Errorf("heuristic %s: %w", m.name, err)
	}
	for _, c := range cases {
		if err := c.run(ctx, m); err != nil {
			var crash *Crash
			if !errors.As(err, &crash) {
				return err
			}
			msg := fmt.Sprintf("on %s: %s: %s", c.What, crash.Kind, crash.Msg)
			return &heuristic.Error{Stage: heuristic.StageSmoke, Line: crash.Line, Msg: msg, Err: err}
		}
	}
	return nil
}

func (c smokeCase) run(ctx context.Context, m *Module) error {
	g, err := m.NewGuest()
	if err != nil {
		return err
	}
	defer g.Close()
	if err := g.SetInstance(&c.Instance); err != nil {
		return err
	}
	st := &c.states
	together, single := make([]float32, len(st.Candidates)), make([]float32, len(st.Candidates))
	if err := g.Score(ctx, st, together); err != nil {
		return c.describe(err, 0)
	}
	for t := st.Len() - 1; t >= 0; t-- {
		if err := g.Score(ctx, st.state(t), single); err != nil {
			return c.describe(err, t)
		}
		for i := st.Offset[t]; i < st.Offset[t+1]; i++ {
			if math.Float32bits(together[i]) != math.Float32bits(single[i]) {
				return g.crash(ABI, t, "the same state scored twice gave %v and %v: keep nothing between states",
					together[i], single[i])
			}
		}
	}
	return nil
}

// describe adds to a crash what its state looks like, because an index means little to a reader. The states begin with
// base.
func (c smokeCase) describe(err error, base int) error {
	var crash *Crash
	st := &c.states
	if !errors.As(err, &crash) || crash.State < 0 || base+crash.State >= st.Len() {
		return err
	}
	t := base + crash.State
	row := routing.Row{
		First: st.First[t], Current: st.Current[t], Step: st.Step[t], Remaining: st.remaining(t),
	}
	k, w := st.Offset[t+1]-st.Offset[t], len(st.waiting(t, t+1))
	problem := problems.Must(c.Instance.Problem)
	crash.Msg = fmt.Sprintf("%s (%s)", crash.Msg, problem.Describe(&c.Instance, row, k, w))
	return err
}

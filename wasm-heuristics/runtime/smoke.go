package runtime

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// Smoke runs a program where programs go wrong: one and two candidates, the depot alone, all nodes in one place, nodes in a row,
// 1000 nodes, loads that fit to the unit or not at all, small instances from the first step to the last. Scores must be finite and within
// MaxScore, the inputs untouched, and the same whether states come together or one by one, in any order. The module runs metered here.
// What is wrong with the program is a *compile.Error of stage smoke that wraps the *Crash.
func Smoke(ctx context.Context, m *Module) error {
	m, err := load(m.name, m.wasm, true)
	if err != nil {
		return err
	}
	defer m.Close()
	for _, c := range smokeCases(m.kind) {
		if err := c.run(ctx, m); err != nil {
			var crash *Crash
			if !errors.As(err, &crash) {
				return err
			}
			return &compile.Error{Stage: compile.StageSmoke, Msg: fmt.Sprintf("on %s: %s: %s", c.what, crash.Kind, crash.Msg), Err: err}
		}
	}
	return nil
}

func (c smokeCase) run(ctx context.Context, m *Module) error {
	g, err := m.NewInstance()
	if err != nil {
		return err
	}
	defer g.Close()
	if err := g.SetInstance(&c.inst); err != nil {
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
				return &Crash{m.name, ABI, t, fmt.Sprintf("the same state scored twice gave %v and %v: keep nothing between states", together[i], single[i])}
			}
		}
	}
	return nil
}

// describe tells what the crashing state of states base, base+1, … looks like, which means more to a reader than its index.
func (c smokeCase) describe(err error, base int) error {
	var crash *Crash
	st := &c.states
	if !errors.As(err, &crash) || crash.State < 0 || base+crash.State >= st.Len() {
		return err
	}
	t := base + crash.State
	k := st.Offset[t+1] - st.Offset[t]
	if c.inst.Problem == routing.TSP {
		crash.Msg = fmt.Sprintf("%s (%d cities visited, %d candidates)", crash.Msg, st.Step[t], k)
		return err
	}
	crash.Msg = fmt.Sprintf("%s (vehicle at node %d with %d of %d left, %d candidates, %d waiting customers)",
		crash.Msg, st.Current[t], st.Remaining[t], c.inst.Capacity, k, st.WaitingOffset[t+1]-st.WaitingOffset[t])
	return err
}

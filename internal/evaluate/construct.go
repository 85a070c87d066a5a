package evaluate

import (
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
)

// errNoStart is the error of a policy without a start rule for routing.OwnStart in TSP.
var errNoStart = errors.New("it has no start rule: give the first node")

// chooser gives the distribution over the candidates of every state of a frontier.
type chooser interface {
	// begin shows the instance whose states follow.
	begin(in *routing.Instance) error
	// choose returns probabilities and preferences, ragged like f.Candidates. The largest preference is taken, ties to
	// the lowest candidate; it may be the probability itself. Both are valid until the next call.
	choose(f *frontier) (probs, preference []float32, err error)
	close()
}

// constructor is a routing.Decoder that steps all runs on an instance together, so each step needs one call of the
// chooser for any number of runs. States with one candidate need no call.
type constructor struct {
	name     string
	start    startrule.Rule
	viaDepot bool // CVRP: a decision is the next customer and whether to go there by way of the depot
	chooser  chooser

	front frontier
	only  []uint16
	watch func(f *frontier) // called after each choice, unless nil
}

// Close implements routing.Decoder.
func (c *constructor) Close() error {
	c.chooser.close()
	return nil
}

// Decode implements routing.Decoder.
func (c *constructor) Decode(in *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	trs, parts := make([]routing.Trajectory, len(runs)), make([]routing.State, len(runs))
	problem, err := problems.Of(in.Problem)
	if err != nil {
		return nil, fmt.Errorf("%s: instance %s: %w", c.name, in.Name, err)
	}
	for r, run := range runs {
		if err := run.Validate(problem, in); err != nil {
			return nil, err
		}
		var err error
		if parts[r], err = c.begin(problem, in, run, &trs[r]); err != nil {
			return nil, fmt.Errorf("%s: instance %s: %w", c.name, in.Name, err)
		}
	}
	if err := c.chooser.begin(in); err != nil {
		return nil, err
	}
	for open := true; open; {
		var err error
		if open, err = c.step(in, runs, trs, parts); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	for r := range runs {
		cost, err := problem.Cost(in, parts[r].Actions())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		trs[r].Actions, trs[r].Cost = parts[r].Actions(), cost
	}
	return trs, nil
}

// begin returns a run's solution after its first action, if that action is given. A node that the start rule chose is
// recorded with probability 1.
func (c *constructor) begin(p routing.Definition, in *routing.Instance, run routing.Run,
	tr *routing.Trajectory) (routing.State, error) {
	s := p.NewState(in, c.viaDepot)
	if p.Traits().Depot && run.Start == routing.OwnStart {
		return s, nil
	}
	row := c.record(in, run, tr)
	node := int32(run.Start)
	if run.Start == routing.OwnStart {
		if c.start == startrule.None && len(run.Force) == 0 {
			return nil, errNoStart
		}
		if c.start != startrule.None {
			node = int32(c.start.Start(in))
			if row != nil {
				row[node] = 1
			}
		}
	}
	if len(run.Force) > 0 {
		node = run.Force[0]
	}
	return s, s.Step(node)
}

// record appends a row of zeros for a decision to the trajectory of a run that is recorded; otherwise it returns nil.
func (c *constructor) record(in *routing.Instance, run routing.Run, tr *routing.Trajectory) []float32 {
	if !run.Record {
		return nil
	}
	width, at := in.N(), len(tr.Probs)
	if c.viaDepot {
		width *= 2
	}
	tr.Probs = append(tr.Probs, make([]float32, width)...)
	return tr.Probs[at:]
}

// step takes the next action of every run that is not done, and says whether there was one.
func (c *constructor) step(in *routing.Instance, runs []routing.Run, trs []routing.Trajectory,
	parts []routing.State) (open bool, err error) {
	f := &c.front
	f.reset()
	for r, p := range parts {
		if p.Done() {
			continue
		}
		open = true
		if c.only = p.Candidates(c.only[:0]); len(c.only) > 1 {
			f.add(r, p, c.only)
		} else if err := c.take(in, runs[r], &trs[r], p, c.only, nil, nil); err != nil {
			return false, err
		}
	}
	if f.Len() == 0 {
		return open, nil
	}
	probs, preference, err := c.chooser.choose(f)
	if err != nil {
		return false, err
	}
	if c.watch != nil {
		c.watch(f)
	}
	for i, r := range f.run {
		cand := f.Candidates[f.Offset[i]:f.Offset[i+1]]
		if err := c.take(in, runs[r], &trs[r], parts[r], cand, f.of(i, probs), f.of(i, preference)); err != nil {
			return false, err
		}
	}
	return open, nil
}

// take records a run's decision among candidates and takes one of them. Without preferences there is one candidate
// only.
func (c *constructor) take(in *routing.Instance, run routing.Run, tr *routing.Trajectory, p routing.State,
	cand []uint16, probs, preference []float32) error {
	step := len(p.Actions())
	if row := c.record(in, run, tr); row != nil {
		switch {
		case probs != nil:
			for i, prob := range probs {
				row[cand[i]] = prob
			}
		case !c.viaDepot || cand[0] != 0: // with viaDepot, the return at the end is no candidate
			row[cand[0]] = 1
		}
	}
	a, ok, err := forced(run, p, in, c.viaDepot, cand, preference)
	if err != nil {
		return err
	}
	if !ok {
		k := 0
		switch {
		case preference != nil && run.Sample != 0:
			k = routing.Draw(run.Sample, step, probs)
		case preference != nil:
			k = agreement.Argmax(preference)
		}
		a = int(cand[k])
	}
	if c.viaDepot {
		err = routing.Take(p, a, in.N())
	} else {
		err = p.Step(int32(a))
	}
	if err != nil {
		return err
	}
	if len(p.Actions()) == step+2 {
		c.record(in, run, tr) // the second action decided at once
	}
	return nil
}

package certify

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// Who constructs solutions without the leaders' say.
const (
	toursDropped = "without the leader of each step"
	toursSwapped = "a program drawn by lot in the leader’s place"
)

// tours lets the student solve every instance, whole and with its leaders knocked out, and the best single program by
// itself. All begin with the teacher's first action, so that the rule for the first node has no part in it.
func (d *decisions) tours(ctx context.Context, s *evaluate.Student, best halves, names []string, seed uint64) (
	[]Tours, error) {
	asked, err := d.solved()
	if err != nil {
		return nil, err
	}
	whole, err := asked.by(ctx, s)
	if err != nil {
		return nil, err
	}
	out := []Tours{asked.row("the student", whole, whole, seed)}
	if d.M == 1 {
		return out, nil
	}
	type row struct {
		what    string
		reroute func(in *routing.Instance) evaluate.Reroute
		hard    bool
	}
	rows := []row{
		{what: toursDropped, reroute: func(*routing.Instance) evaluate.Reroute { return dropLeader }},
		{what: toursSwapped, reroute: func(in *routing.Instance) evaluate.Reroute {
			rng := rand.New(rand.NewPCG(seed, lot(in)))
			return func(w []float32) { swapLeader(w, rng) }
		}},
	}
	if !d.hard {
		rows = append(rows, row{what: "the leader of each step decides alone", hard: true,
			reroute: func(*routing.Instance) evaluate.Reroute { return func([]float32) {} }})
	}
	for _, r := range rows {
		costs, err := asked.by(ctx, evaluate.Rerouted{Label: r.what, Student: s, Of: r.reroute, Hard: r.hard})
		if err != nil {
			return nil, err
		}
		out = append(out, asked.row(r.what, costs, whole, seed))
	}
	singles := s.Programs.Singles(s.Start)
	costs := make([]float64, len(asked.insts))
	for half := range best {
		if half > 0 && best[0] == best[1] {
			break
		}
		of, err := asked.by(ctx, singles[best[half]])
		if err != nil {
			return nil, err
		}
		for i, cost := range of {
			if best.of(int32(i)) == best[half] {
				costs[i] = cost
			}
		}
	}
	single := asked.row("best single program, "+best.name(names), costs, whole, seed)
	single.Single = true
	return append(out, single), nil
}

// solved are the instances with the teacher's costs and first actions.
type solved struct {
	insts  []routing.Instance
	starts []int
	costs  []float64
}

// solved returns the teacher's solution of every instance, the first if there are several.
func (d *decisions) solved() (out solved, err error) {
	out.starts, out.costs = make([]int, d.sh.Instances()), make([]float64, d.sh.Instances())
	for i := range out.starts {
		out.insts = append(out.insts, d.sh.Instance(i))
	}
	for r := d.sh.Trajectories() - 1; r >= 0; r-- {
		i, tour := d.sh.InstanceOf[r], d.sh.Tour(r)
		out.starts[i] = int(tour[0])
		if out.costs[i], err = problems.Cost(&out.insts[i], tour); err != nil {
			return solved{}, fmt.Errorf("certify: the teacher's solution: %w", err)
		}
	}
	return out, nil
}

// by returns the costs of a policy's greedy solutions.
func (x solved) by(ctx context.Context, p routing.Policy) ([]float64, error) {
	got, err := evaluate.Search{Mode: evaluate.Greedy, Starts: x.starts}.Run(ctx, p, x.insts)
	if err != nil {
		return nil, fmt.Errorf("certify: %w", err)
	}
	return got.Costs, nil
}

// row compares costs with the teacher's and the student's.
func (x solved) row(what string, costs, student []float64, seed uint64) Tours {
	return Tours{What: what, Gap: evaluate.GapTo(costs, x.costs, seed), Rise: evaluate.GapTo(costs, student, seed)}
}
